import pytest

from bank import Account, OverdraftError


@pytest.mark.parametrize("amount", [1, 5, 10])
def test_transfers(amount):
    a, b = Account("a", 10), Account("b")
    a.transfer(b, amount)
    assert (a.balance, b.balance) == (10 - amount, amount)


def test_negative_amounts():
    a, b = Account("a", 10), Account("b", 10)
    with pytest.raises(ValueError, match="nothing"):
        a.transfer(b, -5)
    assert (a.balance, b.balance, a.history, b.history) == (10, 10, [], [])


def test_far_too_much():
    a, b = Account("a", 10), Account("b", 3)
    with pytest.raises(OverdraftError, match="a has only 10"):
        a.transfer(b, 1000)
    assert (b.balance, b.history) == (3, [])
