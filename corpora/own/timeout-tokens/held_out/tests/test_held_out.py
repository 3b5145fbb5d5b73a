import pytest
from calc.tokens import TokenError, tokens
from calc.value import value


@pytest.mark.parametrize(("text", "expected"), [("  ", []), ("1 ", [1.0]), ("\t2\n", [2.0]), ("1  .5", [1.0, 0.5])])
def test_blanks(text, expected):
    assert tokens(text) == expected


def test_value():
    assert value(" 2 * 3 + 4 ") == 10.0
    with pytest.raises(TokenError, match="at 2"):
        tokens("1 y")
