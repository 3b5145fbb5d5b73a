"""Operators that only loosen: each takes away one of the things that keep code from running for every input.

What a patch does for some inputs only, it may do for the tests' inputs only. Without the restriction it should then
pass the same tests, and mend more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text
from transforms.operators.parts import is_negation

_MOST_HELD = 4
"""Distinct values of one literal that a lookup in it is replaced by."""

_YES_OR_NO = re.compile(
    r"is(?!lice)[a-z_]*|hasattr|has_[a-z]+|startswith|endswith|any|all|match|fullmatch|search|callable|exists|__contains__"
)
"""Names of functions whose result is mostly asked for its truth."""


def _settle_condition(site: Site) -> Iterator[Edit]:
    if isinstance(site.above, cst.While) or not _is_asked(site):
        return
    for word in ("True", "False"):
        if site.code != word:
            yield site.put(word, 0.5, f"takes `{word}` for `{clip_text(site.code)}`")


def _is_asked(site: Site) -> bool:
    """Whether it gives a truth value, by place or form, not joined to others: ``x > 0``, ``s.isdigit()``, ``not x``."""
    node, around = site.node, site.above
    if isinstance(around, (cst.BooleanOperation, cst.UnaryOperation, cst.Assert)):
        return False
    if site.field == "test" and isinstance(around, (cst.If, cst.IfExp, cst.CompIf)):
        return True
    if isinstance(node, cst.Call):
        name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        return isinstance(name, cst.Name) and _YES_OR_NO.fullmatch(name.value) is not None
    return isinstance(node, cst.Comparison) or is_negation(node)


def _drop_operand(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.BooleanOperation)
    for kept, gone in ((node.left, node.right), (node.right, node.left)):
        yield site.put(kept, 0.5, f"leaves out `{clip_text(site.print(gone))}`")


def _replace_lookup(site: Site) -> Iterator[Edit]:
    """A value of a literal in place of a lookup in it."""
    for text in _held_operands(site)[:_MOST_HELD]:
        yield site.put(text, 1 / _MOST_HELD, f"takes `{clip_text(text, 30)}` for `{clip_text(site.code)}`")


def _held_operands(site: Site) -> list[str]:
    match site.node:
        case cst.Subscript(value=held, slice=[cst.SubscriptElement(slice=cst.Index())]):
            defaults: list[cst.BaseExpression] = []
        case cst.Call(func=cst.Attribute(value=held, attr=cst.Name("get")), args=[_, *rest]):
            defaults = [each.value for each in rest]
        case _:
            return []
    if not isinstance(held, (cst.Dict, cst.List, cst.Tuple)):
        return []
    values = [each.value for each in held.elements if isinstance(each, (cst.DictElement, cst.Element))]
    return list(dict.fromkeys(site.print(each) for each in (*values, *defaults)))


def _drop_bound(site: Site) -> Iterator[Edit]:
    node = site.node
    if isinstance(node, cst.Slice):
        if node.upper is not None:
            yield site.put(node.with_changes(upper=None), 0.5, f"goes on behind `{clip_text(site.print(node.upper))}`")
        if node.lower is not None:
            yield site.put(node.with_changes(lower=None), 0.5, f"starts before `{clip_text(site.print(node.lower))}`")
        return
    assert isinstance(node, cst.Call), "listed for slices and calls"
    name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    given = [each.value for each in node.args if not each.star and each.keyword is None]
    if not isinstance(name, cst.Name) or name.value not in ("min", "max", "islice") or len(given) < 2:
        return
    for kept in given[:1] if name.value == "islice" else given:
        yield site.put(kept, 1 / len(given), f"takes `{clip_text(site.print(kept))}` for `{clip_text(site.code)}`")


def _widen_case(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.MatchCase)
    space = cst.SimpleWhitespace(" ")
    # Under a condition, since a case that takes everything has to be the last one.
    always = node.with_changes(guard=cst.Name("True"), whitespace_before_if=space, whitespace_after_if=space)
    if node.guard is not None:
        yield site.put(always, 0.5, f"asks no `if {clip_text(site.print(node.guard))}`")
    elif not isinstance(node.pattern, cst.MatchAs) or node.pattern.pattern is not None:
        whole = always.with_changes(pattern=cst.MatchAs())
        yield site.put(whole, 0.5, f"takes everything for `{clip_text(site.print(node.pattern))}`")


def _unwrap_call(site: Site) -> Iterator[Edit]:
    """The one argument of a call, or what a method is called on: the tests should ask for what the call does to it.

    What is compared is left alone: there the comparison is the restriction.
    """
    if isinstance(site.above, (cst.Comparison, cst.ComparisonTarget)):
        return
    match site.node:
        case (
            cst.Call(func=cst.Name(), args=[cst.Arg(value=inner, keyword=None, star="")])
            | cst.Call(func=cst.Attribute(value=inner), args=[])
        ):
            yield site.put(inner, 0.5, f"takes `{clip_text(site.print(inner))}` for `{clip_text(site.code)}`")


OPERATORS = (
    Operator(
        "condition_settled", "loosening", (cst.BaseExpression,), _settle_condition, mends=False, loosens=True
    ).with_examples(
        Example("def f(a):\n    if a > 1:\n        return 2\n", "def f(a):\n    if True:\n        return 2\n"),
        Example("def f(a):\n    return 1 if a else 2\n", "def f(a):\n    return 1 if False else 2\n"),
        Example("def f(a):\n    b = a.endswith('x')\n", "def f(a):\n    b = True\n"),
        Example("def f(a):\n    return [b for b in a if b]\n", "def f(a):\n    return [b for b in a if True]\n"),
        Example("def f(a):\n    while a:\n        a.pop()\n"),
        Example("def f(a):\n    assert a > 1\n"),
    ),
    Operator(
        "operand_dropped", "loosening", (cst.BooleanOperation,), _drop_operand, mends=False, loosens=True
    ).with_examples(
        Example("def f(a, b):\n    return a and b\n", "def f(a, b):\n    return a\n"),
        Example("def f(a, b):\n    if a or b > 1:\n        g()\n", "def f(a, b):\n    if b > 1:\n        g()\n"),
        Example(
            "def f(rows, most):\n    return [row for row in rows if row.new and row.size < most]\n",
            "def f(rows, most):\n    return [row for row in rows if row.new]\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator(
        "looked_up", "loosening", (cst.Subscript, cst.Call), _replace_lookup, mends=False, loosens=True
    ).with_examples(
        Example("def f(a):\n    return (1, 2)[a]\n", "def f(a):\n    return 2\n"),
        Example("def f(a):\n    return {'a': 1}.get(a, b)\n", "def f(a):\n    return b\n"),
        Example(
            "def f(kind):\n    size = [4, 8][kind]\n    return size\n", "def f(kind):\n    size = 8\n    return size\n"
        ),
        Example("def f(a):\n    return a[1]\n"),
        Example("def f(a):\n    return a.get(1, 2)\n"),
    ),
    Operator(
        "bound_dropped",
        "loosening",
        (cst.Slice, cst.Call),
        _drop_bound,
        roles=("value", "part"),
        mends=False,
        loosens=True,
    ).with_examples(
        Example("def f(a):\n    return a[1:2]\n", "def f(a):\n    return a[1:]\n"),
        Example("def f(a):\n    return min(a, 3)\n", "def f(a):\n    return a\n"),
        Example("def f(a):\n    return itertools.islice(a, 3)\n", "def f(a):\n    return a\n"),
        Example("def f(a):\n    return min(a)\n"),
    ),
    Operator("call_unwrapped", "loosening", (cst.Call,), _unwrap_call, mends=False, loosens=True).with_examples(
        Example("def f(a):\n    return safe(strip(a))\n", "def f(a):\n    return strip(a)\n"),
        Example("def f(a):\n    return a.strip()\n", "def f(a):\n    return a\n"),
        Example(
            "def f(rows):\n    for row in set(rows):\n        g(row, 1)\n",
            "def f(rows):\n    for row in rows:\n        g(row, 1)\n",
        ),
        Example("def f(a):\n    return hash(a) + 1 if a else a\n", "def f(a):\n    return a + 1 if a else a\n"),
        Example("def f(a, b):\n    return max(a, b)\n"),
        Example("def f(a, b):\n    return hash(a) == b\n"),
        Example("def f(a, b):\n    return sorted(a, key=b)\n"),
    ),
    Operator(
        "case_widened", "loosening", (cst.MatchCase,), _widen_case, roles=("part",), mends=False, loosens=True
    ).with_examples(
        Example(
            "def f(a):\n    match a:\n        case [b] if b:\n            return b\n",
            "def f(a):\n    match a:\n        case [b] if True:\n            return b\n",
        ),
        Example(
            "def f(a):\n    match a:\n        case 3:\n            return 4\n",
            "def f(a):\n    match a:\n        case _ if True:\n            return 4\n",
        ),
        Example(
            "def f(shape):\n    match shape:\n        case {'kind': 'dot'}:\n            return 0\n",
            "def f(shape):\n    match shape:\n        case _ if True:\n            return 0\n",
        ),
        Example("def f(a):\n    match a:\n        case _:\n            return 4\n"),
    ),
)
