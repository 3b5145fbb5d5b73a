from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """A kind of thing. ``stack`` is how many of it fit into one slot of a bag."""

    name: str
    weight: int = 1
    stack: int = 1
    slot: str = ""  # "hand", "head", ...: can be worn or wielded
    power: int = 0

    @property
    def wearable(self) -> bool:
        return bool(self.slot)


POTION = Item("potion", weight=1, stack=5)
ARROW = Item("arrow", weight=0, stack=20)
SWORD = Item("sword", weight=6, slot="hand", power=7)
AXE = Item("axe", weight=8, slot="hand", power=9)
HELMET = Item("helmet", weight=3, slot="head", power=2)
