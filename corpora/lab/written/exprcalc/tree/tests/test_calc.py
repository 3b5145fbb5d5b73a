import pytest

from exprcalc import calc
from exprcalc.lexer import ExprError
from exprcalc.parser import Parser


@pytest.mark.parametrize("text, want", [
    ("1", 1),
    ("1 + 2 * 3", 7),
    ("(1 + 2) * 3", 9),
    ("10 - 4 - 3", 3),
    ("100 / 10 / 5", 2),
    ("7 % 4 * 2", 6),
    ("-3 + 5", 2),
    ("2 - -3", 5),
    ("--4", 4),
])
def test_arithmetic(text, want):
    assert calc(text) == want


def test_power():
    assert calc("2 ^ 10") == 1024
    assert calc("3 * 2 ^ 2") == 12


def test_power_binds_tighter_than_minus():
    assert calc("-2 ^ 2") == -4
    assert calc("(-2) ^ 2") == 4


def test_power_groups_to_the_right():
    assert calc("2 ^ 3 ^ 2") == 512
    assert calc("(2 ^ 3) ^ 2") == 64


def test_negative_exponent():
    assert calc("2 ^ -1") == 0.5


def test_power_tree():
    assert Parser("a ^ b").parse() == ("bin", "^", ("var", "a"), ("var", "b"))


def test_variables():
    assert calc("a * b + c", a=2, b=3, c=4) == 10
    with pytest.raises(ExprError):
        calc("nope + 1")


def test_functions():
    assert calc("max(1, 2 + 3, 4)") == 5
    assert calc("sqrt(16) + abs(-2)") == 6
    with pytest.raises(ExprError, match="unknown function"):
        calc("sin(1)")


def test_division_by_zero():
    with pytest.raises(ExprError, match="division by zero"):
        calc("1 / (2 - 2)")


@pytest.mark.parametrize("text", ["", "1 +", "(1", "1 2", "* 3", "2 ^", "1 $ 2", "max(1,)"])
def test_bad_input(text):
    with pytest.raises(ExprError):
        calc(text)
