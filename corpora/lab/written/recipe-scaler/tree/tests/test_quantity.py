from fractions import Fraction

import pytest

from recipes.quantity import QuantityError, format_quantity, parse_quantity


def test_whole_number():
    assert parse_quantity("2") == 2


def test_decimals():
    assert parse_quantity("0.5") == Fraction(1, 2)
    assert parse_quantity("2,25") == Fraction(9, 4)


def test_fraction_and_mixed_number():
    assert parse_quantity("3/4") == Fraction(3, 4)
    assert parse_quantity("1 1/2") == Fraction(3, 2)


def test_single_glyph():
    assert parse_quantity("¾") == Fraction(3, 4)


def test_glyph_right_behind_the_number():
    assert parse_quantity("1½") == Fraction(3, 2)


def test_range_takes_the_larger_end():
    assert parse_quantity("2-3") == 3


@pytest.mark.parametrize("text", ["", "some", "1/0"])
def test_nonsense_is_refused(text):
    with pytest.raises(QuantityError):
        parse_quantity(text)


def test_format():
    assert format_quantity(Fraction(3, 2)) == "1 1/2"
    assert format_quantity(Fraction(1, 4)) == "1/4"
    assert format_quantity(4) == "4"
