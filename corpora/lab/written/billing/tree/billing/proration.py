"""Proration by calendar day. Amounts are whole cents."""
from calendar import monthrange
from datetime import date

from .plans import Plan


def days_in_month(day: date) -> int:
    return monthrange(day.year, day.month)[1]


def share(cents: int, days: int, of_days: int) -> int:
    """``days / of_days`` of an amount, half a cent rounded up."""
    return (2 * cents * days + of_days) // (2 * of_days)


def remaining_days(on: date) -> int:
    """Days left in the month of ``on``, that day itself included."""
    return days_in_month(on) - on.day + 1


def change_charge(old: Plan, new: Plan, on: date) -> int:
    """What a change of plan in the middle of a month costs.

    The new plan is charged and the old plan credited for the remaining days
    of the month, the day of the change included. Each part is rounded by
    itself. A downgrade never pays money back: the charge is at least 0.
    """
    left = remaining_days(on)
    month = 30
    charge = share(new.monthly_cents, left, month)
    credit = share(old.monthly_cents, left, month)
    return max(0, charge - credit)
