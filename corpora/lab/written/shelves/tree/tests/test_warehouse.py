import pytest

from shelf import Shelf
from warehouse import NoSpace, OutOfStock, Warehouse


@pytest.fixture
def house():
    return Warehouse([
        Shelf("A1", 10, {"nut": 4}),
        Shelf("A2", 10, {"nut": 6, "bolt": 3}),
        Shelf("B1", 5),
    ])


def stock(house):
    return [dict(s.stock) for s in house.shelves]


def test_count(house):
    assert house.count("nut") == 10
    assert house.count("cog") == 0


def test_shelf(house):
    assert house.shelf("B1").free == 5
    with pytest.raises(KeyError):
        house.shelf("Z9")


def test_put_too_much(house):
    with pytest.raises(ValueError):
        house.shelf("B1").put("nut", 6)


def test_store(house):
    assert house.store("cog", 9) == [("A1", 6), ("A2", 1), ("B1", 2)]


def test_store_no_space(house):
    before = stock(house)
    with pytest.raises(NoSpace):
        house.store("cog", 13)
    assert stock(house) == before


def test_pick_one(house):
    assert house.pick({"bolt": 2}) == [("A2", "bolt", 2)]
    assert house.count("bolt") == 1


def test_pick_over_shelves(house):
    assert house.pick({"nut": 7}) == [("A1", "nut", 4), ("A2", "nut", 3)]
    assert stock(house) == [{}, {"nut": 3, "bolt": 3}, {}]


def test_pick_all(house):
    house.pick({"nut": 10, "bolt": 3})
    assert stock(house) == [{}, {}, {}]


def test_pick_out_of_stock(house):
    with pytest.raises(OutOfStock, match="cog"):
        house.pick({"cog": 1})


def test_pick_takes_nothing_when_short(house):
    before = stock(house)
    with pytest.raises(OutOfStock, match="bolt"):
        house.pick({"nut": 2, "bolt": 4})
    assert stock(house) == before


def test_pick_twice(house):
    house.pick({"nut": 6})
    with pytest.raises(OutOfStock):
        house.pick({"nut": 6})
    assert house.count("nut") == 4


def test_tidy(house):
    house.pick({"nut": 2})
    house.tidy()
    assert stock(house) == [{"nut": 8, "bolt": 2}, {"bolt": 1}, {}]
