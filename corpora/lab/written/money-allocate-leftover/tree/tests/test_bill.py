import pytest

from purse import Money
from purse.bill import Bill


def test_shares():
    bill = Bill("EUR")
    bill.add("pizza", "12.00", ["ann", "bob"])
    bill.add("wine", "9.00", {"ann": 2, "carl": 1})
    assert bill.shares() == {
        "ann": Money(12, "EUR"), "bob": Money(6, "EUR"), "carl": Money(3, "EUR"),
    }


def test_shares_add_up():
    bill = Bill("EUR")
    bill.add("cake", "20.05", ["ann", "bob"])
    shares = bill.shares()
    assert shares["ann"] + shares["bob"] == bill.total


def test_instalments():
    bill = Bill("USD")
    bill.add("bike", "600", ["ann"])
    assert bill.instalments(12) == [Money(50, "USD")] * 12
    with pytest.raises(ValueError):
        bill.instalments(0)


def test_somebody_pays():
    with pytest.raises(ValueError):
        Bill("EUR").add("air", "1", [])
