from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Callable, Optional


class Kind(Enum):
    FLAG = auto()     # true when given
    COUNT = auto()    # how many times it was given
    VALUE = auto()    # takes a value, the last one wins
    LIST = auto()     # takes a value, all are kept


@dataclass(frozen=True)
class Option:
    name: str
    short: Optional[str] = None
    kind: Kind = Kind.FLAG
    convert: Callable[[str], Any] = str
    default: Any = None

    def __post_init__(self):
        if self.short is not None and (len(self.short) != 1 or self.short in "-="):
            raise ValueError(f"bad short name {self.short!r}")

    @property
    def takes_value(self):
        return self.kind in (Kind.VALUE, Kind.LIST)

    def initial(self):
        """The value before anything has been parsed."""
        if self.kind is Kind.FLAG:
            return False
        if self.kind is Kind.COUNT:
            return 0
        if self.kind is Kind.LIST:
            return list(self.default or ())
        return self.default
