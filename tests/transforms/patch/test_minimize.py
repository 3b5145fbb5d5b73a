"""The least part of an edit: it still holds, it never grows, and it cannot be made less."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.functions import find_function, functions_of
from transforms.patch.minimize import ddmin, minimize
from transforms.tree.scope import EditScope, open_scope
from transforms.tree.shape import changed_nodes


def opened(source: str, qualname: str = "f") -> EditScope:
    content = source.encode()
    span = find_function(functions_of("m.py", content), qualname)
    assert span is not None
    scope = open_scope(content, span)
    assert isinstance(scope, EditScope), scope
    return scope


def size(old: bytes, new: bytes) -> int:
    return changed_nodes(opened(old.decode()).node, opened(new.decode()).node)


OLD = '''\
def f(items, limit=3):
    """Doc."""
    total = 0
    # each of them
    for item in items:
        if item > limit:
            total += item
    log(total)
    return total
'''

NEW = '''\
def f(items, limit=3):
    """Doc, and more."""
    if items is None:
        return 0
    total = 0.0
    for item in items:
        # now with the limit itself
        if item >= limit and item:
            total += item * 1
    print(total)
    return total
'''

EDITS = [
    ("item >= limit", OLD.replace("item > limit", "item >= limit and item")),
    ("total += item * 1", OLD.replace("+= item", "+= item * 1")),
    ("items is None", OLD.replace("    total = 0", "    if items is None:\n        return 0\n    total = 0")),
    ("0.0", OLD.replace("total = 0", "total = 0.0")),
    ("print(", OLD.replace("log(", "print(")),
    ("and more", OLD.replace("Doc.", "Doc, and more.")),
]


@pytest.mark.parametrize(("needed", "expected"), EDITS)
def test_only_the_part_that_is_needed_stays(needed: str, expected: str) -> None:
    assert minimize(opened(OLD), NEW.encode(), lambda text: needed.encode() in text).decode() == expected


def test_two_parts_that_need_each_other_stay() -> None:
    result = minimize(opened(OLD), NEW.encode(), lambda text: b"0.0" in text and b"print" in text)
    assert result.decode() == OLD.replace("total = 0", "total = 0.0").replace("log(", "print(")


def test_what_needs_everything_is_kept_but_for_its_layout() -> None:
    text = b"def f(a):\n    # new\n    return a + 2\n"
    result = minimize(opened("def f(a):\n    return a\n"), text, lambda new: b"a + 2" in new)
    assert result == b"def f(a):\n    return a + 2\n"


TRY = "try:\n        a()\n    except E:\n        b()"
SHAPES = [
    ("return a + b", "return (a + b) * c", "* c"),
    ("return a + b + c", "return (a + b) * (c + d)", "(c + d)"),
    ("return a", "return (a +\n        b * c)", "b * c"),
    ("if a: return 1", "if a: return 2", "2"),
    ("if a:\n        return 1", "if a:\n        return 1\n    else:\n        return 3", "3"),
    (TRY, TRY.replace("b()", "c()") + "\n    finally:\n        d()", "d()"),
    ("x = f(a)", "x = f(a, b)\n    y = 1", "f(a, b)\n"),
    ("with a as b:\n        c()", "with a as b, d as e:\n        c()\n        g()", "d as e"),
    ("return f'{a}'", "return f'{a!r} {b}'", "!r"),
    ("return [x for x in y]", "return [x for x in y if x]", "if x"),
    ("x: int = 1", "x: int = 2", "2"),
    ("del a", "del a, b", "del a, b"),
    ("for a in b:\n        c()", "", ""),
]


@pytest.mark.parametrize(("old", "new", "needed"), SHAPES)
def test_edits_of_many_shapes_stay_valid(old: str, new: str, needed: str) -> None:
    before, after = (
        f"def f(a, b):\n    p()\n    {old}\n    q()\n",
        f"def f(a, b):\n    P()\n    {new}\n    Q()\n".encode(),
    )

    def holds(text: bytes) -> bool:
        ast.parse(text)
        return needed.encode() in text and (new or b"for a" not in text)

    result = minimize(opened(before), after, holds)
    assert holds(result)
    assert b"P()" not in result
    assert b"Q()" not in result


def test_methods_tabs_and_line_ends_survive() -> None:
    source = "class A:\r\n\tdef f(self, a):\r\n\t\tb = a\r\n\t\treturn b\r\n"
    text = b"\tdef f(self, a):\r\n\t\tb = a + 1\r\n\t\tif a:\r\n\t\t\tc()\r\n\t\treturn -b\r\n"
    result = minimize(opened(source, "A.f"), text, lambda new: b"c()" in new)
    assert result == b"\tdef f(self, a):\r\n\t\tb = a\r\n\t\tif a:\r\n\t\t\tc()\r\n\t\treturn b\r\n"


def test_what_is_no_function_there_is_given_back() -> None:
    assert minimize(opened(OLD), b"x = 1\n", lambda text: True) == b"x = 1\n"
    assert minimize(opened(OLD), b"def f(:\n", lambda text: True) == b"def f(:\n"


def test_a_predicate_that_changes_its_mind_loses_nothing() -> None:
    assert minimize(opened(OLD), NEW.encode(), lambda text: False) == NEW.encode()


def test_the_number_of_calls_is_bounded() -> None:
    calls: list[bytes] = []

    def holds(text: bytes) -> bool:
        calls.append(text)
        return len(calls) == 1

    minimize(opened(OLD), NEW.encode(), holds, most=7)
    assert len(calls) <= 7
    assert len(set(calls)) == len(calls)


SMALL = [
    "a = 1",
    "a = 2",
    "b = a",
    "b = a + 1",
    "c(a, b)",
    "c(b, a)",
    "c(a)",
    "return a",
    "return a or b",
    "x.y = [a, b]",
]
LARGE = [
    "if a:\n        b = 1",
    "if a:\n        b = 2\n        c()",
    "if not a:\n        b = 1\n    else:\n        c()",
    "for i in a:\n        c(i)",
    "while a > 1:\n        a -= 1",
    "# note\n    a = 3",
    "a = (b +\n         1) * 2",
]
STATEMENTS = st.sampled_from([*SMALL, *LARGE])
BODIES = st.lists(STATEMENTS, min_size=1, max_size=5)


def function(body: list[str]) -> str:
    return "def f(a, b):\n    " + "\n    ".join(body) + "\n"


@settings(max_examples=60, deadline=None)
@given(BODIES, BODIES, st.data())
def test_it_holds_never_grows_and_is_idempotent(old: list[str], new: list[str], data: st.DataObject) -> None:
    before, after = function(old).encode(), function(new).encode()
    wanted = data.draw(st.lists(st.sampled_from([line.strip() for line in after.decode().splitlines()]), max_size=3))
    unwanted = data.draw(st.sampled_from(["!", *[line for line in old if line.encode() not in after]]))

    def holds(text: bytes) -> bool:
        ast.parse(text)
        return all(line.encode() in text for line in wanted) and unwanted.encode() not in text

    assert holds(after)
    scope = opened(before.decode())
    result = minimize(scope, after, holds, most=1000)
    assert holds(result)
    assert size(before, result) <= size(before, after)
    assert minimize(scope, result, holds, most=1000) == result


@given(st.sets(st.integers(0, 12), max_size=5), st.integers(1, 12))
def test_ddmin_finds_exactly_what_is_needed(needed: set[int], count: int) -> None:
    needed = {atom for atom in needed if atom < count} or {0}
    assert set(ddmin(range(count), lambda chosen: needed <= set(chosen))) == needed


def test_a_real_edit_of_many_lines() -> None:
    old = dedent(
        """\
        def f(value, binary=False):
            if binary:
                suffix = suffixes["binary"]
            else:
                suffix = suffixes["decimal"]
            base = 1024 if binary else 1000
            if abs(value) == 1:
                return f"{value} Byte"
            return f"{value / base} {suffix}"
        """
    )
    new = old.replace('f"{value} Byte"', 'f"{int(value)} Byte"').replace("1024 if", "1000 if").replace("== 1", "< 2")
    result = minimize(opened(old), new.encode(), lambda text: b"int(value)" in text)
    assert result.decode() == old.replace("{value} Byte", "{int(value)} Byte")
