"""Tariffs of car parks. Amounts are in cents, lengths of stay in minutes."""
from __future__ import annotations

from dataclasses import dataclass

MINUTES_PER_DAY = 24 * 60


@dataclass(frozen=True)
class Tariff:
    """What parking costs.

    free_minutes: a stay of at most this long costs nothing
    unit_minutes: the fee goes up by started units of this many minutes
    unit_price:   price of one unit
    daily_max:    the most that 24 hours cost (None: no maximum)
    """
    unit_price: int
    unit_minutes: int = 60
    free_minutes: int = 0
    daily_max: int | None = None

    def __post_init__(self) -> None:
        if self.unit_price < 0 or self.unit_minutes <= 0:
            raise ValueError("bad unit")


def units(minutes: int, size: int) -> int:
    """Number of started units."""
    return -(-minutes // size)


def fee(tariff: Tariff, minutes: int) -> int:
    """The fee for a stay.

    The maximum counts for each 24 hours from the entry: a stay of two days
    and an hour costs two maxima and what the last hour costs (but not more
    than a maximum).
    """
    if minutes < 0:
        raise ValueError("stay must not be negative")
    if minutes <= tariff.free_minutes:
        return 0
    if tariff.daily_max is None:
        return units(minutes, tariff.unit_minutes) * tariff.unit_price
    days, rest = divmod(minutes, MINUTES_PER_DAY)
    price = units(rest, tariff.unit_minutes) * tariff.unit_price
    return days * tariff.daily_max + min(price, tariff.daily_max)
