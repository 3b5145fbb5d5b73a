"""Price plans."""
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum


class Interval(Enum):
    MONTHLY = 1
    QUARTERLY = 3
    YEARLY = 12

    @property
    def months(self):
        return self.value


@dataclass(frozen=True)
class Plan:
    """A plan one can subscribe to. ``price`` is per seat and interval."""

    code: str
    name: str
    price: Decimal
    interval: Interval = Interval.MONTHLY

    def __post_init__(self):
        if self.price < 0:
            raise ValueError("price must not be negative")
