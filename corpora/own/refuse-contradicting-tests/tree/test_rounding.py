import pytest

from rounding import cents, total


@pytest.mark.parametrize(("amount", "expected"), [("1", 100), ("0.994", 99), ("0.995", 100), ("0.125", 12), ("-2.5", -250)])
def test_halves_go_to_the_even_cent(amount, expected):
    assert cents(amount) == expected


def test_total():
    assert total(["0.10", "0.20"]) == 30


def test_an_eighth():
    assert cents("0.125") == 13
