import pytest

from numerals import from_roman, number_lines, to_roman
from numerals.letters import ordinal, to_letters
from numerals.outline import strip_number


@pytest.mark.parametrize("number, text", [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (1994, "MCMXCIV"), (3999, "MMMCMXCIX")])
def test_both_ways(number, text):
    assert to_roman(number) == text
    assert from_roman(text) == number


def test_out_of_range():
    with pytest.raises(ValueError):
        to_roman(0)
    with pytest.raises(ValueError):
        to_roman(4000)


def test_foreign_letters():
    with pytest.raises(ValueError):
        from_roman("ABC")


def test_four_in_a_row():
    with pytest.raises(ValueError):
        from_roman("IIII")


def test_letters():
    assert [to_letters(n) for n in (1, 26, 27, 52, 53)] == ["a", "z", "aa", "az", "ba"]


def test_ordinal():
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 21, 112)] == ["1st", "2nd", "3rd", "4th", "11th", "21st", "112th"]


def test_number_lines():
    assert number_lines(["one", "  a", "  b", "    x", "two", "  c"]) == [
        "I. one",
        "  1. a",
        "  2. b",
        "    a) x",
        "II. two",
        "  1. c",
    ]


def test_strip_number():
    assert strip_number("IV. The end") == "The end"
    assert strip_number("3. Three") == "Three"
    assert strip_number("Well. Yes") == "Well. Yes"
