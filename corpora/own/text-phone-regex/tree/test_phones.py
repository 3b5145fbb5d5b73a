import pytest

from phones import normal, same


@pytest.mark.parametrize(("text", "expected"), [
    ("030 1234567", "+49301234567"), ("+43 1 58858", "+43158858"), ("0043 (1) 588-58", "+43158858"),
])
def test_normal(text, expected):
    assert normal(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("030/123 45.67", "+49301234567"), ("0171.555.44", "+4917155544")])
def test_other_separators(text, expected):
    assert normal(text) == expected


def test_optional_nought():
    assert normal("+49 (0) 30 1234") == "+49301234"


@pytest.mark.parametrize("text", ["", "call me", "+49 x"])
def test_refused(text):
    with pytest.raises(ValueError, match="no telephone number"):
        normal(text)


def test_too_short():
    with pytest.raises(ValueError, match="too short"):
        normal("110")


def test_same():
    assert same("030 1234567", "+49-30-1234567")
    assert not same("030 1234567", "+43-30-1234567")
