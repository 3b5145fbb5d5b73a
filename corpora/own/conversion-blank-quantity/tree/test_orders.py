import pytest

from orders import missing, parse_sheet, quantity


@pytest.mark.parametrize(("text", "expected"), [("3", 3), ("1,200", 1200), ("-", 0), ("1,000,000", 1_000_000)])
def test_quantity(text, expected):
    assert quantity(text) == expected


def test_nothing_written():
    assert quantity("") == 0


def test_spaces_between_thousands():
    assert quantity("12 500") == 12500


def test_words_are_refused():
    with pytest.raises(ValueError, match="invalid literal"):
        quantity("many")


def test_sheet():
    assert parse_sheet("# May\ntea; 3\n\ncup; 1,200\ntea; 1\n") == {"tea": 4, "cup": 1200}


def test_sheet_with_gaps():
    assert parse_sheet("tea;\ncup; 2\n") == {"tea": 0, "cup": 2}


def test_missing():
    assert missing({"tea": 4}, {"tea": 6, "cup": 1}) == {"tea": 2, "cup": 1}
