"""Expressions whose value is certainly another than that of a given one, as text that takes its place.

A literal stays one, so that whoever reads the text finds the other value too. Everything else is evaluated as before
and then dropped for something that equals nothing.
"""

from __future__ import annotations

import ast
import math

_NOTHING = "object()"


def off_value(node: ast.expr, segment: str) -> str:
    """Text for the place of the expression, whose own text is the segment; on as many lines as before."""
    literal = _off_literal(node, segment)
    if literal is not None and _is_expression(literal):
        return literal
    return instead(segment, _NOTHING)


def instead(segment: str, value: str) -> str:
    """The expression is evaluated, and the other value taken."""
    return f"({segment}, {value})[1]"


def negated(segment: str) -> str:
    """The opposite truth."""
    return f"not ({segment})"


def is_literal(node: ast.expr) -> bool:
    """Whether the text itself says the value, or at least what kind of value it is."""
    match node:
        case ast.Constant() | ast.JoinedStr() | ast.List() | ast.Tuple() | ast.Dict() | ast.Set():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
    return False


def _off_literal(node: ast.expr, segment: str) -> str | None:
    match node:
        case ast.Constant(value=bool() as value):
            return str(not value)
        case ast.Constant(value=int() | float() | complex() as value):
            return _off_number(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return _off_number(-value)
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
            return _before_quote(segment)
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return _longer(segment, elements, '"~"', "," if isinstance(node, ast.Tuple) else "")
        case ast.Dict(values=values):
            return _longer(segment, values, '"~": "~"', "")
    return None


def _off_number(value: complex) -> str | None:
    """Seven more, or half of a number so large that seven more is the same."""
    other = value + 7
    if other == value:
        other = value / 2
    if other == value or other != other or (isinstance(other, float) and math.isinf(other)):
        return None
    return f"({other!r})" if isinstance(value, complex) else repr(other)


def _before_quote(segment: str) -> str | None:
    quote = segment[-1:]
    if quote not in ("'", '"'):
        return None
    closing = quote * 3 if segment.endswith(quote * 3) and segment.count(quote * 3) >= 2 else quote
    return f"{segment[: -len(closing)]}~{closing}"


def _longer(segment: str, elements: list[ast.expr], more: str, comma: str) -> str | None:
    """The display with one element more, behind the last of those that it has."""
    if not elements:
        return f"{segment[0]}{more}{comma}{segment[-1]}" if segment[1:-1].strip() == "" else None
    body = segment[:-1].rstrip()
    if "#" in body.rsplit("\n", 1)[-1]:
        return None
    kept = segment[len(body) : -1]
    return f"{body}{'' if body.endswith(',') else ','} {more}{kept}{segment[-1]}"


def _is_expression(text: str) -> bool:
    try:
        ast.parse(f"({text})", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
