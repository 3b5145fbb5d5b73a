import pytest

from calc import CalcError, Calculator, evaluate, tokenize


def test_tokens():
    assert tokenize("1 + 2.5") == [("num", 1.0), ("op", "+"), ("num", 2.5)]
    assert tokenize("") == []


def test_tokens_of_call():
    kinds = [kind for kind, _ in tokenize("max(a, 2)")]
    assert kinds == ["name", "lparen", "name", "comma", "num", "rparen"]


def test_leading_minus():
    assert tokenize("-3") == [("neg", "-"), ("num", 3.0)]


def test_subtraction():
    assert tokenize("5 - 3")[1] == ("op", "-")
    assert evaluate("10-4-3") == 3


@pytest.mark.parametrize(
    "text, value",
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("2 ^ 3 ^ 2", 512),
        ("7 % 4", 3),
        ("1.5e3 / 3", 500),
        ("2 * -3", -6),
        ("(-2) * 2", -4),
        ("2 ^ -1", 0.5),
    ],
)
def test_evaluate(text, value):
    assert evaluate(text) == value


def test_functions():
    assert evaluate("max(1, 7, 3)") == 7
    assert evaluate("hypot(3, 4)") == 5


def test_negative_second_argument():
    assert evaluate("min(4,-2)") == -2


def test_unknown_character():
    with pytest.raises(CalcError) as info:
        tokenize("2 $ 3")
    assert info.value.position == 2


def test_unknown_name():
    with pytest.raises(CalcError):
        evaluate("foo + 1")


def test_division_by_zero():
    with pytest.raises(CalcError):
        evaluate("1 / 0")


def test_calculator_remembers():
    calc = Calculator()
    calc.run("x = 4")
    assert calc.run("x * 2") == 8
    assert calc.run("ans + 1") == 9
    assert calc.history[1] == ("x * 2", 8)
