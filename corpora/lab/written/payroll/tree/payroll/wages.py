from dataclasses import dataclass
from decimal import Decimal

from .money import money

NORMAL_HOURS = 40
OVERTIME_FACTOR = Decimal("1.5")


@dataclass
class Employee:
    name: str
    hourly: Decimal
    pension: Decimal = Decimal("0.05")   # part of the gross wage


def week_wage(employee, hours) -> Decimal:
    """Gross wage of a week; hours above 40 count one and a half times."""
    hours = Decimal(hours)
    if hours < 0:
        raise ValueError("negative hours")
    normal = min(hours, NORMAL_HOURS)
    over = hours - normal
    return money(employee.hourly * (normal + over * OVERTIME_FACTOR))


def year_wage(employee, weeks) -> Decimal:
    return sum((week_wage(employee, hours) for hours in weeks), Decimal(0))
