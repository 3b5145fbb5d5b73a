"""Locals that are merely called otherwise."""

from __future__ import annotations

import re

import libcst as cst
import pytest

from transforms.patch.difference import region
from transforms.patch.renaming import MOST_RENAMED, restore_old_names

OLD = """
def footer(columns, rows):
    sums = []
    for number, _ in enumerate(columns[1:], 1):
        numbers = [r[number] for r in rows if isinstance(r[number], int)]
        sums.append(sum(numbers) if numbers else None)
    return ["total", *sums]
"""


def function(text: str) -> cst.FunctionDef:
    found = cst.parse_module(text).body[0]
    assert isinstance(found, cst.FunctionDef)
    return found


def code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def renamed(old: str, new: str) -> str:
    return code(restore_old_names(function(old), function(new)))


@pytest.mark.parametrize(
    ("name", "other"), [("sums", "sums_here"), ("numbers", "found"), ("r", "row"), ("number", "place")]
)
def test_a_renamed_local_is_no_change(name: str, other: str):
    new = OLD.replace(f"{name}.", f"{other}.").replace(f"*{name}]", f"*{other}]").replace(f"{name} =", f"{other} =")
    for before, after in ((" {} ", " {} "), ("({})", "({})"), ("[{}]", "[{}]"), (" {}[", " {}["), ("({}[", "({}["),
                          (" {},", " {},"), ("[{}[", "[{}["), (" {}\n", " {}\n")):  # fmt: skip
        new = new.replace(before.format(name), after.format(other))
    assert other in new
    assert renamed(OLD, new) == code(function(OLD))
    assert not region(function(OLD), function(new)).new


def test_two_renamed_locals_and_a_real_change_beside_them():
    new = OLD.replace("sums", "totals").replace("numbers", "values").replace("else None", "else 0")
    where = region(function(OLD), function(new))
    assert len(where.new) == 1
    assert "else 0" in renamed(OLD, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def f(a):\n    return a\n", "def f(b):\n    return b\n"),  # callers pass it by name
        ("def f():\n    x = 1\n    return locals()\n", "def f():\n    y = 1\n    return locals()\n"),
        ('def f():\n    x = 1\n    return f"{x=}"\n', 'def f():\n    y = 1\n    return f"{y=}"\n'),
        ("def f():\n    global x\n    x = 1\n", "def f():\n    global y\n    y = 1\n"),
        ("def f():\n    import x\n    return x\n", "def f():\n    import y\n    return y\n"),
        ("def f():\n    return x\n", "def f():\n    return y\n"),
        ("def f(o):\n    return o.x\n", "def f(o):\n    return o.y\n"),
        ("def f(g):\n    return g(x=1)\n", "def f(g):\n    return g(y=1)\n"),
        (
            "def f():\n    class A:\n        x = 1\n    return A\n",
            "def f():\n    class A:\n        y = 1\n    return A\n",
        ),
        ("def f():\n    x = 1\n    return lambda x: x\n", "def f():\n    y = 1\n    return lambda y: y\n"),
        (
            "def f(a):\n    return [x for x in a] + x\n",
            "def f(a):\n    return [y for y in a] + y\n",
        ),  # the last: global
        (
            "def f(a, b):\n    return [x for x in a], [x + z for z in b]\n",
            "def f(a, b):\n    return [y for y in a], [y + z for z in b]\n",
        ),
        (
            "def f(a):\n    from m import x as z\n    x = z(a)\n    return x\n",
            "def f(a):\n    from m import y as z\n    y = z(a)\n    return y\n",
        ),
        (
            "def f(a):\n    from x import z\n    x = z(a)\n    return x\n",
            "def f(a):\n    from y import z\n    y = z(a)\n    return y\n",
        ),
        ("def f():\n    def x(): pass\n    return x\n", "def f():\n    def y(): pass\n    return y\n"),  # its __name__
        ("def f():\n    class x: pass\n    return x\n", "def f():\n    class y: pass\n    return y\n"),
        (
            "def f():\n    x = 1\n    return sys._getframe().f_locals\n",
            "def f():\n    y = 1\n    return sys._getframe().f_locals\n",
        ),
        (
            "def f(a):\n    __x = a\n    class A:\n        b = lambda: __x\n    return A\n",  # means ``_A__x`` there
            "def f(a):\n    y = a\n    class A:\n        b = lambda: y\n    return A\n",
        ),
        ("def f(a):\n    x = a\n    return a\n", "def f(a):\n    y = -a\n    return y + 1\n"),  # nothing stands alike
    ],
)
def test_what_means_something_keeps_its_name(old: str, new: str):
    assert renamed(old, new) == code(function(new))
    assert region(function(old), function(new)).new


@pytest.mark.parametrize(
    "old",
    [
        "def f(a):\n    try:\n        return a()\n    except OSError as x:\n        return str(x)\n",
        "def f(a):\n    return [x := q for q in a], x\n",
        "def f(a):\n    x = a\n    del x\n",
        "def f(a):\n    x: int = a\n    def g():\n        nonlocal x\n        x += 1\n    g()\n    return x\n",
        "def f(a):\n    with a as x:\n        return lambda: {x for x in x}\n",
    ],
)
def test_a_local_is_one_however_it_is_bound(old: str):
    assert renamed(old, re.sub(r"\bx\b", "y", old)) == old


@pytest.mark.parametrize(("count", "is_change"), [(MOST_RENAMED, False), (MOST_RENAMED + 1, True)])
def test_of_many_other_names_none_is_exchanged(count: int, is_change: bool):
    old = "def f(a):\n" + "".join(f"    x{number} = a[{number}]\n" for number in range(count)) + "    return a\n"
    assert bool(region(function(old), function(old.replace("x", "y"))).new) is is_change


def test_a_name_of_the_head_stands_for_something_outside():
    old, new = "def f(a=x):\n    x = a\n    return x\n", "def f(a=y):\n    y = a\n    return y\n"
    assert renamed(old, new) == new


def test_an_exchange_of_two_names_is_a_change():
    old = "def f(p):\n    a, b = p\n    return a\n"
    assert region(function(old), function(old.replace("a, b", "b, a"))).new


def test_a_function_that_no_compiler_takes_is_left():
    old, new = "def f():\n    x = 1\n    return x\n", "def f():\n    y = 1\n    return y\n    nonlocal nothing\n"
    assert renamed(old, new) == code(function(new))
