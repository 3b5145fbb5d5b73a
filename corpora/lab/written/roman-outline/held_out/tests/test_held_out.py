import pytest

from numerals import from_roman, to_roman
from numerals.outline import strip_number


def test_all_numbers_upper():
    for n in range(1, 4000):
        assert from_roman(to_roman(n)) == n


def test_all_numbers_lower():
    for n in range(1, 4000, 7):
        assert from_roman(to_roman(n).lower()) == n


@pytest.mark.parametrize("text, value", [("iv", 4), ("Xii", 12), ("mcmXCiv", 1994)])
def test_mixed_case(text, value):
    assert from_roman(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "IIII", "XXXX", "CCCC", "MMMM", "VIIII", "XXXXI",
        "VV", "LL", "DD", "VIV", "LXL", "DCD",
        "VX", "LC", "DM", "IL", "IC", "ID", "IM", "XD", "XM", "VL",
        "IIV", "IIX", "XXC", "CCM", "IVI", "IXI", "XCX", "CMC", "IXV", "IXIX", "CMCM", "IVIV",
        "MMMMCMXCIX",
    ],
)
def test_unusual_forms(text):
    with pytest.raises(ValueError):
        from_roman(text)
    with pytest.raises(ValueError):
        from_roman(text.lower())


@pytest.mark.parametrize("text", ["", " ", "A", "XIIZ", "12", "X I", "N"])
def test_not_numerals(text):
    with pytest.raises(ValueError):
        from_roman(text)


def test_repeats_that_are_fine():
    assert from_roman("III") == 3
    assert from_roman("XXXIX") == 39
    assert from_roman("CCCXC") == 390
    assert from_roman("MMM") == 3000
    assert from_roman("XXXVIII") == 38


def test_strip_number():
    assert strip_number("IIII. odd") == "IIII. odd"
    assert strip_number("vx. odd") == "vx. odd"
    assert strip_number("ix. fine") == "fine"
