"""Boolean structure: ``not`` moved in and out, comparisons chained, classes asked for in another way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import libcst as cst

from transforms.operators.operator import Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import only_comparison, sign_of
from transforms.tree.code_text import operand


def _move_not(site: Site) -> Iterator[Edit]:
    """``not (a and b)`` as ``not a and b`` and ``not a and not b``; ``not a and b`` as ``not (a and b)``."""
    texts: tuple[str, ...] = ()
    match site.node:
        case cst.UnaryOperation(operator=cst.Not(), expression=cst.BooleanOperation(left=left, right=right) as inner):
            none = f"not {operand(site.print(left), 'not')}{site.print(inner.operator)}"
            other = site.print(right)
            texts = (f"{none}{operand(other, 'and')}", f"{none}not {operand(other, 'not')}")
        case cst.BooleanOperation(left=cst.UnaryOperation(operator=cst.Not(), expression=first)) as node:
            texts = (f"not ({site.print(first)}{site.print(node.operator)}{site.print(node.right)})",)
    for text in texts:
        yield site.put(text, 0.4, f"asks for `{clip_text(text)}` instead of `{clip_text(site.code)}`")


_TURNED = {"<": ("<", "<="), "<=": ("<=", "<"), ">": (">", ">="), ">=": (">=", ">")}


def _chain(site: Site) -> Iterator[Edit]:
    """A second bound: ``x < n`` as ``0 <= x < n`` or ``x < n < m``."""
    node = site.node_as(cst.Comparison)
    operator = site.print(node.comparisons[0].operator).strip()
    if len(node.comparisons) != 1 or operator not in _TURNED:
        return
    known = dict(site.words.kinds)
    own = {site.print(node.left), site.print(node.comparisons[0].comparator)}
    counts = [n for n in site.words.variables if known.get(n, "number") == "number" and n not in own][:4]
    numbers = [i.text for i in site.words.numbers if i.distance == 0][:3]
    bounds = dict.fromkeys(("0", "1", *counts, *numbers))
    forms = [
        form
        for bound, sign in product((b for b in bounds if b not in own), _TURNED[operator])
        for form in (f"{bound} {sign} {site.code}", f"{site.code} {sign} {bound}")
    ]
    for text, weight in weigh_by_rank(forms):
        yield site.put(text, weight, f"asks for `{clip_text(text)}` instead of `{clip_text(site.code)}`")


def _class_asked(site: Site) -> Iterator[Edit]:
    """``type(x) == C`` as ``isinstance(x, C)``, and the other way; ``isinstance`` for another variable."""
    node = site.node
    target = only_comparison(node)
    if isinstance(node, cst.Comparison) and target is not None:
        sign, called, kind = sign_of(site, target), node.left, site.print(target.comparator)
        if isinstance(called, cst.Call) and site.print(called.func) == "type" and len(called.args) == 1:
            head = {"==": "", "is": "", "in": "", "!=": "not ", "is not": "not ", "not in": "not "}.get(sign)
            if head is not None:
                text = f"{head}isinstance({site.print(called.args[0].value)}, {kind})"
                yield site.put(text, 0.6, f"takes what is derived from `{clip_text(kind)}` as well")
    elif isinstance(node, cst.Call) and site.print(node.func) == "isinstance" and len(node.args) == 2:
        value, kind = (site.print(a.value) for a in node.args)
        yield site.put(f"type({value}) is {kind}", 0.3, f"takes `{clip_text(kind)}` alone, and nothing derived from it")


def _part_first(site: Site) -> Iterator[Edit]:
    """A part of the condition asked for before it: ``a is not None and a.b in c``; the same after a negation."""
    if site.field != "test" and not isinstance(site.above, cst.Return):
        return
    for part, weight in weigh_by_rank(_parts(site, site.node)):
        rest = operand(site.code, "and")
        yield site.put(f"{part} is not None and {rest}", weight * 0.5, f"asks first that `{part}` is not None")
        yield site.put(f"{part} and {rest}", weight * 0.3, f"asks for `{part}` first")
        last = operand(site.code, "or")
        yield site.put(f"{part} is None or {last}", weight * 0.2, f"accepts that `{part}` is None")


def _parts(site: Site, node: cst.CSTNode) -> Iterator[str]:
    """Names and dotted names in the condition that something is read of, or that something is looked for in."""
    for child in node.children:
        if isinstance(child, (cst.Name, cst.Attribute, cst.Subscript)):
            of = isinstance(node, (cst.Attribute, cst.Subscript)) and child is node.value
            looked = isinstance(node, (cst.ComparisonTarget, cst.Comparison))
            text = site.print(child)
            if (of or looked) and text not in ("self", "cls", "None", "True", "False"):
                yield text
        yield from _parts(site, child)


OPERATORS = (
    Operator("move_not", "condition", (cst.UnaryOperation, cst.BooleanOperation), _move_not, choosy=True).with_examples(
        Example(
            "def f(open, empty):\n    return not (open and empty)\n",
            "def f(open, empty):\n    return not open and empty\n",
        ),
        Example(
            "def f(user, page):\n    if not (user or page):\n        return 1\n",
            "def f(user, page):\n    if not user or not page:\n        return 1\n",
        ),
        Example(
            "def f(key, seen):\n    while not key and seen:\n        key = seen.pop()\n",
            "def f(key, seen):\n    while not (key and seen):\n        key = seen.pop()\n",
        ),
        Example("def f(a, b):\n    return a and not b\n"),
    ),
    Operator("chain_comparison", "comparison", (cst.Comparison,), _chain, choosy=True).with_examples(
        Example("def f(port):\n    return port <= 65535\n", "def f(port):\n    return 0 <= port <= 65535\n"),
        Example(
            "def f(day, last):\n    if day < 1:\n        return last\n",
            "def f(day, last):\n    if last < day < 1:\n        return last\n",
        ),
        Example("def f(x, low, high):\n    return low < x\n", "def f(x, low, high):\n    return low < x < high\n"),
        Example("def f(a, b):\n    return a == b\n"),
    ),
    Operator("class_asked", "condition", (cst.Comparison, cst.Call), _class_asked, choosy=True).with_examples(
        Example("def f(v):\n    return type(v) == dict\n", "def f(v):\n    return isinstance(v, dict)\n"),
        Example(
            "def f(v):\n    if type(v) not in (int, float):\n        raise TypeError(v)\n",
            "def f(v):\n    if not isinstance(v, (int, float)):\n        raise TypeError(v)\n",
        ),
        Example("def f(n):\n    return isinstance(n, int)\n", "def f(n):\n    return type(n) is int\n"),
        Example("def f(a):\n    return a.type == 'x'\n"),
    ),
    Operator("part_first", "condition", (cst.BaseExpression,), _part_first, choosy=True).with_examples(
        Example(
            "def f(method, rule):\n    if method not in rule.methods:\n        return 1\n",
            "def f(method, rule):\n    if rule.methods is not None and method not in rule.methods:\n        return 1\n",
        ),
        Example(
            "def f(node):\n    while node.parent.kind == 'list':\n        node = node.parent\n",
            "def f(node):\n    while node.parent and node.parent.kind == 'list':\n        node = node.parent\n",
        ),
        Example(
            "def f(limit, n):\n    return n < limit\n", "def f(limit, n):\n    return limit is None or n < limit\n"
        ),
        Example("def f(a):\n    if a:\n        return 1\n"),
    ),
)
