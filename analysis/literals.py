"""Literal values as a text writes them: folded, hashable, and told from those that every program uses."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from analysis.function_text import Unreadable, parse_module

Literal = Hashable
"""A plain value; lists are tuples here, sets frozensets, dicts tuples of pairs."""

_LONGEST = 1_000
_LARGEST = 10_000
_COMMON = (0, 1, -1, 2)
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class NotLiteral(Exception):
    """The expression is not made of literals alone."""


def literal(node: ast.AST | None) -> Literal:
    """The value of an expression of literals, simple arithmetic on them included. Raises ``NotLiteral``."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return tuple(literal(e) for e in elements)
        case ast.Set(elts=elements):
            return frozenset(literal(e) for e in elements)
        case ast.Dict(keys=keys, values=values):
            return tuple((literal(k), literal(v)) for k, v in zip(keys, values, strict=True))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            number = literal(operand)
            if isinstance(number, (int, float, complex)):
                return -number if isinstance(sign, ast.USub) else number
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _compute(_OPERATORS[type(op)], literal(left), literal(right))
        case ast.JoinedStr(values=parts):
            return "".join(str(literal(p)) for p in parts)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return literal(value)
    raise NotLiteral


def _compute(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Literal:
    """Refuses what could grow beyond measure: this runs on text that nobody trusts."""
    if not (_is_small(left) and _is_small(right)) or (function is operator.mod and not isinstance(left, (int, float))):
        raise NotLiteral
    try:
        computed: Literal = function(left, right)
    except (TypeError, ArithmeticError, ValueError) as problem:
        raise NotLiteral from problem
    return computed


def _is_small(value: Any) -> bool:
    """Numbers and sequences whose sum and product stay within a few megabytes."""
    if isinstance(value, (str, bytes, tuple)):
        return len(value) <= _LONGEST
    return isinstance(value, (int, float)) and abs(value) <= _LARGEST


def literal_or(node: ast.AST | None, default: Literal) -> Literal:
    """The value of an expression of literals, or the default; what is nested too deeply is none."""
    try:
        return literal(node)
    except (NotLiteral, RecursionError):
        return default


def is_common(value: Literal) -> bool:
    """Whether the value says nothing about where it came from: empty, tiny, or made of such."""
    match value:
        case None | bool():
            return True
        case int() | float() | complex():
            return value in _COMMON
        case str() | bytes():
            return len(value) <= 1
        case tuple() | frozenset():
            return all(is_common(v) for v in value)
    return value is ...


def literals_in(node: ast.AST) -> Iterator[Literal]:
    """Each literal of the node: whole ones that are written as a sum or a container, and all of their parts."""
    for part in ast.walk(node):
        value = literal_or(part, NotLiteral) if isinstance(part, ast.expr) else NotLiteral
        if value is not NotLiteral:
            yield value


def texts_of(source: bytes) -> tuple[str, ...]:
    """The texts that a file writes down as literals; none where it cannot be parsed."""
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return ()
    nodes = (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant))
    return tuple(
        v if isinstance(v, str) else v.decode("utf-8", "replace") for v in nodes if isinstance(v, (str, bytes))
    )


def with_spellings(values: frozenset[Literal]) -> frozenset[Literal]:
    """The values, and the numbers among them as text and with the other sign."""
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return values | {str(n) for n in numbers} | {-n for n in numbers}


def with_parts(values: frozenset[Literal]) -> frozenset[Literal]:
    """The values, and the containers inside them: one row of an expected table answers as well as all of it."""
    return values | {part for value in values for part in _containers(value) if not is_common(part)}


def _containers(value: Literal) -> Iterator[Literal]:
    for part in value if isinstance(value, (tuple, frozenset)) else ():
        if isinstance(part, (tuple, frozenset)):
            yield part
            yield from _containers(part)
