import pytest

from exprcalc import calc
from exprcalc.lexer import ExprError
from exprcalc.parser import Parser


@pytest.mark.parametrize("text, want", [
    ("5", 5),
    ("2 ^ 2", 4),
    ("2 ^ 3 ^ 2", 512),
    ("2 ^ 2 ^ 1 ^ 5", 4),
    ("2 ^ 1 ^ 2 ^ 3 ^ 2", 2),
    ("3 ^ 2 ^ 2 ^ 1", 81),
    ("2 ^ -2", 0.25),
    ("2 ^ --2", 4),
    ("2 ^ +3", 8),
    ("2 ^ +-1", 0.5),
    ("2 ^ -2 ^ 2", 0.0625),
    ("-2 ^ -2", -0.25),
    ("2 ^ 3 * 2", 16),
    ("2 ^ 3 + 1", 9),
    ("2 ^ -1 * 8", 4),
    ("2 ^ -1 + 1", 1.5),
    ("2 * 3 ^ 2 * 2", 36),
    ("2 ^ (1 + 2) ^ 1", 8),
    ("max(2 ^ 2 ^ 3, 1)", 256),
    ("2 ^ 3 ^ -1 ^ 2", 2 ** (3 ** -1)),
])
def test_values(text, want):
    assert calc(text) == pytest.approx(want)


def test_tree_of_a_chain():
    a, b, c, d = (("var", n) for n in "abcd")
    assert Parser("a ^ b ^ c ^ d").parse() == ("bin", "^", a, ("bin", "^", b, ("bin", "^", c, d)))


def test_tree_of_a_negative_exponent():
    assert Parser("a ^ -b ^ c").parse() == (
        "bin", "^", ("var", "a"), ("neg", ("bin", "^", ("var", "b"), ("var", "c"))))


@pytest.mark.parametrize("text", ["^ 2", "2 ^", "2 ^ ^ 3", "2 ^ * 3", "2 ^ -", "2 ^ 3 ^"])
def test_errors(text):
    with pytest.raises(ExprError):
        calc(text)
