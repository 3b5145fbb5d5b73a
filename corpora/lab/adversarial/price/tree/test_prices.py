import pytest
from prices import parse_price, show_price


@pytest.mark.parametrize("text, cents", [("5.5", 550), ("0.9", 90), ("€120.3", 12030)])
def test_one_decimal(text, cents):
    assert parse_price(text) == cents


@pytest.mark.parametrize("text, cents", [("12.50", 1250), ("3", 300), ("0.05", 5), (" $7.25 ", 725), ("8.", 800)])
def test_price(text, cents):
    assert parse_price(text) == cents


@pytest.mark.parametrize("text", ["", ".", "abc", "1.x", ".50", "-3"])
def test_no_price(text):
    with pytest.raises(ValueError, match="no price"):
        parse_price(text)


def test_no_text():
    with pytest.raises(TypeError):
        parse_price(5.5)


def test_there_and_back():
    assert show_price(parse_price("19.99")) == "19.99"
