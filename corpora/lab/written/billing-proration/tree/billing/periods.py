"""Calendar arithmetic for billing periods."""
import calendar
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def add_months(day, months):
    """Return the same day ``months`` later, clamped to the end of the month."""
    index = day.month - 1 + months
    year = day.year + index // 12
    month = index % 12 + 1
    last = calendar.monthrange(year, month)[1]
    return date(year, month, min(day.day, last))


@dataclass(frozen=True)
class BillingPeriod:
    """Half-open period: ``start`` belongs to it, ``end`` does not."""

    start: date
    end: date

    @property
    def days(self):
        return (self.end - self.start).days

    def contains(self, day):
        return self.start <= day < self.end

    def unused(self, amount, day):
        """The share of ``amount`` for the days from ``day`` on, in whole cents."""
        left = (self.end - day).days
        share = amount * left / self.days
        return share.quantize(CENT, rounding=ROUND_HALF_UP)
