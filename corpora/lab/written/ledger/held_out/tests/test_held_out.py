import pytest

from bank.errors import AccountFrozen, BankError, InsufficientFunds, UnknownAccount
from bank.ledger import Entry, Ledger


def make(a=1000, b=0, over_a=0):
    bank = Ledger()
    bank.open("A", "ann", over_a)
    bank.open("B", "bob")
    for number, cents in (("A", a), ("B", b)):
        if cents:
            bank.deposit(number, cents)
    return bank


def state(bank):
    return bank.balance("A"), bank.balance("B"), bank.fees_collected, list(bank.journal), bank.total()


@pytest.mark.parametrize("fee", [0, 30])
@pytest.mark.parametrize("error, source, target, cents, frozen", [
    (UnknownAccount, "A", "X", 10, ""),
    (UnknownAccount, "X", "B", 10, ""),
    (AccountFrozen, "A", "B", 10, "B"),
    (AccountFrozen, "A", "B", 10, "A"),
    (AccountFrozen, "A", "B", 10, "AB"),
    (InsufficientFunds, "A", "B", 1001, ""),
    (BankError, "A", "A", 10, ""),
    (BankError, "A", "B", 0, ""),
    (BankError, "A", "B", -1, ""),
])
def test_nothing_changes_on_an_error(error, source, target, cents, frozen, fee):
    bank = make()
    for number in frozen:
        bank.account(number).frozen = True
    before = state(bank)
    with pytest.raises(error):
        bank.transfer(source, target, cents, fee)
    assert state(bank) == before


def test_into_overdraft():
    bank = make(a=100, over_a=500)
    bank.transfer("A", "B", 590, fee=10)
    assert (bank.balance("A"), bank.balance("B"), bank.fees_collected) == (-500, 590, 10)
    before = state(bank)
    with pytest.raises(InsufficientFunds):
        bank.transfer("A", "B", 1)
    assert state(bank) == before


def test_error_from_an_account_in_the_red():
    bank = make(a=0, over_a=100)
    bank.withdraw("A", 50)
    before = state(bank)
    with pytest.raises(UnknownAccount):
        bank.transfer("A", "X", 20, fee=5)
    assert state(bank) == before


def test_fees_of_earlier_transfers_stay():
    bank = make()
    bank.transfer("A", "B", 100, fee=7)
    before = state(bank)
    bank.account("B").frozen = True
    with pytest.raises(AccountFrozen):
        bank.transfer("A", "B", 100, fee=9)
    assert state(bank) == before
    bank.account("B").frozen = False
    bank.transfer("A", "B", 100, fee=9)
    assert bank.fees_collected == 16
    assert bank.balance("A") == 1000 - 200 - 16


def test_journal():
    bank = make()
    bank.transfer("A", "B", 100, fee=7)
    bank.transfer("B", "A", 40)
    assert bank.journal[1:] == [Entry("transfer", 100, "A", "B"), Entry("transfer", 40, "B", "A")]
    assert bank.total() == 1000


def test_full_target_and_back():
    bank = make(a=10, b=5)
    bank.transfer("A", "B", 10)
    bank.transfer("B", "A", 15)
    assert (bank.balance("A"), bank.balance("B")) == (15, 0)
