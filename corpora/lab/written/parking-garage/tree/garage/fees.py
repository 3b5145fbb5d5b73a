"""Prices of the garage. Money is Decimal everywhere."""

import math
from decimal import ROUND_HALF_UP, Decimal

HOURLY = Decimal("2.50")
DAILY_MAX = Decimal("18.00")
GRACE_MINUTES = 10
LOST_TICKET = Decimal("25.00")
CENT = Decimal("0.01")


def parking_fee(minutes, hourly=HOURLY, daily_max=DAILY_MAX, grace=GRACE_MINUTES):
    """What a stay of so many (whole) minutes costs.

    Whoever leaves within the grace time, last minute included, pays nothing.
    All others pay for every started hour from the entry on. No day (24 hours,
    counted from the entry) costs more than ``daily_max``.
    """
    if minutes < 0:
        raise ValueError("a stay cannot be negative")
    if minutes <= grace:
        return Decimal("0.00")
    days, rest = divmod(minutes, 24 * 60)
    hours = rest // 60 + 1
    return days * daily_max + min(hours * hourly, daily_max)


def discounted(fee, percent):
    """Fee less a discount of 0 to 100 percent, rounded to cents."""
    if not 0 <= percent <= 100:
        raise ValueError(f"bad discount: {percent}")
    return (fee * (100 - Decimal(percent)) / 100).quantize(CENT, ROUND_HALF_UP)


def minutes_between(start, end):
    """Started minutes count as whole ones."""
    return math.ceil((end - start).total_seconds() / 60)


def vat_share(fee, rate=Decimal("19")):
    """The tax contained in a gross fee."""
    return (fee * rate / (100 + rate)).quantize(CENT, ROUND_HALF_UP)
