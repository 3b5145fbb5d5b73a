"""Loops: bounds of ranges, other walks over the same iterable, conditionals that should repeat."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import LOOPS, statements_of
from transforms.tree.code_text import operand


def _range(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.Call)
    if site.print(node.func) != "range":
        return
    args = [site.print(a.value) for a in node.args]
    low, high = ("0", args[0]) if len(args) == 1 else (args[0], args[1]) if args else ("0", "0")
    step = f", {args[2]}" if len(args) == 3 else ""
    forms = [
        f"{low}, {high} + 1{step}",
        f"{low} + 1, {high}{step}",
        f"{low}, {high} - 1{step}",
        f"1, {high}{step}",
        f"1, {high} + 1{step}",
    ]
    forms += [f"{high} - 1, {low} - 1, -1", f"{high}, {low}, -1", f"{high} + 1", f"{low} - 1, {high}{step}", f"{high}"]
    forms += [f"{n}, {high}{step}" for n in site.words.variables[:5]] + [f"{low}, {high}, 2"]
    for text, weight in weigh_by_rank(f for f in forms if f != ", ".join(args)):
        new = f"range({_tidy(text)})"
        yield site.put(new, weight, f"runs over `{new}` instead of `{clip_text(site.code)}`")


def _tidy(text: str) -> str:
    for old, new in (("0 + 1", "1"), ("0 - 1", "-1"), (" - 1 + 1", ""), (" + 1 - 1", "")):
        text = text.replace(old, new) if not any(c.isalnum() for c in text[: text.find(old)][-1:]) else text
    return text.removeprefix("0, ") if text.count(",") == 1 else text


def _iterate_otherwise(site: Site) -> Iterator[Edit]:
    """Another walk over the same iterable of a loop or comprehension."""
    if site.field != "iter":
        return
    likely = ("list({})", "reversed({})", "sorted({})", "{}.items()", "{}.copy()", "{}[1:]", "{}[:-1]", "enumerate({})")
    keyed = ("set({})", "{}.values()", "{}[::-1]", "range(len({}))", "list({}.items())", "list({}.keys())")
    for form, weight in weigh_by_rank((*likely, *keyed, "{} or []", "range({})")):
        beside = "." if "{}." in form or "{}[" in form else "or"
        x = site.code if form.endswith("})") else operand(site.code, beside)
        yield site.put(form.format(x), weight, f"walks over `{clip_text(form.format(x))}`")


def _if_and_while(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, (cst.If, cst.While)), "listed for these"
    if node.orelse is not None:
        return
    other = cst.While if isinstance(node, cst.If) else cst.If
    new = other(test=node.test, body=node.body, leading_lines=node.leading_lines)
    if isinstance(node, cst.If):
        yield site.lines((new,), 0.4, "repeats while the condition holds")
    else:
        yield site.lines((new,), 0.3, "runs the loop's body at most once")


def _loop_otherwise(site: Site) -> Iterator[Edit]:
    """What follows a loop with ``break`` put into its ``else``; what ``else`` holds put behind it."""
    node, after = site.node, site.next_statement
    assert isinstance(node, LOOPS), "listed for loops"
    if node.orelse is not None:
        body = statements_of(node.orelse.body)
        yield site.lines((node.with_changes(orelse=None), *body), 0.5, "runs the body of `else` after `break`, too")
    elif after is not None and _BREAK.search(site.code):
        new = node.with_changes(orelse=cst.Else(body=cst.IndentedBlock([after])))
        yield site.lines_with_next((new,), 0.5, "runs what follows only where the loop was not left by `break`")


_BREAK = re.compile(r"^\s+break\b", re.MULTILINE)


def _count_from(site: Site) -> Iterator[Edit]:
    """``enumerate(x)`` from another number; ``zip`` to the end of the longest; pairs of neighbours."""
    node = site.node_as(cst.Call)
    called, args = site.print(node.func), [site.print(a.value) for a in node.args if not a.star and a.keyword is None]
    if called == "enumerate" and len(args) == len(node.args):
        starts = ("1", *site.words.parameters[:2]) if len(args) == 1 else ("0", "1", *site.words.parameters[:2])
        for start, weight in weigh_by_rank(s for s in starts if s not in args):
            yield site.put(f"enumerate({args[0]}, {start})", weight, f"counts from `{start}`")
    elif called == "zip" and len(args) == len(node.args) == 2:
        longest = [n for n in ("zip_longest", "itertools.zip_longest") if n.split(".")[0] in site.words.imported]
        forms = [f"{n}({', '.join(args)})" for n in longest]
        forms += [f"zip({args[0]}, {operand(args[1], '.')}[1:])", f"zip({args[1]}, {args[0]})"]
        for text, weight in weigh_by_rank(f for f in forms if f != site.code):
            yield site.put(text, weight, f"walks over `{clip_text(text)}`")


OPERATORS = (
    Operator("range_bounds", "loop", (cst.Call,), _range, choosy=True).with_examples(
        Example("def f(n):\n    return range(n)\n", "def f(n):\n    return range(n + 1)\n"),
        Example("def f(n):\n    return range(1, n)\n", "def f(n):\n    return range(1, n + 1)\n"),
        Example(
            "def f(rows):\n    for i in range(len(rows)):\n        print(rows[i], rows[i + 1])\n",
            "def f(rows):\n    for i in range(len(rows) - 1):\n        print(rows[i], rows[i + 1])\n",
        ),
        Example("def f(n):\n    return len(n)\n"),
    ),
    Operator("iterate_otherwise", "loop", (cst.BaseExpression,), _iterate_otherwise, choosy=True).with_examples(
        Example(
            "def f(a):\n    for x in a:\n        a.remove(x)\n",
            "def f(a):\n    for x in list(a):\n        a.remove(x)\n",
        ),
        Example("def f(a):\n    return [k for k in a]\n", "def f(a):\n    return [k for k in sorted(a)]\n"),
        Example(
            "def f(lines):\n    for line in lines:\n        print(line)\n",
            "def f(lines):\n    for line in reversed(lines):\n        print(line)\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("if_and_while", "loop", (cst.If, cst.While), _if_and_while, roles=STATEMENT).with_examples(
        Example(
            "def f(a):\n    if a:\n        a = g(a)\n    return a\n",
            "def f(a):\n    while a:\n        a = g(a)\n    return a\n",
        ),
        Example(
            "def f(a):\n    while a:\n        a = g(a)\n    return a\n",
            "def f(a):\n    if a:\n        a = g(a)\n    return a\n",
        ),
        Example(
            "def f(text):\n    if text.endswith('0'):\n        text = text[:-1]\n    return text\n",
            "def f(text):\n    while text.endswith('0'):\n        text = text[:-1]\n    return text\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("loop_else", "loop", (cst.For, cst.While), _loop_otherwise, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "def f(rows):\n    for row in rows:\n        if row.good:\n            break\n    row = None\n"
            "    return row\n",
            "def f(rows):\n    for row in rows:\n        if row.good:\n            break\n    else:\n"
            "        row = None\n"
            "    return row\n",
        ),
        Example(
            "def f(tries):\n    while tries:\n        tries -= 1\n        if ask():\n            break\n    fail()\n",
            "def f(tries):\n    while tries:\n        tries -= 1\n        if ask():\n            break\n    else:\n"
            "        fail()\n",
        ),
        Example(
            "def f(xs):\n    for x in xs:\n        if x:\n            break\n    else:\n        done()\n    return 1\n",
            "def f(xs):\n    for x in xs:\n        if x:\n            break\n    done()\n    return 1\n",
        ),
        Example("def f(xs):\n    for x in xs:\n        g(x)\n    return 1\n"),
    ),
    Operator("count_from", "loop", (cst.Call,), _count_from, choosy=True).with_examples(
        Example(
            "def f(lines):\n    return {n: line for n, line in enumerate(lines)}\n",
            "def f(lines):\n    return {n: line for n, line in enumerate(lines, 1)}\n",
        ),
        Example(
            "from itertools import zip_longest\ndef f(a, b):\n    return list(zip(a, b))\n",
            "from itertools import zip_longest\ndef f(a, b):\n    return list(zip_longest(a, b))\n",
        ),
        Example(
            "def f(points):\n    return [a - b for a, b in zip(points, points)]\n",
            "def f(points):\n    return [a - b for a, b in zip(points, points[1:])]\n",
        ),
        Example("def f(a, b, c):\n    return zip(a, b, c)\n"),
    ),
)
