"""What became of parameters, and calls that say the same to the new function."""

import ast

import pytest

from analysis.changed_signature import ChangedParameters, adapted_call, changed_parameters, parameters_to_fill
from analysis.moved_definitions import Definition


def definition(text: str, owner: str = "") -> Definition:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    return Definition("shop.py", node.name, node, owner)


def adapted(call: str, old: str, new: str, owner: str = "") -> str:
    changed = changed_parameters(definition(old, owner), definition(new, owner))
    assert isinstance(changed, ChangedParameters), changed
    parsed = ast.parse(call, mode="eval").body
    assert isinstance(parsed, ast.Call)
    found = adapted_call(parsed, changed)
    return found if isinstance(found, str) else ast.unparse(found)


@pytest.mark.parametrize(
    ("call", "old", "new", "now"),
    [
        ("f(1, n=2)", "def f(m, n=0): return m + n", "def f(m, k=0): return m + k", "f(1, k=2)"),
        ("f(1, 2)", "def f(m, n): return m - n", "def f(n, m): return m - n", "f(2, 1)"),
        ("f(1, 2)", "def f(m, n): return m - n", "def f(m, *, n): return m - n", "f(1, n=2)"),
        ("f(1, 2)", "def f(m, n=0): return m", "def f(m): return m", "f(1)"),
        ("f(1, 2)", "def f(m, n): return m - n", "def f(x=5, m=0, n=0): return m - n", "f(m=1, n=2)"),
        ("f(m=1)", "def f(m): return m", "def f(m, /): return m", "a call of it cannot give what is taken by position"),
        ("f(*a)", "def f(m): return m", "def f(n): return n", "a call of it unpacks its arguments"),
        ("f(1, 2)", "def f(m): return m", "def f(n): return n", "a call of it gives more than its parameters take"),
        ("f(1, 2, k=3)", "def f(m, *a, k): return a", "def f(n, *a, j): return a", "f(1, 2, j=3)"),
        ("f(1, 2)", "def f(m, *a): return a", "def f(*a, m): return a", "a call of it gives further arguments"),
        ("f()", "def f(m=1): return m", "def f(m): return m", "a call of it does not give m"),
    ],
)
def test_calls_that_say_the_same(call, old, new, now):
    assert adapted(call, old, new).startswith(now)


def test_a_method_and_the_fields_of_a_data_class():
    assert adapted("f(1)", "def f(self, m): return m", "def f(self, *, m): return m", "shop.Cart") == "f(m=1)"
    old, new = (f"@dataclass\nclass Cart:\n    {each}: int\n    tax: int = 0\n" for each in ("price", "cost"))
    assert parameters_to_fill(definition(old)) is not None
    assert adapted("Cart(price=1)", old, new) == "Cart(cost=1)"
    assert parameters_to_fill(definition("class Cart:\n    pass\n")) is None


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("def f(m): return m", "def f(m, n): return m", "it has to be given n now"),
        ("def f(m): return m", "def f(m): return 2 * m", None),
    ],
)
def test_what_calls_cannot_follow_or_need_not(old, new, why):
    found = changed_parameters(definition(old), definition(new))
    assert found is None if why is None else why in str(found)


def test_of_two_new_names_the_body_says_which_is_which():
    old = "def f(m, n): return m - 2 * n"
    changed = changed_parameters(definition(old), definition("def f(b, a): return a - 2 * b"))
    assert isinstance(changed, ChangedParameters)
    assert changed.names == {"m": "a", "n": "b"}
