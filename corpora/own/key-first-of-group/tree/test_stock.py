import pytest

from stock import by_place, totals


def test_nothing():
    assert totals([]) == {}
    assert by_place([]) == {}


def test_one_movement():
    assert totals([("tea", "north", 4)]) == {"tea": {"north": 4}}


def test_movements_add_up():
    moved = [("tea", "north", 4), ("tea", "south", 1), ("tea", "north", -1)]
    assert totals(moved) == {"tea": {"north": 3, "south": 1}}


def test_what_is_gone_is_left_out():
    assert totals([("tea", "north", 4), ("tea", "north", -4)]) == {}


def test_malformed_movements():
    with pytest.raises(ValueError, match="unpack"):
        totals([("tea", 4)])


def test_by_place():
    moved = [("tea", "north", 1), ("cup", "north", 2), ("cup", "south", 1)]
    assert by_place(moved) == {"north": ["cup", "tea"], "south": ["cup"]}
