"""Operators exchanged: comparison, arithmetic, bitwise, augmented assignment; and operands swapped."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import only_comparison, sign_of
from transforms.tree.code_text import operand

_COMPARISONS = {
    "<": ("<=", ">", ">=", "!=", "=="),
    "<=": ("<", ">=", ">", "==", "!="),
    ">": (">=", "<", "<=", "!=", "=="),
    ">=": (">", "<=", "<", "==", "!="),
    "==": ("!=", "is", "in", ">=", "<=", "<", ">"),
    "!=": ("==", "is not", "not in", "<", ">", "<=", ">="),
    "is": ("==", "is not", "in"),
    "is not": ("!=", "is", "not in"),
    "in": ("not in", "=="),
    "not in": ("in", "!="),
}
_ARITHMETIC = {
    "+": ("-", "*", "|"),
    "-": ("+", "*", "/"),
    "*": ("+", "/", "**", "//", "-"),
    "/": ("//", "*", "%"),
    "//": ("/", "%", "*"),
    "%": ("//", "/", "*"),
    "**": ("*", "+"),
    "<<": (">>", "*"),
    ">>": ("<<", "//"),
    "&": ("|", "^", "and"),
    "|": ("&", "^", "+", "or"),
    "^": ("&", "|", "**"),
    "@": ("*",),
}


_COMMON = ("+", "-", "*", "/", "//", "%")
_ORDERED, _IDENTITY, _MEMBERSHIP = (">", "<", ">=", "<="), ("is", "is not"), ("in", "not in")


def _comparison(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.Comparison)
    for index, target in enumerate(node.comparisons):
        old = site.print(target.operator).strip()
        for new, weight in weigh_by_rank(_other_signs(sign_of(site, target), site, target)):
            text = _with_operator(site, node, index, new)
            yield site.put(text, weight * 1.3, f"compares with `{new}` instead of `{old}` in `{clip_text(site.code)}`")


def _other_signs(old: str, site: Site, target: cst.ComparisonTarget) -> tuple[str, ...]:
    """The signs that may be meant, the likeliest first: what stands behind the sign tells whether it has an order."""
    usual, right = _COMPARISONS.get(old, ()), target.comparator
    if site.print(right) in ("None", "True", "False"):
        fit = (*_IDENTITY, *usual) if old in _ORDERED else usual
    elif isinstance(right, (cst.Tuple, cst.List, cst.Set, cst.Dict)):
        fit = (*usual[:2], *_MEMBERSHIP, *usual[2:])
    else:
        fit = (*usual, *_ORDERED) if old in _IDENTITY else usual
    return tuple(sign for sign in dict.fromkeys(fit) if sign != old)


def _with_operator(site: Site, node: cst.Comparison, index: int, new: str) -> str:
    parts = [site.print(node.left)]
    for at, target in enumerate(node.comparisons):
        operator = f" {new} " if at == index else site.print(target.operator)
        parts += [operator, site.print(target.comparator)]
    return "".join(parts)


def _membership(site: Site) -> Iterator[Edit]:
    """One accepted value more: ``x == a`` as ``x in (a, b)``."""
    node = site.node_as(cst.Comparison)
    target = only_comparison(node)
    words = {"==": "in", "is": "in", "!=": "not in", "is not": "not in"}
    word = words.get(sign_of(site, target)) if target is not None else None
    if target is None or word is None:
        return
    own = site.print(target.comparator)
    literals = (item.text for item in (*site.words.strings[:8], *site.words.numbers[:5]))
    known = ("None", "''", *literals, *site.words.variables[:3], "0", "True", "False")
    for other, weight in weigh_by_rank(text for text in known if text != own):
        text = f"{site.print(node.left)} {word} ({own}, {other})"
        yield site.put(text, weight, f"accepts `{other}` beside `{clip_text(own)}` in `{clip_text(site.code)}`")


def _arithmetic(site: Site) -> Iterator[Edit]:
    node = site.node_as(cst.BinaryOperation)
    old = site.print(node.operator).strip()
    usual = _ARITHMETIC.get(old, ())
    for new, weight in weigh_by_rank((*usual, *(sign for sign in _COMMON if sign not in (old, *usual)))):
        text = f"{operand(site.print(node.left), '*')} {new} {operand(site.print(node.right), '*')}"
        flat = f"{site.print(node.left)} {new} {site.print(node.right)}"
        what = f"computes with `{new}` instead of `{old}` in `{clip_text(site.code)}`"
        yield site.put(text if text != flat and new not in ("and", "or") else flat, weight, what)


def _swap_operands(site: Site) -> Iterator[Edit]:
    match site.node:
        case cst.BinaryOperation(left=left, operator=operator, right=right):
            beside = "*"
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
            beside = "<"
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            word = site.print(operator).strip()
            beside = word if word in ("and", "or") else "<"  # a word can have a line break behind it
        case _:
            return
    sign = site.print(operator)
    if sign.strip() not in ("*", "&", "|", "^", "==", "!=", "is", "is not"):
        turned = sign.join(operand(site.print(node), beside) for node in (right, left))
        yield site.put(turned, 0.6, f"swaps the operands of `{clip_text(site.code)}`")


def _augmented_assignment(site: Site) -> Iterator[Edit]:
    small = site.small_statement
    if isinstance(small, cst.AugAssign):
        target, value, old = site.print(small.target), site.print(small.value), site.print(small.operator).strip()
        signs = (f"{sign}=" for sign in _ARITHMETIC.get(old[:-1], ()) if sign not in ("and", "or"))
        for new, weight in weigh_by_rank((*signs, "=")):
            what = f"updates `{target}` with `{new}` instead of `{old}`"
            yield site.lines((f"{target} {new} {value}",), weight, what)
        if old == "+=" and not isinstance(small.value, (cst.BaseNumber, cst.List, cst.Tuple)):
            yield site.lines((f"{target}.append({value})",), 0.3, f"appends to `{target}` instead of adding")
    elif isinstance(small, cst.Assign) and len(small.targets) == 1:
        target, value = site.print(small.targets[0].target), site.print(small.value)
        if not isinstance(small.targets[0].target, cst.Tuple):
            for new, weight in weigh_by_rank(("+=", "-=", "|=", "*=")):
                yield site.lines((f"{target} {new} {value}",), weight * 0.5, f"updates `{target}` with `{new}`")


def _regroup(site: Site) -> Iterator[Edit]:
    """``a + b * c`` as ``(a + b) * c``, the same for boolean operations, and ``a / b - c`` as ``(a - c) / b``."""
    node = site.node
    kinds = (cst.BinaryOperation, cst.BooleanOperation)
    if not isinstance(node, kinds):
        return
    outer, left, right = site.print(node.operator), site.print(node.left), site.print(node.right)
    if isinstance(node.right, kinds):
        inner = node.right
        text = f"({left}{outer}{site.print(inner.left)}){site.print(inner.operator)}{site.print(inner.right)}"
        yield site.put(text, 0.5, f"groups `{clip_text(site.code)}` the other way")
    if isinstance(node.left, kinds):
        inner = node.left
        text = f"{site.print(inner.left)}{site.print(inner.operator)}({site.print(inner.right)}{outer}{right})"
        yield site.put(text, 0.5, f"groups `{clip_text(site.code)}` the other way")
        if isinstance(inner, cst.BinaryOperation) and site.print(inner.operator).strip() != outer.strip():
            text = f"({site.print(inner.left)}{outer}{right}){site.print(inner.operator)}{site.print(inner.right)}"
            yield site.put(text, 0.5, f"computes with `{outer.strip()}` first in `{clip_text(site.code)}`")


OPERATORS = (
    Operator("comparison", "comparison", (cst.Comparison,), _comparison).with_examples(
        Example("def f(a, b):\n    return a < b\n", "def f(a, b):\n    return a <= b\n"),
        Example("def f(a, b):\n    return a is b\n", "def f(a, b):\n    return a == b\n"),
        Example("def f(a, most):\n    return a is not most\n", "def f(a, most):\n    return a > most\n"),
        Example("def f(a):\n    return a >= None\n", "def f(a):\n    return a is None\n"),
        Example("def f(a):\n    return a < ('x', 'y')\n", "def f(a):\n    return a in ('x', 'y')\n"),
        Example(
            "def f(age, limit):\n    if age > limit:\n        return None\n    return age\n",
            "def f(age, limit):\n    if age >= limit:\n        return None\n    return age\n",
        ),
        Example("def f(a, b):\n    return a + b\n"),
    ),
    Operator("membership", "comparison", (cst.Comparison,), _membership, choosy=True).with_examples(
        Example("def f(a):\n    return a == 'x'\n", "def f(a):\n    return a in ('x', '')\n"),
        Example("def f(a):\n    return a is not None\n", "def f(a):\n    return a not in (None, '')\n"),
        Example(
            "def f(mode):\n    if mode == 0:\n        return None\n    return mode\n",
            "def f(mode):\n    if mode in (0, None):\n        return None\n    return mode\n",
        ),
        Example("def f(a):\n    return a < 1\n"),
    ),
    Operator("arithmetic", "arithmetic", (cst.BinaryOperation,), _arithmetic).with_examples(
        Example("def f(a, b):\n    return a + b\n", "def f(a, b):\n    return a - b\n"),
        Example("def f(a, b):\n    return a / b\n", "def f(a, b):\n    return a // b\n"),
        Example("def f(pages, per):\n    return pages * per\n", "def f(pages, per):\n    return pages // per\n"),
        Example("def f(a, b):\n    return a >> b\n", "def f(a, b):\n    return a + b\n"),
        Example("def f(a):\n    return a\n"),
    ),
    Operator(
        "swap_operands", "arithmetic", (cst.BinaryOperation, cst.Comparison, cst.BooleanOperation), _swap_operands
    ).with_examples(
        Example("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return b - a\n"),
        Example("def f(a, b):\n    return a + 1 < b\n", "def f(a, b):\n    return b < a + 1\n"),
        Example("def f(root, name):\n    return name + root\n", "def f(root, name):\n    return root + name\n"),
        Example("def f(a, b):\n    return a == b\n"),
    ),
    Operator(
        "augmented", "arithmetic", (cst.SimpleStatementLine,), _augmented_assignment, roles=STATEMENT
    ).with_examples(
        Example("def f(a):\n    a -= 1\n    return a\n", "def f(a):\n    a += 1\n    return a\n"),
        Example("def f(a, b):\n    a = b\n    return a\n", "def f(a, b):\n    a += b\n    return a\n"),
        Example(
            "def f(rows):\n    total = 0\n    for row in rows:\n        total = row\n    return total\n",
            "def f(rows):\n    total = 0\n    for row in rows:\n        total += row\n    return total\n",
        ),
        Example(
            "def f(parts, name):\n    parts += 'name=' + name\n    return parts\n",
            "def f(parts, name):\n    parts.append('name=' + name)\n    return parts\n",
        ),
        Example("def f(a):\n    return a\n"),
    ),
    Operator("regroup", "arithmetic", (cst.BinaryOperation, cst.BooleanOperation), _regroup, choosy=True).with_examples(
        Example("def f(a, b):\n    return a + b * 2\n", "def f(a, b):\n    return (a + b) * 2\n"),
        Example("def f(a, b, c):\n    return a and b or c\n", "def f(a, b, c):\n    return a and (b or c)\n"),
        Example("def f(low, high):\n    return low + high / 2\n", "def f(low, high):\n    return (low + high) / 2\n"),
        Example(
            "def f(base, unit):\n    return base / unit.factor - unit.offset\n",
            "def f(base, unit):\n    return (base - unit.offset) / unit.factor\n",
        ),
        Example("def f(a, b):\n    return a + b\n"),
    ),
)
