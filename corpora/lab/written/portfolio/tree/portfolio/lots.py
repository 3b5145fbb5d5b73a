"""Lots of shares; all prices are cents."""

from dataclasses import dataclass
from datetime import date


class NotEnoughShares(ValueError):
    """More shares were to be sold than are held."""


@dataclass
class Lot:
    quantity: int
    price: int
    bought: date

    @property
    def cost(self) -> int:
        return self.quantity * self.price


@dataclass(frozen=True)
class Sale:
    symbol: str
    quantity: int
    price: int
    gain: int
