"""The forms of what functions return: expressions with their variables numbered, so that names do not count."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from analysis.function_text import SCOPES, FunctionNode, own_nodes

LEAST_NODES = 8
"""Smaller expressions are alike by chance."""

_WORK = (ast.BinOp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.Subscript)
_BUILTIN = frozenset(dir(builtins))


def results_of(function: FunctionNode) -> frozenset[str]:
    """The forms of what the function returns, where that is more than a call or a constant."""
    returned = (n.value for n in own_nodes(function, SCOPES) if isinstance(n, ast.Return) and n.value is not None)
    return frozenset(form for value in returned for form in forms_of(value))


def forms_of(node: ast.expr) -> Iterator[str]:
    """The expression's form; none where it is short, calls and reckons nothing, or stands behind a star."""
    inner = [n for n in ast.walk(node) if not isinstance(n, (ast.expr_context, ast.operator, ast.cmpop, ast.boolop))]
    if isinstance(node, ast.Starred) or len(inner) < LEAST_NODES or not any(isinstance(n, _WORK) for n in inner):
        return
    copied = ast.parse(ast.unparse(node), mode="eval").body
    numbers: dict[str, int] = {}
    for name in (n for n in ast.walk(copied) if isinstance(n, ast.Name) and n.id not in _BUILTIN):
        name.id = f"v{numbers.setdefault(name.id, len(numbers))}"
    yield ast.dump(copied)
