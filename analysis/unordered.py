"""Where a function takes the items of a set one by one, so that their order shows.

The order of texts in a set hangs on the seed of the process's hashes: what passes its tests here may fail there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analysis.function_text import FunctionNode, last_name, parents
from analysis.use import Use, use_at

_MAKERS = ("set", "frozenset")
_KEEPING = ("list", "tuple", "enumerate", "zip", "iter", "map", "filter", "join", "reversed", "extend", "deque")
_INDIFFERENT = ("sorted", "sum", "min", "max", "len", "any", "all", "set", "frozenset", "Counter", "update", "fsum")
_GATHERING = ("append", "extend", "insert", "write", "appendleft", "put")
_CLAIM = "takes the items of a set one by one, in an order that differs from process to process"


def unordered(function: FunctionNode) -> Iterator[Use]:
    """Each place where the order of a set's items shows in what the function does."""
    above = parents(function)
    for node in ast.walk(function):
        match node:
            case ast.For(iter=whole, body=body) | ast.AsyncFor(iter=whole, body=body) if _is_set(whole):
                shows = any(_tells_order(inner) for statement in body for inner in ast.walk(statement))
            case ast.ListComp() | ast.GeneratorExp() if _is_set(node.generators[0].iter):
                shows = not _is_indifferent(above.get(node), node)
            case ast.Call(func=called, args=args) if last_name(called) in _KEEPING and any(map(_is_set, args)):
                shows = not _is_indifferent(above.get(node), node)
            case ast.Starred(value=whole) if _is_set(whole):
                shows = isinstance(above.get(node), (ast.List, ast.Tuple, ast.Call))
            case _:
                shows = False
        if shows:
            yield use_at(node, "order", "", _CLAIM, review=True)


def _is_set(node: ast.AST) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _MAKERS
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return _is_set(left) or _is_set(right)
    return False


def _is_indifferent(outer: ast.AST | None, node: ast.AST) -> bool:
    """Whether what takes the items gives the same in any order."""
    match outer:
        case ast.Call(func=called, args=args) if node in args:
            return last_name(called) in _INDIFFERENT
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[whole]):
            return whole is node
        case ast.comprehension() | ast.keyword():
            return False
    return False


def _tells_order(node: ast.AST) -> bool:
    """Whether a part of a loop's body keeps the order of its rounds, or ends them."""
    match node:
        case ast.Return(value=value):
            return not (value is None or isinstance(value, ast.Constant))
        case ast.Yield() | ast.YieldFrom() | ast.Break():
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _GATHERING
        case ast.AugAssign(op=ast.Add(), value=ast.List() | ast.Tuple() | ast.JoinedStr()):
            return True
        case ast.AugAssign(op=ast.Add(), value=ast.Constant(value=str() | bytes())):
            return True
    return False
