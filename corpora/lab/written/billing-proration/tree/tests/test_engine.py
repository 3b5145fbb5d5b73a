from datetime import date
from decimal import Decimal

import pytest

from billing import BillingEngine, BillingError, Interval, Plan

BASIC = Plan("basic", "Basic", Decimal("30"))
PRO = Plan("pro", "Pro", Decimal("90"))
YEAR = Plan("year", "Year", Decimal("366"), Interval.YEARLY)


@pytest.fixture
def engine():
    return BillingEngine()


def test_subscribe_invoices_first_period(engine):
    sub = engine.subscribe("ann", BASIC, date(2024, 4, 1), seats=2)
    assert sub.period.end == date(2024, 5, 1)
    assert engine.invoices[0].total == Decimal("60")


def test_upgrade_credits_old_plan(engine):
    sub = engine.subscribe("ann", BASIC, date(2024, 4, 1))
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    assert [l.amount for l in sub.pending] == [Decimal("-15.00"), Decimal("45.00")]


def test_upgrade_shows_up_on_next_invoice(engine):
    sub = engine.subscribe("ann", BASIC, date(2024, 4, 1))
    engine.change_plan(sub, PRO, date(2024, 4, 21))
    invoice = engine.renew(sub)
    assert invoice.total == Decimal("110.00")
    assert sub.pending == []


def test_change_updates_plan_and_history(engine):
    sub = engine.subscribe("ann", BASIC, date(2024, 4, 1))
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    assert sub.plan is PRO
    assert sub.history == [(date(2024, 4, 16), "basic", "pro")]


def test_change_with_seats(engine):
    sub = engine.subscribe("ann", BASIC, date(2024, 4, 1))
    engine.change_plan(sub, PRO, date(2024, 4, 16), seats=2)
    assert sub.seats == 2
    assert sub.pending[1].amount == Decimal("90.00")


def test_change_outside_period(engine):
    sub = engine.subscribe("ann", BASIC, date(2024, 4, 1))
    with pytest.raises(BillingError):
        engine.change_plan(sub, PRO, date(2024, 5, 1))


def test_cancel_pays_back(engine):
    sub = engine.subscribe("ann", YEAR, date(2024, 1, 1))
    invoice = engine.cancel(sub, date(2024, 12, 31))
    assert invoice.total == Decimal("-1.00")


def test_cancelled_cannot_change(engine):
    sub = engine.subscribe("ann", BASIC, date(2024, 4, 1))
    engine.cancel(sub, date(2024, 4, 2))
    with pytest.raises(BillingError):
        engine.change_plan(sub, PRO, date(2024, 4, 3))
    with pytest.raises(BillingError):
        engine.renew(sub)
