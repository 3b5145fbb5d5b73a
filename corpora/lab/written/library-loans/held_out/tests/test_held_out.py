from datetime import date, timedelta

import pytest

from library.desk import Desk
from library.fines import fine_for
from library.models import Item, Loan

START = date(2024, 3, 1)


def fine(kind, late, returned=False):
    loan = Loan(Item("x", "X", kind), "ann", START)
    day = loan.due + timedelta(days=late)
    if returned:
        loan.returned = day
        day = day + timedelta(days=100)
    return fine_for(loan, day)


@pytest.mark.parametrize("kind, late, cents", [
    ("book", -5, 0), ("book", 0, 0), ("book", 1, 0), ("book", 2, 0), ("book", 3, 0),
    ("book", 4, 80), ("book", 5, 100), ("book", 49, 980), ("book", 50, 1000),
    ("book", 51, 1000), ("book", 400, 1000),
    ("dvd", 0, 0), ("dvd", 1, 0), ("dvd", 2, 200), ("dvd", 3, 300), ("dvd", 15, 1500), ("dvd", 16, 1500),
    ("magazine", 0, 0), ("magazine", 1, 10), ("magazine", 31, 300),
    ("map", 0, 0), ("map", 1, 20), ("map", 25, 500), ("map", 26, 500),
])
def test_fine(kind, late, cents):
    assert fine(kind, late) == cents


def test_returned_stops_the_clock():
    assert fine("book", 3, returned=True) == 0
    assert fine("book", 4, returned=True) == 80
    assert fine("dvd", 1, returned=True) == 0


def test_balance_over_several_loans():
    desk = Desk()
    desk.check_out(Item("a", "A"), "ann", START)
    desk.check_out(Item("d", "D", "dvd"), "ann", START)
    desk.give_back("d", date(2024, 3, 9))
    desk.give_back("a", date(2024, 3, 26))
    assert desk.balance("ann", date(2024, 6, 1)) == 80
