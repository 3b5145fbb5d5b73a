from decimal import Decimal

import pytest

from convert import convert, total
from money import Money
from rates import NoRate, Rates

RATES = Rates("EUR", {"USD": "1.10", "JPY": "160", "KWD": "0.335"})
YEN = Rates("JPY", {"USD": "0.00625", "EUR": "0.005", "CHF": "0.004"})


@pytest.mark.parametrize("rates, amount, source, target, want", [
    (RATES, "1", "USD", "JPY", "145"),
    (RATES, "2", "USD", "JPY", "291"),
    (RATES, "3", "USD", "JPY", "436"),
    (RATES, "100", "JPY", "USD", "0.69"),
    (RATES, "1", "JPY", "USD", "0.01"),
    (RATES, "1", "JPY", "KWD", "0.002"),
    (RATES, "10", "JPY", "KWD", "0.021"),
    (RATES, "0.001", "KWD", "JPY", "0"),
    (RATES, "0.01", "KWD", "JPY", "5"),
    (RATES, "1", "KWD", "USD", "3.28"),
    (RATES, "-10", "JPY", "KWD", "-0.021"),
    (RATES, "1000000", "JPY", "USD", "6875.00"),
    (RATES, "12.34", "EUR", "USD", "13.57"),
    (RATES, "0.05", "EUR", "USD", "0.06"),
    (RATES, "1", "EUR", "KWD", "0.335"),
    (RATES, "8", "JPY", "EUR", "0.05"),
    (RATES, "1", "USD", "EUR", "0.91"),
    (YEN, "1", "USD", "EUR", "0.80"),
    (YEN, "0.01", "USD", "EUR", "0.01"),
    (YEN, "0.99", "USD", "EUR", "0.79"),
    (YEN, "1.11", "EUR", "CHF", "0.89"),
    (YEN, "0.01", "EUR", "JPY", "2"),
    (YEN, "3", "JPY", "EUR", "0.02"),
    (YEN, "1", "JPY", "EUR", "0.01"),
    (RATES, "0.15", "EUR", "USD", "0.17"),
    (Rates("EUR", {"USD": "3", "JPY": "30000"}), "1", "USD", "JPY", "10000"),
])
def test_convert(rates, amount, source, target, want):
    got = convert(Money.of(amount, source), target, rates)
    assert got == Money.of(want, target)
    assert str(got.amount) == str(Money.of(want, target).amount)


def test_same_currency():
    money = Money(Decimal("1.234"), "EUR")
    assert convert(money, "EUR", RATES) == money


@pytest.mark.parametrize("source, target", [("CHF", "EUR"), ("EUR", "CHF"), ("CHF", "USD"), ("USD", "CHF")])
def test_no_rate(source, target):
    with pytest.raises(NoRate):
        convert(Money.of(1, source), target, RATES)


def test_total():
    assert total([Money.of("10", "JPY")] * 3, "KWD", RATES) == Money.of("0.063", "KWD")
