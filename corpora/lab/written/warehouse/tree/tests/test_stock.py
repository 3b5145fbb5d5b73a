from datetime import date

import pytest

from warehouse.batches import Batch, OutOfStock
from warehouse.orders import fulfil
from warehouse.stock import Stock

DAY = date(2024, 6, 1)


@pytest.fixture
def stock():
    s = Stock()
    s.receive("tea", Batch("T2", date(2024, 2, 1), 10))
    s.receive("tea", Batch("T1", date(2024, 1, 1), 5))
    s.receive("milk", Batch("M1", date(2024, 5, 1), 4, expires=date(2024, 5, 31)))
    s.receive("milk", Batch("M2", date(2024, 5, 20), 6, expires=date(2024, 6, 1)))
    return s


def test_available(stock):
    assert stock.available("tea", DAY) == 15
    assert stock.available("milk", DAY) == 6
    assert stock.available("salt", DAY) == 0


def test_oldest_first(stock):
    assert stock.pick("tea", 3, DAY) == [("T1", 3)]
    assert stock.pick("tea", 3, DAY) == [("T1", 2), ("T2", 1)]


def test_pick_all(stock):
    assert stock.pick("tea", 15, DAY) == [("T1", 5), ("T2", 10)]
    assert stock.available("tea", DAY) == 0


def test_expired_is_passed_over(stock):
    assert stock.pick("milk", 6, DAY) == [("M2", 6)]


def test_short_raises(stock):
    with pytest.raises(OutOfStock) as info:
        stock.pick("tea", 18, DAY)
    assert info.value.missing == 3
    assert info.value.sku == "tea"


def test_short_takes_nothing(stock):
    with pytest.raises(OutOfStock):
        stock.pick("tea", 16, DAY)
    assert stock.available("tea", DAY) == 15
    assert stock.pick("tea", 5, DAY) == [("T1", 5)]


def test_short_for_expiry_takes_nothing(stock):
    with pytest.raises(OutOfStock) as info:
        stock.pick("milk", 7, DAY)
    assert info.value.missing == 1
    assert stock.available("milk", DAY) == 6


def test_unknown_product(stock):
    with pytest.raises(OutOfStock):
        stock.pick("salt", 1, DAY)


@pytest.mark.parametrize("quantity", [0, -1])
def test_bad_quantity(stock, quantity):
    with pytest.raises(ValueError):
        stock.pick("tea", quantity, DAY)


def test_double_batch(stock):
    with pytest.raises(ValueError):
        stock.receive("tea", Batch("T1", DAY, 1))


def test_discard(stock):
    assert stock.discard_expired(DAY) == ["M1"]
    assert stock.available("milk", DAY) == 6


def test_fulfil(stock):
    picked, short = fulfil(stock, {"tea": 6, "milk": 9}, DAY)
    assert picked == {"tea": [("T1", 5), ("T2", 1)]}
    assert short == {"milk": 3}


def test_fulfil_line_again_after_short(stock):
    fulfil(stock, {"milk": 9}, DAY)
    assert fulfil(stock, {"milk": 6}, DAY) == ({"milk": [("M2", 6)]}, {})
