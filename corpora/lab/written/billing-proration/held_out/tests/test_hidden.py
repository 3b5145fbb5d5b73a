from datetime import date
from decimal import Decimal as D

import pytest

from billing import BillingEngine, BillingError, Interval, Plan

BASIC = Plan("basic", "Basic", D("30"))
PRO = Plan("pro", "Pro", D("90"))
ODD = Plan("odd", "Odd", D("10.01"))
FREE = Plan("free", "Free", D("0"))
YEAR = Plan("year", "Year", D("366"), Interval.YEARLY)


@pytest.fixture
def engine():
    return BillingEngine()


def start(engine, plan=BASIC, seats=1):
    return engine.subscribe("bob", plan, date(2024, 4, 1), seats=seats)


def amounts(sub):
    return [l.amount for l in sub.pending]


def test_downgrade(engine):
    sub = start(engine, PRO)
    engine.change_plan(sub, BASIC, date(2024, 4, 16))
    assert amounts(sub) == [D("-45.00"), D("15.00")]
    assert sub.plan is BASIC


def test_line_texts(engine):
    sub = start(engine)
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    assert [l.text for l in sub.pending] == ["Unused time on Basic", "Remaining time on Pro"]


def test_more_seats_credit_at_old_seats(engine):
    sub = start(engine, seats=1)
    engine.change_plan(sub, PRO, date(2024, 4, 16), seats=3)
    assert amounts(sub) == [D("-15.00"), D("135.00")]


def test_fewer_seats_credit_at_old_seats(engine):
    sub = start(engine, seats=4)
    engine.change_plan(sub, PRO, date(2024, 4, 16), seats=1)
    assert amounts(sub) == [D("-60.00"), D("45.00")]
    assert sub.seats == 1


def test_same_plan_other_seats(engine):
    sub = start(engine, seats=2)
    engine.change_plan(sub, BASIC, date(2024, 4, 16), seats=5)
    assert amounts(sub) == [D("-30.00"), D("75.00")]


def test_seats_stay_without_argument(engine):
    sub = start(engine, seats=3)
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    assert sub.seats == 3
    assert amounts(sub) == [D("-45.00"), D("135.00")]


def test_first_day(engine):
    sub = start(engine)
    engine.change_plan(sub, PRO, date(2024, 4, 1))
    assert amounts(sub) == [D("-30.00"), D("90.00")]


def test_last_day(engine):
    sub = start(engine)
    engine.change_plan(sub, PRO, date(2024, 4, 30))
    assert amounts(sub) == [D("-1.00"), D("3.00")]


def test_two_changes_in_a_period(engine):
    sub = start(engine)
    engine.change_plan(sub, PRO, date(2024, 4, 11))
    engine.change_plan(sub, ODD, date(2024, 4, 16), seats=2)
    assert amounts(sub) == [D("-20.00"), D("60.00"), D("-45.00"), D("10.01")]
    assert sub.history == [(date(2024, 4, 11), "basic", "pro"), (date(2024, 4, 16), "pro", "odd")]


def test_there_and_back(engine):
    sub = start(engine)
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    engine.change_plan(sub, BASIC, date(2024, 4, 16))
    assert sum(amounts(sub)) == 0
    assert sub.plan is BASIC


def test_rounding_after_all_seats(engine):
    sub = start(engine, ODD, seats=10)
    engine.change_plan(sub, BASIC, date(2024, 4, 11))
    # 100.10 * 20 / 30 = 66.7333..
    assert amounts(sub) == [D("-66.73"), D("200.00")]


def test_rounding_of_charge(engine):
    sub = start(engine, seats=10)
    engine.change_plan(sub, ODD, date(2024, 4, 11))
    assert amounts(sub) == [D("-200.00"), D("66.73")]


def test_free_plan(engine):
    sub = start(engine, FREE)
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    assert amounts(sub) == [D("0.00"), D("45.00")]


def test_monthly_to_yearly_uses_current_period(engine):
    sub = start(engine)
    engine.change_plan(sub, YEAR, date(2024, 4, 16))
    assert amounts(sub) == [D("-15.00"), D("183.00")]
    assert sub.period.end == date(2024, 5, 1)
    engine.renew(sub)
    assert sub.period.end == date(2025, 5, 1)


@pytest.mark.parametrize("on, seats", [(date(2024, 3, 31), 2), (date(2024, 5, 1), 2),
                                       (date(2024, 4, 16), 0), (date(2024, 4, 16), -1)])
def test_refused_change_leaves_all(engine, on, seats):
    sub = start(engine, seats=3)
    with pytest.raises(BillingError):
        engine.change_plan(sub, PRO, on, seats=seats)
    assert (sub.plan, sub.seats, sub.pending, sub.history) == (BASIC, 3, [], [])


def test_refused_after_cancel_leaves_all(engine):
    sub = start(engine)
    engine.cancel(sub, date(2024, 4, 10))
    with pytest.raises(BillingError):
        engine.change_plan(sub, PRO, date(2024, 4, 12), seats=2)
    assert (sub.plan, sub.seats, sub.pending, sub.history) == (BASIC, 1, [], [])


def test_cancel_after_change(engine):
    sub = start(engine)
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    invoice = engine.cancel(sub, date(2024, 4, 26))
    assert [l.amount for l in invoice.lines] == [D("-15.00"), D("45.00"), D("-15.00")]


def test_old_lines_are_kept(engine):
    sub = start(engine)
    lines = sub.pending
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    engine.change_plan(sub, BASIC, date(2024, 4, 20))
    assert len(sub.pending) == 4
    assert sub.pending is lines


def test_invoice_history_untouched(engine):
    sub = start(engine)
    engine.change_plan(sub, PRO, date(2024, 4, 16))
    assert len(engine.invoices) == 1
    assert engine.invoices[0].total == D("30")
    engine.renew(sub)
    assert engine.invoices[1].total == D("120.00")


def test_other_subscription_untouched(engine):
    one, two = start(engine), start(engine)
    engine.change_plan(one, PRO, date(2024, 4, 16))
    assert two.plan is BASIC and two.pending == []
