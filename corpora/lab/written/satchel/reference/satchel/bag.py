"""Bags with a fixed number of slots."""
from .items import Item


class BagFull(Exception):
    """There was no room for all of it."""


class Bag:
    """Slots are [item, count] pairs in the order in which they were opened.

    >>> bag = Bag(2)
    >>> bag.add(Item("arrow", stack=20), 25)
    >>> bag.counts()
    [('arrow', 20), ('arrow', 5)]
    """

    def __init__(self, size: int):
        self.size = size
        self.slots = []

    def count(self, item: Item) -> int:
        return sum(n for kind, n in self.slots if kind == item)

    def counts(self) -> list:
        return [(kind.name, n) for kind, n in self.slots]

    def weight(self) -> int:
        return sum(kind.weight * n for kind, n in self.slots)

    def room_for(self, item: Item) -> int:
        """How many more of *item* the bag can take."""
        started = sum(item.stack - n for kind, n in self.slots if kind == item)
        return started + (self.size - len(self.slots)) * item.stack

    def add(self, item: Item, count: int = 1) -> None:
        """Put *count* of *item* into the bag.

        Slots that hold the item already are filled up first, in their order, then
        new slots are opened. Raises BagFull, and puts nothing in, when not all
        of it fits; ValueError when count is negative.
        """
        if count < 0:
            raise ValueError("count is negative")
        if count > self.room_for(item):
            raise BagFull(f"no room for {count} {item.name}")
        for slot in self.slots:
            if slot[0] == item and slot[1] < item.stack:
                moved = min(count, item.stack - slot[1])
                slot[1] += moved
                count -= moved
        while count:
            moved = min(count, item.stack)
            self.slots.append([item, moved])
            count -= moved

    def take(self, item: Item, count: int = 1) -> None:
        """Take *count* of *item* out, from the last slots first; KeyError if there are not as many."""
        if count > self.count(item):
            raise KeyError(item.name)
        for slot in reversed(self.slots):
            if slot[0] == item:
                moved = min(count, slot[1])
                slot[1] -= moved
                count -= moved
        self.slots = [slot for slot in self.slots if slot[1]]

    def move_to(self, other: "Bag", item: Item, count: int = 1) -> None:
        """Move to another bag; when that is not possible nothing changes in either."""
        if count > self.count(item):
            raise KeyError(item.name)
        other.add(item, count)
        self.take(item, count)
