from decimal import Decimal as D

import pytest

from loanbook.loan import Loan, LoanError, amortise
from loanbook.money import show, to_money
from loanbook.report import as_text, by_year, interest_saved, total_interest, total_paid


@pytest.fixture
def flat():
    return Loan(D(1200), D(0), 12)


@pytest.fixture
def car():
    return Loan(D(10000), D(6), 36)


def test_rounding():
    assert to_money("2.345") == D("2.35")
    assert show(D("12345.6")) == "12,345.60"


@pytest.mark.parametrize("terms", [(D(0), D(1), 1), (D(1), D(-1), 1), (D(1), D(1), 0)])
def test_bad_terms(terms):
    with pytest.raises(LoanError):
        Loan(*terms)


def test_payment(car):
    assert car.payment == D("304.22")


def test_payment_without_interest(flat):
    assert flat.payment == D(100)


def test_schedule_without_interest(flat):
    rows = amortise(flat)
    assert len(rows) == 12
    assert [r.balance for r in rows[-3:]] == [200, 100, 0]


def test_first_row(car):
    row = amortise(car)[0]
    assert (row.number, row.interest, row.principal) == (1, D("50.00"), D("254.22"))
    assert row.balance == D("9745.78")


def test_negative_extra(car):
    with pytest.raises(LoanError):
        amortise(car, D(-1))


def test_extra_shortens(flat):
    rows = amortise(flat, D(100))
    assert len(rows) == 6
    assert rows[-1].balance == 0


def test_principal_adds_up(car):
    rows = amortise(car)
    assert len(rows) == 36
    assert sum(r.principal for r in rows) == 10000
    assert rows[-1].balance == 0


def test_payment_is_interest_plus_principal(car):
    for row in amortise(car, D(25)):
        assert row.payment == row.interest + row.principal


def test_last_instalment_takes_the_rounding():
    rows = amortise(Loan(D(100), D(0), 3))
    assert [r.payment for r in rows] == [D("33.33"), D("33.33"), D("33.34")]


def test_last_instalment_may_be_smaller():
    rows = amortise(Loan(D(200), D(0), 3))
    assert [r.payment for r in rows] == [D("66.67"), D("66.67"), D("66.66")]


def test_extra_does_not_overpay(flat):
    rows = amortise(flat, D(150))
    assert len(rows) == 5
    assert rows[-1].payment == 200
    assert rows[-1].balance == 0


def test_one_month():
    (row,) = amortise(Loan(D(500), D(12), 1))
    assert row.payment == D("505.00")
    assert row.interest == 5


def test_by_year(flat):
    assert by_year(amortise(flat)) == [(1, 0, 1200)]


def test_totals(car):
    rows = amortise(car)
    assert total_paid(rows) == 10000 + total_interest(rows)


def test_interest_saved(flat, car):
    assert interest_saved(flat, D(50)) == 0
    assert interest_saved(car, D(100)) > 200


def test_text(flat):
    text = as_text(amortise(flat))
    assert len(text.splitlines()) == 13
    assert "1,100.00" in text
