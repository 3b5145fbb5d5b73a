from datetime import date

import pytest

from billing.account import Account
from billing.plans import Plan, plan
from billing.proration import change_charge


@pytest.mark.parametrize("old, new, on, cents", [
    ("basic", "pro", date(2024, 4, 1), 2100), ("basic", "pro", date(2024, 4, 16), 1050),
    ("basic", "pro", date(2024, 4, 30), 70),
    ("basic", "pro", date(2024, 5, 1), 2100), ("free", "pro", date(2024, 5, 2), 2903),
    ("free", "pro", date(2024, 5, 16), 1548), ("basic", "pro", date(2024, 5, 16), 1083),
    ("free", "pro", date(2024, 5, 31), 97), ("basic", "team", date(2024, 12, 31), 290),
    ("free", "pro", date(2024, 2, 1), 3000), ("free", "pro", date(2023, 2, 1), 3000),
    ("free", "pro", date(2024, 2, 29), 103), ("free", "pro", date(2023, 2, 28), 107),
    ("free", "basic", date(2024, 2, 15), 466), ("free", "basic", date(2023, 2, 15), 450),
    ("pro", "basic", date(2024, 5, 1), 0), ("pro", "free", date(2024, 2, 10), 0), ("team", "pro", date(2024, 4, 30), 0),
])
def test_change(old, new, on, cents):
    assert change_charge(plan(old), plan(new), on) == cents


def test_parts_are_rounded_by_themselves():
    # 16 of 31 days: 51.6 -> 52 and 77.4 -> 77
    assert change_charge(Plan("a", 100), Plan("b", 150), date(2024, 5, 16)) == 25
    # 1 of 31 days: 0.48 -> 0 and 0.52 -> 1
    assert change_charge(Plan("a", 15), Plan("b", 16), date(2024, 5, 31)) == 1


def test_account():
    account = Account("ann", "basic", date(2024, 5, 1))
    assert account.change("pro", date(2024, 5, 16)) == 1083
    assert account.change("basic", date(2024, 5, 20)) == 0
    assert account.total() == 900 + 1083


def test_start_then_change_on_the_same_day_is_the_dearer_plan():
    account = Account("ann", "free", date(2024, 5, 10))
    account.change("pro", date(2024, 5, 10))
    assert account.total() == Account("bob", "pro", date(2024, 5, 10)).total()
