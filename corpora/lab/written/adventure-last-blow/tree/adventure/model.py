from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Optional


class State(Enum):
    EXPLORING = auto()
    FIGHTING = auto()
    DEAD = auto()
    WON = auto()


@dataclass
class Item:
    name: str


@dataclass
class Weapon(Item):
    damage: int = 1
    uses: Optional[int] = None      # None: never breaks


@dataclass
class Armour(Item):
    value: int = 0


@dataclass
class Potion(Item):
    strength: int = 5


@dataclass
class Monster:
    name: str
    hp: int
    damage: int
    loot: tuple = ()


@dataclass
class Room:
    name: str
    exits: dict = field(default_factory=dict)
    items: list = field(default_factory=list)
    monster: Optional[Monster] = None
    is_goal: bool = False
