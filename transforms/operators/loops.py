"""Loops: bounds of ranges, other walks over the same iterable, conditionals that should repeat."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clipped, ranked
from transforms.pieces import operand


def _range(site: Site) -> Iterator[Edit]:
    node = site.node
    assert isinstance(node, cst.Call), "listed for calls"
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
    for text, weight in ranked(f for f in forms if f != ", ".join(args)):
        yield site.put(
            f"range({_tidy(text)})", weight, f"runs over `range({_tidy(text)})` instead of `{clipped(site.code)}`"
        )


def _tidy(text: str) -> str:
    for old, new in (("0 + 1", "1"), ("0 - 1", "-1"), (" - 1 + 1", ""), (" + 1 - 1", "")):
        text = text.replace(old, new) if not any(c.isalnum() for c in text[: text.find(old)][-1:]) else text
    return text.removeprefix("0, ") if text.count(",") == 1 else text


def _iterate_otherwise(site: Site) -> Iterator[Edit]:
    """Another walk over the same iterable of a loop or comprehension."""
    if site.field != "iter":
        return
    forms = (
        "list({})",
        "reversed({})",
        "sorted({})",
        "{}.items()",
        "{}.copy()",
        "{}[1:]",
        "{}[:-1]",
        "enumerate({})",
        "set({})",
        "{}.values()",
        "{}[::-1]",
        "range(len({}))",
        "list({}.items())",
        "list({}.keys())",
        "{} or []",
        "range({})",
    )
    for form, weight in ranked(forms):
        x = (
            operand(site.code, "." if "{}." in form or "{}[" in form else "or")
            if not form.endswith("})")
            else site.code
        )
        yield site.put(form.format(x), weight, f"walks over `{clipped(form.format(x))}`")


def _if_and_while(site: Site) -> Iterator[Edit]:
    node = site.node
    if isinstance(node, cst.If) and node.orelse is None:
        yield site.lines(
            (cst.While(test=node.test, body=node.body, leading_lines=node.leading_lines),),
            0.4,
            "repeats while the condition holds",
        )
    elif isinstance(node, cst.While) and node.orelse is None:
        yield site.lines(
            (cst.If(test=node.test, body=node.body, leading_lines=node.leading_lines),),
            0.3,
            "runs the loop's body at most once",
        )


OPERATORS = (
    Operator(
        "range_bounds",
        "loop",
        (cst.Call,),
        _range,
        (
            Example("def f(n):\n    return range(n)\n", "def f(n):\n    return range(n + 1)\n"),
            Example("def f(n):\n    return range(1, n)\n", "def f(n):\n    return range(1, n + 1)\n"),
            Example("def f(n):\n    return len(n)\n"),
        ),
        choosy=True,
    ),
    Operator(
        "iterate_otherwise",
        "loop",
        (cst.BaseExpression,),
        _iterate_otherwise,
        (
            Example(
                "def f(a):\n    for x in a:\n        a.remove(x)\n",
                "def f(a):\n    for x in list(a):\n        a.remove(x)\n",
            ),
            Example("def f(a):\n    return [k for k in a]\n", "def f(a):\n    return [k for k in sorted(a)]\n"),
            Example("def f(a):\n    return a\n"),
        ),
        choosy=True,
    ),
    Operator(
        "if_and_while",
        "loop",
        (cst.If, cst.While),
        _if_and_while,
        (
            Example(
                "def f(a):\n    if a:\n        a = g(a)\n    return a\n",
                "def f(a):\n    while a:\n        a = g(a)\n    return a\n",
            ),
            Example(
                "def f(a):\n    while a:\n        a = g(a)\n    return a\n",
                "def f(a):\n    if a:\n        a = g(a)\n    return a\n",
            ),
            Example("def f(a):\n    return a\n"),
        ),
        roles=("statement",),
    ),
)
