from decimal import Decimal

import pytest

from purse import Money
from purse.bill import Bill
from purse.money import total


def split(amount, code, ratios):
    return [str(p.amount) for p in Money(amount, code).allocate(ratios)]


@pytest.mark.parametrize("amount, code, ratios, expected", [
    ("10", "EUR", [1, 1, 1], ["3.34", "3.33", "3.33"]),
    ("20", "EUR", [1, 1, 1], ["6.67", "6.67", "6.66"]),
    ("0.05", "EUR", [1, 1, 1], ["0.02", "0.02", "0.01"]),
    ("0.02", "EUR", [1, 1, 1], ["0.01", "0.01", "0.00"]),
    ("1.00", "EUR", [1, 2], ["0.34", "0.66"]),
    ("1.00", "EUR", [2, 1], ["0.67", "0.33"]),
    ("0.05", "EUR", [3, 7], ["0.02", "0.03"]),
    ("100", "EUR", [1, 1, 1, 1, 1, 1, 1], ["14.29", "14.29", "14.29", "14.29", "14.28", "14.28", "14.28"]),
    ("10", "JPY", [1, 1, 1], ["4", "3", "3"]),
    ("11", "JPY", [1, 1, 1], ["4", "4", "3"]),
    ("1", "KWD", [1, 1, 1], ["0.334", "0.333", "0.333"]),
    ("2", "KWD", [1, 1, 1], ["0.667", "0.667", "0.666"]),
    ("-10", "EUR", [1, 1, 1], ["-3.34", "-3.33", "-3.33"]),
    ("-20", "EUR", [1, 1, 1], ["-6.67", "-6.67", "-6.66"]),
    ("-11", "JPY", [1, 1, 1], ["-4", "-4", "-3"]),
    ("10", "EUR", [0, 1, 1, 1], ["0.00", "3.34", "3.33", "3.33"]),
    ("20", "EUR", [1, 0, 1, 1], ["6.67", "0.00", "6.67", "6.66"]),
    ("7", "EUR", [5], ["7.00"]),
    ("7.01", "EUR", [0, 1], ["0.00", "7.01"]),
])
def test_split(amount, code, ratios, expected):
    assert split(amount, code, ratios) == expected


def test_zero_amount():
    assert all(p == Money(0, "EUR") for p in Money(0, "EUR").allocate([1, 2, 3]))


@pytest.mark.parametrize("cents", range(-13, 14))
def test_always_adds_up(cents):
    money = Money(Decimal(cents) / 100, "EUR")
    for ratios in ([1, 1], [1, 2, 4], [0, 3, 0, 4], [7, 1, 1, 1, 1]):
        parts = money.allocate(ratios)
        assert total(parts, "EUR") == money
        for part, ratio in zip(parts, ratios):
            if ratio == 0:
                assert not part
            assert abs(part.amount - money.amount * ratio / sum(ratios)) <= Decimal("0.01")


def test_ratios_are_not_changed():
    ratios = [0, 2, 1]
    Money(10, "EUR").allocate(ratios)
    assert ratios == [0, 2, 1]
    assert split("10", "EUR", (2, 1)) == ["6.67", "3.33"]


def test_decimal_ratios():
    assert split("10", "EUR", [Decimal("0.5"), Decimal("0.25"), Decimal("0.25")]) == ["5.00", "2.50", "2.50"]
    assert split("0.05", "EUR", [Decimal("0.5"), Decimal("0.5")]) == ["0.03", "0.02"]


def test_money_itself_is_unchanged():
    money = Money(10, "EUR")
    money.allocate([1, 1, 1])
    assert money == Money(10, "EUR")


def test_large_amount():
    parts = Money("1000000000.01", "EUR").allocate([1, 1, 1])
    assert total(parts, "EUR") == Money("1000000000.01", "EUR")


@pytest.mark.parametrize("ratios", [[], [0], [0, 0], [2, -1], [-1]])
def test_bad_ratios(ratios):
    with pytest.raises(ValueError):
        Money(10, "EUR").allocate(ratios)


def test_bill_of_three():
    bill = Bill("EUR")
    bill.add("a", "20.00", ["x", "y", "z"])
    assert [str(m.amount) for m in bill.shares().values()] == ["6.67", "6.67", "6.66"]


def test_bill_with_refund():
    bill = Bill("EUR")
    bill.add("a", "10.00", ["x", "y", "z"])
    bill.add("deposit back", "-10.00", ["x", "y", "z"])
    assert not any(bill.shares().values())


def test_bill_weight_zero():
    bill = Bill("EUR")
    bill.add("wine", "10.00", {"kid": 0, "x": 1, "y": 1, "z": 1})
    shares = bill.shares()
    assert not shares["kid"]
    assert total(shares.values(), "EUR") == bill.total


def test_instalments():
    bill = Bill("JPY")
    bill.add("tv", "50000", ["x"])
    assert [int(m.amount) for m in bill.instalments(7)] == [7143] * 6 + [7142]
