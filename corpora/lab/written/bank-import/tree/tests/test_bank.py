from datetime import date
from decimal import Decimal

import pytest

from bank.amounts import parse_amount
from bank.ledger import Ledger, new_transactions
from bank.statement import StatementError, Transaction, read_statement

JANUARY = """Date,Description,Amount
2024-01-30,Rent,-800.00
31.01.2024,Salary,"2,000.00"
,Balance,
"""

FEBRUARY = """Date,Description,Amount
2024-01-31,SALARY,2000.00
2024-02-01,Coffee,-3.20
2024-02-02,Books,(45.00)
"""


@pytest.mark.parametrize(
    "text, value",
    [("12.50", "12.50"), ("1,234.50", "1234.50"), ("-3", "-3"), ("3.00-", "-3.00"), ("(7.10)", "-7.10")],
)
def test_parse_amount(text, value):
    assert parse_amount(text) == Decimal(value)


def test_parse_amount_rejects_words():
    with pytest.raises(ValueError):
        parse_amount("ten")


def test_read_statement():
    assert read_statement(JANUARY) == [
        Transaction(date(2024, 1, 30), "Rent", Decimal("-800")),
        Transaction(date(2024, 1, 31), "Salary", Decimal("2000")),
    ]


def test_missing_column():
    with pytest.raises(StatementError, match="Amount"):
        read_statement("Date,Description\n")


def test_bad_date():
    with pytest.raises(StatementError):
        read_statement("Date,Description,Amount\nyesterday,x,1\n")


def test_import_counts():
    ledger = Ledger()
    assert ledger.import_text(JANUARY) == 2
    assert ledger.balance() == Decimal("1200")


def test_overlapping_statements():
    ledger = Ledger()
    ledger.import_text(JANUARY)
    assert ledger.import_text(FEBRUARY) == 2
    assert len(ledger.transactions) == 4


def test_same_statement_again():
    ledger = Ledger()
    ledger.import_text(FEBRUARY)
    assert ledger.import_text(FEBRUARY) == 0


def test_order_is_kept():
    one = Transaction(date(2024, 1, 2), "b", Decimal(1))
    two = Transaction(date(2024, 1, 1), "a", Decimal(1))
    assert new_transactions([], [one, two]) == [one, two]


def test_two_coffees():
    ledger = Ledger()
    assert ledger.import_text("Date,Description,Amount\n2024-02-01,Coffee,-3.20\n2024-02-01,Coffee,-3.20\n") == 2
    assert ledger.balance() == Decimal("-6.40")


def test_balance_until():
    ledger = Ledger()
    ledger.import_text(JANUARY)
    assert ledger.balance(date(2024, 1, 30)) == Decimal("-800")


def test_by_month():
    ledger = Ledger()
    ledger.import_text(JANUARY)
    ledger.import_text(FEBRUARY)
    assert ledger.by_month() == {"2024-01": Decimal("1200"), "2024-02": Decimal("-48.20")}


def test_payees():
    ledger = Ledger()
    ledger.import_text(JANUARY)
    ledger.import_text("Date,Description,Amount\n2024-02-28,Rent,-800.00\n")
    assert ledger.payees(1) == [("Rent", 2)]
