import pytest

from shelf import Shelf
from warehouse import OutOfStock, Warehouse


@pytest.fixture
def house():
    return Warehouse([
        Shelf("A", 10, {"nut": 2, "cog": 1}),
        Shelf("B", 10, {"bolt": 3, "nut": 1}),
        Shelf("C", 10, {"nut": 4, "bolt": 1, "cog": 1}),
    ])


def stock(house):
    return [dict(s.stock) for s in house.shelves]


@pytest.mark.parametrize("order, short", [
    ({"nut": 8}, "nut"),
    ({"pin": 1}, "pin"),
    ({"nut": 1, "pin": 1}, "pin"),
    ({"nut": 7, "bolt": 5}, "bolt"),
    ({"nut": 1, "bolt": 1, "cog": 3}, "cog"),
    ({"nut": 1, "bolt": 5, "cog": 1}, "bolt"),
    ({"nut": 1, "bolt": 5, "cog": 3}, "bolt"),
    ({"nut": 1, "cog": 3, "bolt": 5}, "cog"),
    ({"bolt": 4, "cog": 2, "nut": 8}, "nut"),
    ({"nut": 8, "bolt": 1}, "nut"),
])
def test_short(house, order, short):
    before = stock(house)
    with pytest.raises(OutOfStock) as caught:
        house.pick(order)
    assert str(caught.value) == short
    assert stock(house) == before


@pytest.mark.parametrize("order, steps", [
    ({}, []),
    ({"nut": 0}, []),
    ({"pin": 0, "nut": 1}, [("A", "nut", 1)]),
    ({"nut": 2}, [("A", "nut", 2)]),
    ({"nut": 7}, [("A", "nut", 2), ("B", "nut", 1), ("C", "nut", 4)]),
    ({"bolt": 4}, [("B", "bolt", 3), ("C", "bolt", 1)]),
    ({"bolt": 1, "nut": 3}, [("B", "bolt", 1), ("A", "nut", 2), ("B", "nut", 1)]),
    ({"cog": 2, "bolt": 4, "nut": 7}, [
        ("A", "cog", 1), ("C", "cog", 1), ("B", "bolt", 3), ("C", "bolt", 1),
        ("A", "nut", 2), ("B", "nut", 1), ("C", "nut", 4)]),
])
def test_steps(house, order, steps):
    before = {item: house.count(item) for item in ("nut", "bolt", "cog")}
    keep = dict(order)
    assert house.pick(order) == steps
    assert order == keep
    for item, n in before.items():
        assert house.count(item) == n - order.get(item, 0)


def test_same_shelves_after_short(house):
    a = house.shelf("A")
    with pytest.raises(OutOfStock):
        house.pick({"nut": 7, "cog": 9})
    a.put("pin", 1)
    assert house.count("pin") == 1
    assert house.pick({"nut": 7})[0] == ("A", "nut", 2)
