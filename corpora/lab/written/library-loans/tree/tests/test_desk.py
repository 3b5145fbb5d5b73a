from datetime import date, timedelta

import pytest

from library.desk import Desk, LoanError
from library.models import Item, Loan

BOOK = Item("b1", "Dune")
DVD = Item("d1", "Alien", "dvd")
START = date(2024, 3, 1)


@pytest.fixture
def desk():
    return Desk()


def test_due_dates():
    assert Loan(BOOK, "ann", START).due == date(2024, 3, 22)
    assert Loan(DVD, "ann", START).due == date(2024, 3, 8)


def test_return_on_time_is_free(desk):
    desk.check_out(BOOK, "ann", START)
    assert desk.give_back("b1", date(2024, 3, 22)) == 0


def test_return_at_end_of_grace_is_free(desk):
    desk.check_out(BOOK, "ann", START)
    assert desk.give_back("b1", date(2024, 3, 25)) == 0


def test_late_return_costs(desk):
    desk.check_out(BOOK, "ann", START)
    assert desk.give_back("b1", date(2024, 4, 1)) == 200


def test_cannot_check_out_twice(desk):
    desk.check_out(BOOK, "ann", START)
    with pytest.raises(LoanError):
        desk.check_out(BOOK, "bob", START)


def test_renew_extends(desk):
    desk.check_out(BOOK, "ann", START)
    assert desk.renew("b1", START).due == START + timedelta(days=42)


def test_renew_limit(desk):
    desk.check_out(BOOK, "ann", START)
    desk.renew("b1", START)
    desk.renew("b1", START)
    with pytest.raises(LoanError):
        desk.renew("b1", START)


def test_payment_lowers_balance(desk):
    desk.check_out(BOOK, "ann", START)
    desk.give_back("b1", date(2024, 4, 1))
    desk.pay("ann", 150)
    assert desk.balance("ann", date(2024, 5, 1)) == 50


def test_unknown_barcode(desk):
    with pytest.raises(LoanError):
        desk.give_back("zzz", START)
