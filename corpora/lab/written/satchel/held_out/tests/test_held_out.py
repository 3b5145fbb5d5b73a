import pytest

from satchel import Bag, BagFull, Item
from satchel.items import ARROW, POTION, SWORD


@pytest.mark.parametrize("count, expected", [
    (0, []),
    (1, [1]),
    (5, [5]),
    (6, [5, 1]),
    (10, [5, 5]),
    (11, [5, 5, 1]),
    (14, [5, 5, 4]),
    (15, [5, 5, 5]),
    (23, [5, 5, 5, 5, 3]),
    (30, [5, 5, 5, 5, 5, 5]),
])
def test_into_empty_bag(count, expected):
    bag = Bag(6)
    bag.add(POTION, count)
    assert [n for _, n in bag.counts()] == expected
    assert bag.count(POTION) == count


def test_started_slot_first_then_several():
    bag = Bag(6)
    bag.add(POTION, 3)
    bag.add(SWORD)
    bag.add(POTION, 14)
    assert bag.counts() == [
        ("potion", 5), ("sword", 1), ("potion", 5), ("potion", 5), ("potion", 2),
    ]


def test_things_that_do_not_stack():
    bag = Bag(4)
    bag.add(SWORD, 3)
    assert bag.counts() == [("sword", 1)] * 3


def test_new_slots_are_independent():
    bag = Bag(5)
    bag.add(POTION, 15)
    bag.take(POTION, 2)
    assert bag.counts() == [("potion", 5), ("potion", 5), ("potion", 3)]


def test_slots_of_single_things_are_independent():
    bag = Bag(5)
    bag.add(SWORD, 3)
    bag.take(SWORD)
    assert bag.counts() == [("sword", 1), ("sword", 1)]


def test_exactly_full():
    bag = Bag(3)
    bag.add(POTION, 15)
    assert bag.room_for(POTION) == 0
    with pytest.raises(BagFull):
        bag.add(POTION)


def test_room_after_adding_many():
    bag = Bag(4)
    bag.add(POTION, 12)
    assert bag.room_for(POTION) == 8
    assert bag.room_for(SWORD) == 1


def test_nothing_put_in_when_too_much():
    bag = Bag(3)
    bag.add(SWORD)
    bag.add(POTION, 4)
    with pytest.raises(BagFull):
        bag.add(POTION, 7)
    assert bag.counts() == [("sword", 1), ("potion", 4)]


def test_nothing_put_in_when_other_things_block():
    bag = Bag(2)
    bag.add(SWORD)
    with pytest.raises(BagFull):
        bag.add(ARROW, 21)
    assert bag.counts() == [("sword", 1)]


def test_negative():
    bag = Bag(1)
    with pytest.raises(ValueError):
        bag.add(POTION, -1)
    assert bag.counts() == []


def test_weight():
    bag = Bag(5)
    bag.add(POTION, 13)
    bag.add(SWORD)
    assert bag.weight() == 19


def test_move_many():
    a, b = Bag(4), Bag(4)
    a.add(POTION, 17)
    b.add(POTION, 4)
    a.move_to(b, POTION, 12)
    assert a.counts() == [("potion", 5)]
    assert b.counts() == [("potion", 5), ("potion", 5), ("potion", 5), ("potion", 1)]


def test_move_too_much_changes_nothing():
    a, b = Bag(4), Bag(2)
    a.add(POTION, 17)
    b.add(POTION, 1)
    with pytest.raises(BagFull):
        a.move_to(b, POTION, 10)
    assert a.count(POTION) == 17
    assert b.counts() == [("potion", 1)]


def test_large_stack_size():
    coin = Item("coin", weight=0, stack=1000)
    bag = Bag(4)
    bag.add(coin, 3500)
    assert [n for _, n in bag.counts()] == [1000, 1000, 1000, 500]
