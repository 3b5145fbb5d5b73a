from datetime import date

import pytest

from warehouse.batches import Batch, OutOfStock
from warehouse.stock import Stock

D = date(2024, 6, 10)


def make():
    s = Stock()
    s.receive("a", Batch("A1", date(2024, 1, 1), 4, expires=date(2024, 6, 9)))
    s.receive("a", Batch("A2", date(2024, 1, 2), 3))
    s.receive("a", Batch("A3", date(2024, 1, 3), 2, expires=date(2024, 6, 10)))
    s.receive("a", Batch("A4", date(2024, 1, 4), 5, expires=date(2024, 7, 1)))
    s.receive("b", Batch("B1", date(2024, 1, 1), 1))
    return s


@pytest.mark.parametrize("n, want", [
    (1, [("A2", 1)]), (3, [("A2", 3)]), (4, [("A2", 3), ("A3", 1)]), (5, [("A2", 3), ("A3", 2)]),
    (6, [("A2", 3), ("A3", 2), ("A4", 1)]), (10, [("A2", 3), ("A3", 2), ("A4", 5)]),
])
def test_pick(n, want):
    s = make()
    assert s.pick("a", n, D) == want
    assert s.available("a", D) == 10 - n
    assert s.available("b", D) == 1


@pytest.mark.parametrize("n", [11, 14, 15, 1000])
def test_short(n):
    s = make()
    with pytest.raises(OutOfStock) as info:
        s.pick("a", n, D)
    assert info.value.missing == n - 10
    assert info.value.sku == "a"
    assert s.available("a", D) == 10
    assert s.pick("a", 10, D) == [("A2", 3), ("A3", 2), ("A4", 5)]


def test_short_after_a_part_was_picked():
    s = make()
    s.pick("a", 4, D)
    for _ in range(2):
        with pytest.raises(OutOfStock) as info:
            s.pick("a", 7, D)
        assert info.value.missing == 1
    assert s.pick("a", 6, D) == [("A3", 1), ("A4", 5)]


def test_short_leaves_expired_batch_alone():
    s = make()
    with pytest.raises(OutOfStock):
        s.pick("a", 12, D)
    assert s.available("a", date(2024, 6, 9)) == 14


def test_short_then_receive():
    s = make()
    with pytest.raises(OutOfStock):
        s.pick("b", 2, D)
    s.receive("b", Batch("B2", D, 1))
    assert s.pick("b", 2, D) == [("B1", 1), ("B2", 1)]


def test_emptied_batches_are_passed_over():
    s = make()
    s.pick("a", 3, D)
    assert s.pick("a", 1, D) == [("A3", 1)]


def test_everything_gone():
    s = make()
    s.pick("b", 1, D)
    with pytest.raises(OutOfStock) as info:
        s.pick("b", 1, D)
    assert info.value.missing == 1


def test_short_does_not_lose_batches():
    s = make()
    with pytest.raises(OutOfStock):
        s.pick("a", 11, D)
    with pytest.raises(ValueError):
        s.receive("a", Batch("A2", D, 1))


@pytest.mark.parametrize("n", [0, -3])
def test_bad(n):
    with pytest.raises(ValueError):
        make().pick("a", n, D)
    with pytest.raises(ValueError):
        make().pick("zzz", n, D)
