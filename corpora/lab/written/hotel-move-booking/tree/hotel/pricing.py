"""Prices in cents."""

from datetime import date

WEEKEND_PERCENT = 20
LONG_STAY_NIGHTS = 7
LONG_STAY_PERCENT = 10


def is_weekend(night: date) -> bool:
    """Nights from Friday to Saturday and from Saturday to Sunday."""
    return night.weekday() in (4, 5)


def price(stay, rate):
    """Price of a stay. Weekends cost more, a week or longer costs less."""
    total = 0
    for night in stay.nights():
        total += rate
        if is_weekend(night):
            total += rate * WEEKEND_PERCENT // 100
    if len(stay) >= LONG_STAY_NIGHTS:
        total -= total * LONG_STAY_PERCENT // 100
    return total
