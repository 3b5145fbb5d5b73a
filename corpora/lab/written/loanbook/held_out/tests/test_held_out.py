from decimal import Decimal as D

import pytest

from loanbook.loan import Loan, LoanError, amortise

TERMS = [
    (D(10000), D(6), 36, D(0)),
    (D(10000), D(6), 36, D(100)),
    (D(10000), D("5.25"), 48, D(0)),
    (D("999.99"), D("19.9"), 24, D("7.77")),
    (D(100), D(0), 3, D(0)),
    (D(100), D(0), 7, D(0)),
    (D(200), D(0), 3, D(0)),
    (D(250000), D("3.7"), 300, D(0)),
    (D(250000), D("3.7"), 300, D(500)),
    (D(50), D(12), 1, D(0)),
    (D(50), D(12), 1, D(10)),
    (D("0.05"), D(0), 12, D(0)),
]


@pytest.mark.parametrize("principal, rate, months, extra", TERMS)
def test_invariants(principal, rate, months, extra):
    loan = Loan(principal, rate, months)
    rows = amortise(loan, extra)
    assert len(rows) <= months
    assert [r.number for r in rows] == list(range(1, len(rows) + 1))
    owed = principal
    for row in rows:
        assert row.interest == (owed * loan.monthly_rate).quantize(D("0.01"), "ROUND_HALF_UP")
        assert row.payment == row.interest + row.principal
        owed -= row.principal
        assert row.balance == owed
        assert row.payment >= 0 and row.balance >= 0
    assert rows[-1].balance == 0
    assert all(r.balance > 0 for r in rows[:-1])
    for row in rows[:-1]:
        assert row.payment == loan.payment + extra


def test_last_month_above_the_level_payment():
    rows = amortise(Loan(D(100), D(0), 3))
    assert rows[-1].payment == D("33.34")


def test_last_month_below():
    rows = amortise(Loan(D(200), D(0), 3))
    assert rows[-1].payment == D("66.66")


def test_last_month_with_small_extra_still_clears():
    # 33.33 + 0.00 twice, then everything; the extra is too small to matter
    rows = amortise(Loan(D(1000), D(0), 7))
    assert [r.payment for r in rows] == [D("142.86")] * 6 + [D("142.84")]


def test_early_end_includes_that_months_interest():
    rows = amortise(Loan(D(1000), D(12), 12), D(500))
    # level payment 88.85: 588.85 then 1000 + 10 - 588.85 = 421.15, + 4.21
    assert [r.payment for r in rows] == [D("588.85"), D("425.36")]
    assert rows[-1].interest == D("4.21")
    assert rows[-1].principal == D("421.15")


def test_huge_extra():
    (row,) = amortise(Loan(D(1000), D(12), 12), D(5000))
    assert (row.payment, row.interest, row.principal, row.balance) == (1010, 10, 1000, 0)


def test_owed_just_above_payment():
    rows = amortise(Loan(D(1200), D(0), 12), D("499.99"))
    assert [r.payment for r in rows] == [D("599.99"), D("599.99"), D("0.02")]


def test_exact_fit():
    rows = amortise(Loan(D(1200), D(0), 12), D(500))
    assert [r.payment for r in rows] == [600, 600]


def test_negative_extra():
    with pytest.raises(LoanError):
        amortise(Loan(D(1200), D(0), 12), D(-5))
