import pytest

from shorten import columns, middle, truncate


@pytest.mark.parametrize(("text", "width"), [("", 3), ("abc", 3), ("abc", 10)])
def test_short_text_stays(text, width):
    assert truncate(text, width) == text


def test_long_text_is_cut():
    assert truncate("a long sentence", 8) == "a long…"


def test_cut_within_a_word():
    assert truncate("abcdefgh", 5) == "abcd…"


def test_other_mark():
    assert truncate("abcdefgh", 5, mark="...") == "ab..."


def test_no_room():
    with pytest.raises(ValueError, match="no room"):
        truncate("abc", 2, mark="...")


@pytest.mark.parametrize(("width", "expected"), [(5, "ab…gh"), (4, "ab…h"), (8, "abcdefgh"), (1, "…")])
def test_middle(width, expected):
    assert middle("abcdefgh", width) == expected


def test_columns():
    assert columns(["ann", "berlin"], [5, 4]) == "ann   ber…"
