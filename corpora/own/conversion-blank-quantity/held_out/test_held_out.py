import pytest

from orders import parse_sheet, quantity


@pytest.mark.parametrize(("text", "expected"), [
    (" ", 0), (" - ", 0), ("1 000 000", 1_000_000), ("1, 000", 1000), ("0", 0), ("-5", -5), ("- 5", -5),
])
def test_quantity(text, expected):
    assert quantity(text) == expected


@pytest.mark.parametrize("text", ["one", "1.5", "--"])
def test_refused(text):
    with pytest.raises(ValueError):
        quantity(text)


def test_sheet():
    assert parse_sheet("tea\ncup; 1 000") == {"tea": 0, "cup": 1000}
