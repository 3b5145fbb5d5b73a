import pytest

from roman import from_roman, to_roman


@pytest.mark.parametrize(("number", "text"), [(1, "I"), (3, "III"), (8, "VIII"), (62, "LXII"), (2023, "MMXXIII")])
def test_sums(number, text):
    assert to_roman(number) == text


@pytest.mark.parametrize(("number", "text"), [(4, "IV"), (49, "XLIX"), (1994, "MCMXCIV")])
def test_pairs(number, text):
    assert to_roman(number) == text


@pytest.mark.parametrize("number", [0, -1, 4000])
def test_no_numeral(number):
    with pytest.raises(ValueError, match="has no numeral"):
        to_roman(number)


def test_back():
    assert from_roman("mmxxiii") == 2023


def test_back_with_pairs():
    assert from_roman("XIV") == 14


@pytest.mark.parametrize("text", ["", "ABC", "IIX"])
def test_refused(text):
    with pytest.raises(ValueError):
        from_roman(text)
