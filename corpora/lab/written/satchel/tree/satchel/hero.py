from .bag import Bag
from .items import Item


class Hero:
    def __init__(self, name: str, strength: int = 10, slots: int = 6):
        self.name = name
        self.strength = strength
        self.bag = Bag(slots)
        self.worn = {}

    def equip(self, item: Item) -> None:
        """Take the item out of the bag and put it on; what was worn there goes into the bag."""
        if not item.wearable:
            raise ValueError(f"{item.name} cannot be worn")
        self.bag.take(item)
        before = self.worn.pop(item.slot, None)
        if before is not None:
            self.bag.add(before)
        self.worn[item.slot] = item

    def unequip(self, slot: str) -> None:
        self.bag.add(self.worn[slot])
        del self.worn[slot]

    @property
    def power(self) -> int:
        return self.strength + sum(item.power for item in self.worn.values())

    @property
    def load(self) -> int:
        return self.bag.weight() + sum(item.weight for item in self.worn.values())

    @property
    def overloaded(self) -> bool:
        return self.load > 2 * self.strength
