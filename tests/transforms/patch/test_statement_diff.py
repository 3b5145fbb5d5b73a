from __future__ import annotations

import textwrap

import pytest

from analysis.function_text import FunctionNode, parse_function
from transforms.patch.statement_diff import changes_between, measures_of, retained_share

OLD = '''
def f(a, b):
    """Doc."""
    total = 0
    for x in a:
        try:
            total += x
        except TypeError:
            log(x)
        else:
            done(x)
    return total / b
'''


def function(text: str) -> FunctionNode:
    node = parse_function(textwrap.dedent(text).strip("\n") + "\n")
    assert isinstance(node, FunctionNode)
    return node


def changed(*replacements: tuple[str, str]) -> FunctionNode:
    text = OLD
    for before, after in replacements:
        assert before in text
        text = text.replace(before, after, 1)
    return function(text)


@pytest.mark.parametrize(
    ("replacements", "edited", "inserted", "deleted", "moved"),
    [
        ([], 0, 0, 0, 0),
        ([('"""Doc."""', '"""Other."""')], 0, 0, 0, 0),
        ([("total / b", "total // b")], 1, 0, 0, 0),
        ([("total = 0", "total = 1"), ("log(x)", "log(a)")], 2, 0, 0, 0),
        ([("for x in a", "for x in b")], 1, 0, 0, 0),
        ([("except TypeError", "except ValueError")], 1, 0, 0, 0),
        ([("    total = 0\n", "    if b == 0:\n        return None\n    total = 0\n")], 0, 1, 0, 0),
        ([("log(x)", "log(x)\n            continue")], 0, 1, 0, 0),
        ([("    total = 0\n", "    total = 0\n    if a:\n        log(a)\n")], 0, 2, 0, 0),
        ([("    total = 0\n", "")], 0, 0, 1, 0),
        ([("        else:\n            done(x)\n", "        done(x)\n")], 0, 0, 0, 1),
        ([("            done(x)\n", "            if x:\n                done(x)\n")], 0, 1, 0, 1),
        ([("total = 0\n", "first = 0\n"), ("    return", "    total = first\n    return")], 1, 1, 0, 0),
        ([("total += x", "total.append(x)")], 1, 0, 0, 0),
    ],
)
def test_an_edit_is_measured(
    replacements: list[tuple[str, str]], edited: int, inserted: int, deleted: int, moved: int
) -> None:
    m = measures_of(changes_between(function(OLD), changed(*replacements)))
    assert (m.edited, m.inserted, m.deleted, m.moved) == (edited, inserted, deleted, moved)


@pytest.mark.parametrize(
    ("replacements", "share"),
    [
        ([], 1.0),
        ([("total = 0", "total = 1")], 0.8),
        ([("for x in a", "for x in b"), ("total = 0", "total = 1")], 0.8),
        ([("total = 0", "if a:\n        total = 0")], 1.0),
        ([("total += x", "total.append(x)")], 0.8),
    ],
)
def test_what_is_retained(replacements: list[tuple[str, str]], share: float) -> None:
    new = changed(*replacements)
    assert retained_share(function(OLD), new) == pytest.approx(share, abs=1e-9)


def test_match_statements_are_compared_case_by_case() -> None:
    old = function(
        "def f(a):\n    match a:\n        case 1:\n            return 2\n        case _:\n            return 3"
    )
    new = function(
        "def f(a):\n    match a:\n        case 1:\n            return 4\n        case _:\n            return 3"
    )
    assert len(changes_between(old, new)) == 1


def test_a_long_function_is_compared_in_time() -> None:
    lines = [f"    x{n} = g({n})" for n in range(400)]
    old = function("def f(a):\n" + "\n".join(lines))
    new = function(
        "def f(a):\n" + "\n".join(lines[:50] + lines[51:200] + ["    if a:", "        return 1"] + lines[200:])
    )
    m = measures_of(changes_between(old, new))
    assert (m.edited, m.inserted, m.deleted, m.moved) == (0, 1, 1, 0)
