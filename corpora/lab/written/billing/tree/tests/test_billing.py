from datetime import date

import pytest

from billing.account import Account
from billing.plans import plan
from billing.proration import change_charge, remaining_days, share
from billing.render import invoice, money


def test_share():
    assert share(1000, 15, 30) == 500
    assert share(1, 1, 2) == 1


def test_remaining_days():
    assert remaining_days(date(2024, 4, 1)) == 30
    assert remaining_days(date(2024, 2, 29)) == 1


def test_start_in_mid_month():
    assert Account("ann", "pro", date(2024, 4, 16)).total() == 1500


def test_upgrade_in_april():
    assert change_charge(plan("basic"), plan("pro"), date(2024, 4, 16)) == 1050


def test_upgrade_on_first_day_of_may_costs_the_difference():
    assert change_charge(plan("basic"), plan("pro"), date(2024, 5, 1)) == 2100


def test_downgrade_is_free():
    assert change_charge(plan("pro"), plan("basic"), date(2024, 4, 10)) == 0


def test_change_is_listed():
    account = Account("ann", "free", date(2024, 4, 1))
    account.change("pro", date(2024, 4, 16))
    assert account.charges == [(date(2024, 4, 16), "change to pro", 1500)]


def test_change_to_same_plan():
    with pytest.raises(ValueError):
        Account("ann", "pro", date(2024, 4, 1)).change("pro", date(2024, 4, 2))


def test_unknown_plan():
    with pytest.raises(ValueError):
        plan("gold")


def test_invoice():
    text = invoice(Account("ann", "pro", date(2024, 4, 1)))
    assert text.splitlines()[-1].endswith("30.00")
    assert money(5) == "0.05"
