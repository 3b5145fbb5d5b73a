import pytest

from satchel.bag import Bag, BagFull
from satchel.items import ARROW, POTION, SWORD


def test_add_to_empty():
    bag = Bag(3)
    bag.add(POTION, 3)
    assert bag.counts() == [("potion", 3)]


def test_add_fills_started_slot():
    bag = Bag(3)
    bag.add(POTION, 3)
    bag.add(SWORD)
    bag.add(POTION, 2)
    assert bag.counts() == [("potion", 5), ("sword", 1)]


def test_add_more_than_a_stack():
    bag = Bag(3)
    bag.add(POTION, 8)
    assert bag.counts() == [("potion", 5), ("potion", 3)]


def test_add_too_much():
    bag = Bag(2)
    with pytest.raises(BagFull):
        bag.add(POTION, 11)
    assert bag.counts() == []


def test_room_for():
    bag = Bag(2)
    bag.add(POTION, 4)
    assert bag.room_for(POTION) == 6
    assert bag.room_for(SWORD) == 1


def test_take():
    bag = Bag(2)
    bag.add(ARROW, 10)
    bag.take(ARROW, 4)
    assert bag.count(ARROW) == 6
    with pytest.raises(KeyError):
        bag.take(ARROW, 7)


def test_move():
    a, b = Bag(1), Bag(1)
    a.add(ARROW, 10)
    a.move_to(b, ARROW, 10)
    assert a.counts() == []
    assert b.counts() == [("arrow", 10)]
