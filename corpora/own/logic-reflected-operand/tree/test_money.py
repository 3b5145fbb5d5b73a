import pytest

from money import Money


def test_sums():
    assert Money(2) + Money(3) == Money(5)
    assert sum([Money(1), Money("0.5")]) == Money("1.5")


def test_differences():
    assert Money(5) - Money(3) == Money(2)
    assert Money(5) - 3 == Money(2)


def test_from_a_number():
    assert 10 - Money(4) == Money(6)


def test_from_a_smaller_number():
    assert repr(1 - Money("2.25", "USD")) == "Money(-1.25 USD)"


def test_currencies_do_not_mix():
    with pytest.raises(TypeError):
        Money(1, "EUR") + Money(1, "USD")
    with pytest.raises(TypeError):
        Money(1, "EUR") - "1"


def test_products():
    assert Money("0.10") * 3 == Money("0.30")


def test_equal_amounts():
    assert Money(4) == 4
    assert Money(1, "EUR") != Money(1, "USD")
    assert len({Money(1), Money("1.0")}) == 1
