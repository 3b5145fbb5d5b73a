from decimal import Decimal

import pytest

from convert import convert, split, total, with_percent
from money import Money
from rates import NoRate, Rates

RATES = Rates("EUR", {"USD": "1.10", "JPY": "160", "KWD": "0.335"})


def test_rounds_half_up():
    assert Money.of("1.005", "EUR").amount == Decimal("1.01")
    assert Money.of("2.5", "JPY").amount == 3


def test_unknown():
    with pytest.raises(ValueError):
        Money.of(1, "XXX")


def test_str():
    assert str(Money.of("1234.5", "EUR")) == "1,234.50 EUR"


def test_add_different():
    with pytest.raises(ValueError):
        Money.of(1, "EUR") + Money.of(1, "USD")


def test_from_base():
    assert convert(Money.of("10", "EUR"), "USD", RATES) == Money.of("11", "USD")


def test_to_base():
    assert convert(Money.of("11", "USD"), "EUR", RATES) == Money.of("10", "EUR")


def test_same_currency_needs_no_rate():
    assert convert(Money.of("5", "CHF"), "CHF", RATES) == Money.of("5", "CHF")


def test_over_the_base_rounds_once():
    # 10 JPY is 0.0625 EUR
    assert convert(Money.of("10", "JPY"), "KWD", RATES) == Money.of("0.021", "KWD")


def test_no_rate():
    with pytest.raises(NoRate):
        convert(Money.of("1", "EUR"), "CHF", RATES)


def test_total():
    moneys = [Money.of("11", "USD"), Money.of("1", "EUR"), Money.of("160", "JPY")]
    assert total(moneys, "EUR", RATES) == Money.of("12", "EUR")


def test_split():
    assert [str(m.amount) for m in split(Money.of("1", "EUR"), 3)] == ["0.34", "0.33", "0.33"]


def test_with_percent():
    assert with_percent(Money.of("9.99", "EUR"), 19) == Money.of("11.89", "EUR")
