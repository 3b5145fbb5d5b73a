"""When and where names are bound: several at once, and names of an outer scope."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

import transforms.tree.matching as m
from analysis.facts import ConstraintKind
from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text


def _at_once(site: Site) -> Iterator[Edit]:
    """``a = b`` and ``b = …`` behind it as one assignment, so that the second value is made of the old first one."""
    first, after = site.small_statement, site.next_statement
    second = after.body[0] if isinstance(after, cst.SimpleStatementLine) and len(after.body) == 1 else None
    if not isinstance(first, cst.Assign) or not isinstance(second, cst.Assign):
        return
    if not (_is_plain(first) and _is_plain(second)):
        return
    targets = [site.print(each.targets[0].target) for each in (first, second)]
    if targets[0] != targets[1] and m.findall(second.value, m.Name(targets[0])):
        text = f"{targets[0]}, {targets[1]} = {site.print(first.value)}, {site.print(second.value)}"
        yield site.lines_with_next((text,), 0.8, f"assigns at once: `{clip_text(text)}`")


def _is_plain(node: cst.Assign) -> bool:
    """Whether one name gets one value: ``a = b``, not ``a = b = 1``, ``a.b = 1`` or ``a = b, c``."""
    return (
        len(node.targets) == 1
        and isinstance(node.targets[0].target, cst.Name)
        and not isinstance(node.value, (cst.Tuple, cst.Yield, cst.Lambda))
    )


def _declare(site: Site) -> Iterator[Edit]:
    """``nonlocal`` or ``global`` for names that the function changes and never began."""
    block, around = site.place, site.enclosing(cst.FunctionDef)
    if block is None or block[1] or around is None or site.up is None or site.up.up is not around:
        return
    if not isinstance(around.node, cst.FunctionDef) or m.findall(around.node.body, m.Global() | m.Nonlocal()):
        return
    told = {c.detail for c in site.near.constraints_of(ConstraintKind.UNBOUND_NAME)}
    given = {p.name.value for p in around.node.params.params}
    changed = [a for a in m.findall(around.node.body, m.AugAssign(target=m.Name())) if isinstance(a, cst.AugAssign)]
    begun = {
        site.print(t.target) for t in m.findall(around.node.body, m.AssignTarget()) if isinstance(t, cst.AssignTarget)
    }
    names = dict.fromkeys([*sorted(told), *(site.print(a.target) for a in changed)])
    word = "nonlocal" if around.enclosing(cst.FunctionDef) is not None else "global"
    for name in names:
        if name.isidentifier() and name not in given and (name in told or name not in begun):
            yield site.lines((f"{word} {name}", site.node), 0.6, f"changes the outer `{name}`")


OPERATORS = (
    Operator("at_once", "assignment", (cst.SimpleStatementLine,), _at_once, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(count):\n    old, new = 0, 1\n    for _ in range(count):\n        old = new\n"
            "        new = old + new\n"
            "    return old\n",
            "def f(count):\n    old, new = 0, 1\n    for _ in range(count):\n        old, new = new, old + new\n"
            "    return old\n",
        ),
        Example(
            "def f(left, right):\n    left = right\n    right = left\n    return left, right\n",
            "def f(left, right):\n    left, right = right, left\n    return left, right\n",
        ),
        Example(
            "def f(x, y, angle):\n    x = x * cos(angle)\n    y = x * sin(angle)\n    return x, y\n",
            "def f(x, y, angle):\n    x, y = x * cos(angle), x * sin(angle)\n    return x, y\n",
        ),
        Example("def f(a):\n    b = 1\n    c = a\n    return b + c\n"),
    ),
    Operator("declare", "initialization", (cst.BaseStatement,), _declare, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "COUNT = 0\ndef f():\n    COUNT += 1\n    return COUNT\n",
            "COUNT = 0\ndef f():\n    global COUNT\n    COUNT += 1\n    return COUNT\n",
        ),
        Example(
            "def f(rows):\n    total = 0\n    def add(row):\n        total += row\n    each(add, rows)\n"
            "    return total\n",
            "def f(rows):\n    total = 0\n    def add(row):\n        nonlocal total\n        total += row\n"
            "    each(add, rows)\n    return total\n",
        ),
        Example(
            "CACHE = None\ndef f():\n    if CACHE is None:\n        CACHE = load()\n    return CACHE\n",
            "CACHE = None\ndef f():\n    global CACHE\n    if CACHE is None:\n        CACHE = load()\n"
            "    return CACHE\n",
            ((ConstraintKind.UNBOUND_NAME, "CACHE", "CACHE", 3),),
        ),
        Example("def f(n):\n    n += 1\n    return n\n"),
    ),
)
