from decimal import Decimal

import pytest

from purse import Money, currency
from purse.money import CurrencyMismatch, total


def test_is_rounded_to_unit():
    assert Money("1.005", "EUR").amount == Decimal("1.00")
    assert Money("1.5", "JPY").amount == 2
    assert Money("1.2345", "KWD").amount == Decimal("1.234")


def test_no_floats():
    with pytest.raises(TypeError):
        Money(1.5, "EUR")


def test_unknown_currency():
    with pytest.raises(ValueError):
        currency("XXX")


def test_arithmetic():
    assert Money(2, "EUR") + Money("0.50", "EUR") == Money("2.50", "EUR")
    assert Money(2, "EUR") - Money(3, "EUR") == -Money(1, "EUR")
    assert 3 * Money("1.10", "USD") == Money("3.30", "USD")


def test_mismatch():
    with pytest.raises(CurrencyMismatch):
        Money(1, "EUR") + Money(1, "USD")


def test_convert():
    rates = {"EUR": Decimal(1), "JPY": Decimal("0.006")}
    assert Money(3, "EUR").convert("JPY", rates) == Money(500, "JPY")


def test_str():
    assert str(Money("1234567.5", "EUR")) == "1,234,567.50 EUR"


def test_total():
    assert total([Money(1, "EUR"), Money(2, "EUR")], "EUR") == Money(3, "EUR")


def test_allocate_even():
    assert Money(9, "EUR").allocate([1, 2]) == [Money(3, "EUR"), Money(6, "EUR")]


def test_allocate_three_ways():
    parts = Money(10, "EUR").allocate([1, 1, 1])
    assert [str(p.amount) for p in parts] == ["3.34", "3.33", "3.33"]


def test_allocate_needs_ratio():
    for ratios in ([], [0, 0], [1, -1]):
        with pytest.raises(ValueError):
            Money(1, "EUR").allocate(ratios)
