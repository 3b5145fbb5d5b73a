from datetime import date
from decimal import Decimal

from billing import BillingPeriod, add_months


def test_add_months_plain():
    assert add_months(date(2024, 3, 10), 1) == date(2024, 4, 10)


def test_add_months_over_new_year():
    assert add_months(date(2023, 11, 30), 3) == date(2024, 2, 29)


def test_period_is_half_open():
    p = BillingPeriod(date(2024, 4, 1), date(2024, 5, 1))
    assert p.contains(date(2024, 4, 1))
    assert not p.contains(date(2024, 5, 1))
    assert p.days == 30


def test_unused_half():
    p = BillingPeriod(date(2024, 4, 1), date(2024, 5, 1))
    assert p.unused(Decimal("30"), date(2024, 4, 16)) == Decimal("15.00")
