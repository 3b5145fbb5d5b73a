from datetime import date

import pytest

from ledger import Account, Bank, LimitExceeded

DAY = date(2024, 3, 1)
NEXT = date(2024, 3, 2)


def acc(*entries):
    account = Account("X", "Xena")
    for day, amount, kind in entries:
        account.record(day, amount, kind, "Y")
    return account


def test_nothing():
    assert acc().sent_on(DAY) == 0


def test_one_outgoing():
    assert acc((DAY, -500, "transfer")).sent_on(DAY) == 500


def test_two_outgoing():
    assert acc((DAY, -500, "transfer"), (DAY, -1, "transfer")).sent_on(DAY) == 501


def test_only_incoming():
    assert acc((DAY, 500, "transfer")).sent_on(DAY) == 0


def test_out_then_in():
    assert acc((DAY, -500, "transfer"), (DAY, 200, "transfer")).sent_on(DAY) == 500


def test_in_then_out():
    assert acc((DAY, 200, "transfer"), (DAY, -500, "transfer")).sent_on(DAY) == 500


def test_more_in_than_out():
    assert acc((DAY, 900, "transfer"), (DAY, -500, "transfer")).sent_on(DAY) == 500


def test_interleaved():
    account = acc((DAY, -100, "transfer"), (DAY, 50, "transfer"), (DAY, -30, "transfer"), (DAY, 7, "transfer"))
    assert account.sent_on(DAY) == 130


def test_deposit_does_not_count():
    assert acc((DAY, 500, "deposit"), (DAY, -30, "transfer")).sent_on(DAY) == 30


def test_cash_does_not_count():
    assert acc((DAY, -500, "cash"), (DAY, -30, "transfer")).sent_on(DAY) == 30


def test_fee_does_not_count():
    assert acc((DAY, -30, "transfer"), (DAY, -5, "fee")).sent_on(DAY) == 30


def test_only_fee_and_cash():
    assert acc((DAY, -30, "cash"), (DAY, -5, "fee")).sent_on(DAY) == 0


def test_other_day():
    assert acc((NEXT, -30, "transfer"), (DAY, -5, "transfer")).sent_on(NEXT) == 30


def test_incoming_of_other_day():
    assert acc((NEXT, 30, "transfer"), (DAY, -5, "transfer")).sent_on(DAY) == 5


def test_history_is_kept():
    account = acc((DAY, 30, "transfer"), (DAY, -5, "transfer"))
    account.sent_on(DAY)
    assert [e.amount for e in account.history] == [30, -5]
    assert account.sent_on(DAY) == 5


def test_bank_limit_with_fee():
    bank = Bank(fee=10)
    bank.open("C", "Cid", balance=1000, daily_limit=200)
    bank.open("A", "Ann", balance=1000)
    bank.transfer("A", "C", 300, DAY)
    bank.transfer("C", "A", 150, DAY)
    bank.transfer("C", "A", 50, DAY)
    with pytest.raises(LimitExceeded):
        bank.transfer("C", "A", 1, DAY)


def test_bank_small_incoming():
    bank = Bank()
    bank.open("C", "Cid", balance=1000, daily_limit=200)
    bank.open("A", "Ann", balance=1000)
    bank.transfer("C", "A", 150, DAY)
    bank.transfer("A", "C", 20, DAY)
    with pytest.raises(LimitExceeded):
        bank.transfer("C", "A", 60, DAY)
    bank.transfer("C", "A", 50, DAY)
