from __future__ import annotations

import ast
import textwrap

import pytest

from analysis.function_text import FunctionNode, parse_function
from transforms.rules.guard_rules import asks_for_a_value, guard_predicate_ok, guards_lost, is_guard, is_neutral

OLD = 'def f(p, xs, d, n=3):\n    if n > 7:\n        return d["k"]\n    return p / n + len(xs)\n'


def function(text: str) -> FunctionNode:
    node = parse_function(textwrap.dedent(text).strip("\n") + "\n")
    assert isinstance(node, FunctionNode)
    return node


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if p is None:\n    return None", True),
        ("if not xs:\n    raise ValueError('empty')", True),
        ("if not isinstance(p, str):\n    raise TypeError", True),
        ("if p.startswith('x') and len(xs) > 1:\n    return p", True),
        ("if p is None:\n    continue", True),
        ("if p is None:\n    return None\nelse:\n    pass", False),
        ("if p is None:\n    p = 1\n    return p", False),
        ("if p is None:\n    p = 1", False),
        ("if send(p):\n    return None", False),
        ("if p.pop():\n    return None", False),
        ("if (q := p):\n    return None", False),
        ("if f()(p):\n    return None", False),
        ("if True:\n    return None", False),
        ("if p is None and p is not None:\n    return None", False),
        ("if other is None:\n    return None", False),
        ("return None", False),
    ],
)
def test_guards_only_ask_and_leave(text: str, expected: bool) -> None:
    assert is_guard(ast.parse(text).body[0], frozenset({"p", "xs"})) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("None", True),
        ("''", True),
        ("{}", True),
        ("set()", True),
        ("-0", False),
        ("p", True),
        ("n", True),
        ("d['k']", True),
        ("len(xs)", True),
        ("550", False),
        ("'error'", False),
        ("other", False),
        ("[p]", False),
        ("len(p)", False),
    ],
)
def test_neutral_values_say_nothing_new(text: str, expected: bool) -> None:
    assert is_neutral(expression(text), function(OLD)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p is None", True),
        ("not p", True),
        ("p is not None and not isinstance(p, str)", True),
        ("len(xs) < 1", True),
        ("len(xs) == n", True),
        ("n == 0", True),
        ("n <= 0 or n > 7", True),
        ("p in d", True),
        ("p.name is None", True),
        ("hasattr(p, 'name')", True),
        ("p == ''", True),
        ("p == '5.5'", False),
        ("p in ('5.5', '6.5')", False),
        ("n == 42", False),
        ("n > 42", False),
        ("p is not None and n == 42", False),
        ("p is 'x'", False),
        ("p.pop()", False),
        ("p + n == 0", False),
        ("0 < n < 5", False),
        ("'5.5'.startswith(p) if p else n", False),
    ],
)
def test_guards_ask_for_presence_type_length_and_order(text: str, expected: bool) -> None:
    assert guard_predicate_ok(expression(text), function(OLD)) is expected


@pytest.mark.parametrize(
    ("text", "expected"), [("p == 'x'", True), ("p(n > 42)", True), ("p.match(xs)", False), ("n > 7", False)]
)
def test_conditions_that_ask_for_a_value(text: str, expected: bool) -> None:
    assert asks_for_a_value(expression(text), function(OLD)) is expected


GUARDED = """
def f(a, b):
    if a is None:
        raise ValueError("a")
    if b < 0:
        return None
    for x in a:
        if not x:
            continue
        assert x > b
    return a
"""


@pytest.mark.parametrize(
    ("text", "new", "lost"),
    [
        ("", "", 0),
        ('    if a is None:\n        raise ValueError("a")\n', "", 2),
        ("    if b < 0:\n        return None\n", "", 1),
        ("        if not x:\n            continue\n", "", 1),
        ("        assert x > b\n", "", 1),
        ("b < 0", "b <= 0", 0),
        ("b < 0", "b < 0 and a", 0),
        ("return None", "return 0", 0),
        ("return None", "raise KeyError(b)", 0),
        ('"a"', '"a must be given"', 0),
        ("ValueError", "TypeError", 0),
        ('raise ValueError("a")', "return None", 2),
        ('raise ValueError("a")', "pass", 2),
        ("return None", "pass", 1),
        (
            "        if not x:\n            continue\n        assert x > b\n",
            "        if x:\n            assert x > b\n",
            0,
        ),
        ("assert x > b", "if x <= b:\n            raise AssertionError", 0),
        ("assert x > b", "assert x >= b", 0),
        ("    if b < 0:\n        return None\n    for", "    b = None if b < 0 else b\n    for", 0),
        ('    if a is None:\n        raise ValueError("a")\n    if b < 0:\n', "    if b < 0:\n", 2),
    ],
)
def test_guards_that_vanish_are_named(text: str, new: str, lost: int) -> None:
    assert text in GUARDED
    found = guards_lost(function(GUARDED), function(GUARDED.replace(text, new, 1)))
    assert len(found) == lost


def test_moved_and_merged_guards_are_not_lost() -> None:
    old = function("def f(a, b):\n    if a:\n        raise E('x')\n    if b:\n        raise E('x')\n    return 1")
    merged = function("def f(a, b):\n    if a or b:\n        raise E('x')\n    return 1")
    moved = function(
        "def f(a, b):\n    if b:\n        raise E('x')\n    c = 1\n    if a:\n        raise E('x')\n    return c"
    )
    hollow = function("def f(a, b):\n    if a:\n        raise E('x')\n    return 1")
    assert guards_lost(old, merged) == guards_lost(old, moved) == ()
    assert guards_lost(old, hollow) == ("the guard `if b: raise e`",)


RAISES = "if '=' not in a:\n    raise E('x')\nreturn a"
ANSWERS = "if a == 0:\n    return 7\nreturn b / a"


@pytest.mark.parametrize(("old", "new", "lost"), [
    (RAISES, "n, eq, v = a.partition('=')\nif not eq:\n    raise E('x')\nreturn v", 0),
    (RAISES, "if not b:\n    raise E('x')\nreturn a", 1),
    (RAISES, "try:\n    return a[b]\nexcept KeyError:\n    raise E('x') from None", 0),
    (RAISES, "try:\n    return a[b]\nexcept KeyError:\n    return 0", 2),
    (ANSWERS, "try:\n    return b / a\nexcept ZeroDivisionError:\n    return 7", 0),
    (ANSWERS, "try:\n    return b / a\nexcept ZeroDivisionError:\n    return 8", 1),
    (ANSWERS, "return b / a if a else 7", 0),
    (ANSWERS, "return b / a if b else 7", 1),
    (ANSWERS, "c = a\nd = c\nif not d:\n    return 7\nreturn b / a", 0),
])  # fmt: skip
def test_a_guard_may_be_asked_in_another_way(old: str, new: str, lost: int) -> None:
    texts = [function("def f(a, b):\n" + textwrap.indent(body, "    ")) for body in (old, new)]
    assert len(guards_lost(*texts)) == lost


def test_a_guard_that_raises_what_the_test_complains_of_may_go() -> None:
    old = function("def f(a):\n    if a < 0:\n        raise ValueError('a')\n    return a")
    new = function("def f(a):\n    return a")
    assert guards_lost(old, new, raising_line=3) == ()
    assert len(guards_lost(old, new, raising_line=4)) == 2
    assert len(guards_lost(old, new)) == 2
