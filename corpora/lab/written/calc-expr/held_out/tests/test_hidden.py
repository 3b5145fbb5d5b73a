import pytest

from calc import CalcError, Calculator, evaluate, tokenize


def kinds(text):
    return [kind for kind, _ in tokenize(text)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("max(1,-2)", ["name", "lparen", "num", "comma", "neg", "num", "rparen"]),
        ("max(1, -2)", ["name", "lparen", "num", "comma", "neg", "num", "rparen"]),
        ("max(1,   -  2)", ["name", "lparen", "num", "comma", "neg", "num", "rparen"]),
        ("(1)-2", ["lparen", "num", "rparen", "op", "num"]),
        ("(1) - 2", ["lparen", "num", "rparen", "op", "num"]),
        ("x-1", ["name", "op", "num"]),
        ("x -1", ["name", "op", "num"]),
        ("5 -3", ["num", "op", "num"]),
        ("--3", ["neg", "neg", "num"]),
        ("5--3", ["num", "op", "neg", "num"]),
        ("(-x)", ["lparen", "neg", "name", "rparen"]),
        ("7 % -3", ["num", "op", "neg", "num"]),
        ("-", ["neg"]),
    ],
)
def test_kinds(text, expected):
    assert kinds(text) == expected


@pytest.mark.parametrize(
    "text, value",
    [
        ("min(4, -2)", -2),
        ("min(4,\n-2)", -2),
        ("max(-4, -2, -3)", -2),
        ("max(1, 5-2)", 3),
        ("max(1, 5 - 2) - 1", 2),
        ("max(0, 1) - min(3, 2)", -1),
        ("min(1, -(2 + 3))", -5),
        ("min(1, -.5)", -0.5),
        ("min(1, --5)", 1),
        ("min(1, -sqrt(4))", -2),
        ("max(1, (2)-1, 0)", 1),
        ("(1 + 2) - 3", 0),
        ("8 -3 -2", 3),
        ("2 - -2", 4),
        ("--3", 3),
        ("-2 ^ 2", -4),
        ("abs(-3) - 1", 2),
        ("2 * -(1 + 1)", -4),
        ("7 % -4", 3),
    ],
)
def test_values(text, value):
    assert evaluate(text) == value


def test_names():
    names = {"x": 5, "y": 2}
    assert evaluate("x - 1", names) == 4
    assert evaluate("x-y", names) == 3
    assert evaluate("min(y, -x)", names) == -5
    assert evaluate("min(y, x-y)", names) == 2


def test_calculator_history():
    calc = Calculator()
    calc.run("x = 4")
    assert calc.run("min(x,-x)") == -4
    assert calc.run("ans-1") == -5
    assert calc.history[1] == ("min(x, -x)", -4)


@pytest.mark.parametrize("text", ["3 -", "max(1, )", "1 (-2)", "1 2", "2 *", "-"])
def test_errors(text):
    with pytest.raises(CalcError):
        evaluate(text)
