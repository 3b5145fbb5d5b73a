from datetime import date

import pytest

from ledger import Bank, InsufficientFunds, LimitExceeded, TransferError, UnknownAccount

DAY = date(2024, 3, 1)


@pytest.fixture
def bank():
    bank = Bank()
    bank.open("A", "Ann", balance=100_00)
    bank.open("B", "Bob", balance=50_00, overdraft=20_00)
    bank.open("C", "Cid", balance=500_00, daily_limit=100_00)
    return bank


def test_transfer_moves_money(bank):
    bank.transfer("A", "B", 30_00, DAY)
    assert bank.get("A").balance == 70_00
    assert bank.get("B").balance == 80_00


def test_total_is_kept(bank):
    before = bank.total()
    bank.transfer("A", "C", 12_34, DAY)
    assert bank.total() == before


def test_overdraft(bank):
    bank.transfer("B", "A", 70_00, DAY)
    assert bank.get("B").balance == -20_00
    with pytest.raises(InsufficientFunds):
        bank.transfer("B", "A", 1, DAY)


def test_unknown_account(bank):
    with pytest.raises(UnknownAccount):
        bank.transfer("A", "Z", 1, DAY)


def test_same_account(bank):
    with pytest.raises(TransferError):
        bank.transfer("A", "A", 1, DAY)


@pytest.mark.parametrize("amount", [0, -5])
def test_bad_amount(bank, amount):
    with pytest.raises(ValueError):
        bank.transfer("A", "B", amount, DAY)


def test_fee():
    bank = Bank(fee=50)
    bank.open("A", "Ann", balance=10_00)
    bank.open("B", "Bob")
    bank.transfer("A", "B", 9_50, DAY)
    assert bank.get("A").balance == 0
    assert bank.get("B").balance == 9_50


def test_limit(bank):
    bank.transfer("C", "A", 60_00, DAY)
    bank.transfer("C", "A", 40_00, DAY)
    with pytest.raises(LimitExceeded):
        bank.transfer("C", "A", 1, DAY)


def test_limit_is_per_day(bank):
    bank.transfer("C", "A", 100_00, DAY)
    bank.transfer("C", "A", 100_00, date(2024, 3, 2))
    assert bank.get("C").balance == 300_00


def test_incoming_does_not_raise_the_limit(bank):
    bank.transfer("A", "C", 50_00, DAY)
    with pytest.raises(LimitExceeded):
        bank.transfer("C", "B", 120_00, DAY)


def test_statement(bank):
    bank.deposit("A", 5_00, DAY)
    bank.withdraw("A", 2_50, DAY)
    assert bank.get("A").statement(DAY) == [
        "2024-03-01 deposit          5.00",
        "2024-03-01 cash            -2.50",
    ]
