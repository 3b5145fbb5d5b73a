"""Whether a condition has only one possible outcome, as far as its text alone tells."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from analysis.function_text import last_name, shape

_IMPURE = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Subscript, ast.Attribute)
_REFLEXIVE = (ast.Eq, ast.Is, ast.LtE, ast.GtE)
_IRREFLEXIVE = (ast.IsNot, ast.Lt, ast.Gt)
"""Not ``!=``: that a value differs from itself is how a program asks for NaN."""

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def is_pure(node: ast.AST) -> bool:
    """Whether evaluating the expression twice in a row surely gives the same."""
    return not any(isinstance(n, _IMPURE) for n in ast.walk(node))


def constant_truth(test: ast.expr) -> bool | None:
    """``True`` or ``False`` where the condition always is, ``None`` where that depends on something."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = constant_truth(operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=values):
            # One operand of the deciding value settles it; so does a pair of opposites.
            decides = isinstance(op, ast.Or)
            outcomes = [constant_truth(v) for v in values]
            pure = [v for v in values if is_pure(v)]
            said = {shape(v) for v in pure}
            if decides in outcomes or any(shape(opposite(v)) in said for v in pure):
                return decides
            return not decides if all(o is (not decides) for o in outcomes) else None
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _of_compare(left, op, right)
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return False if not elements else True if not all(isinstance(e, ast.Starred) for e in elements) else None
        case ast.Dict(keys=keys):
            return bool(keys)
        case ast.Lambda() | ast.GeneratorExp():
            return True
        case ast.JoinedStr(values=parts):
            return True if any(isinstance(p, ast.Constant) and p.value for p in parts) else None
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Name(id="object")]):
            return True
    return None


def _of_compare(left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool | None:
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant) and type(op) in _COMPARE:
        try:
            return bool(_COMPARE[type(op)](left.value, right.value))
        except TypeError:
            return None
    if is_pure(left) and shape(left) == shape(right):
        return True if isinstance(op, _REFLEXIVE) else False if isinstance(op, _IRREFLEXIVE) else None
    if isinstance(left, ast.Call) and last_name(left.func) == "len" and shape(right) == shape(ast.Constant(0)):
        return True if isinstance(op, ast.GtE) else False if isinstance(op, ast.Lt) else None
    return None


_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.Is: ast.IsNot,
    ast.In: ast.NotIn,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
}
_OPPOSITE_OF = _OPPOSITE | {b: a for a, b in _OPPOSITE.items()}


def opposite(test: ast.expr) -> ast.expr:
    """The condition that holds when this one does not, in its shortest form."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPPOSITE_OF:
            return ast.Compare(left, [_OPPOSITE_OF[type(op)]()], [right])
    return ast.UnaryOp(ast.Not(), test)
