import pytest
from calc.tokens import TokenError, number_at, tokens
from calc.value import value


def test_number_at():
    assert number_at("a12.5.6", 1) == "12.5"


def test_tokens():
    assert tokens("1+2*(3-4)") == [1.0, "+", 2.0, "*", "(", 3.0, "-", 4.0, ")"]


def test_other_characters():
    with pytest.raises(TokenError, match="'x' at 1"):
        tokens("2x")


def test_values():
    assert value("1+2*3-4/2") == 5.0
    assert value("") == 0.0


def test_blanks():
    assert tokens(" 1 + 2") == [1.0, "+", 2.0]
