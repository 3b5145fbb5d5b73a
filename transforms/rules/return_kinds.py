"""What kinds of values a function returns in so many words: flags, numbers, texts, rows, nothing."""

from __future__ import annotations

import ast

from transforms.rules.antipatterns import trees_of

_DISPLAYS = {ast.List: "list", ast.Tuple: "tuple", ast.Dict: "dict", ast.Set: "set", ast.JoinedStr: "str"}


def strange_answers(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[str, ...]:
    """Literals that only the new function returns, where the old one returns literals, and none of that kind."""
    trees = trees_of(before, after, encoding)
    if trees is None:
        return ()
    old, new = (_returned_literals(tree) for tree in trees)
    kinds = {kind for _, kind in old}
    return tuple(text for text, kind in new if kinds and kind not in kinds)


def _returned_literals(tree: ast.AST) -> tuple[tuple[str, str], ...]:
    """The literals that are returned with their kinds, each once; a branch of ``a if c else b`` counts as returned."""
    pending = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    found: dict[tuple[str, str], None] = {}
    while pending:
        value = pending.pop(0)
        if isinstance(value, ast.IfExp):
            pending += [value.body, value.orelse]
        elif kind := _kind(value):
            found[ast.unparse(value), kind] = None
    return tuple(found)


def _kind(value: ast.expr) -> str:
    """Empty where it is no literal. A negative number is one, and numbers with and without a point are alike."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        return _kind(value.operand)
    if isinstance(value, ast.Constant):
        return "number" if type(value.value) in (int, float, complex) else type(value.value).__name__
    return _DISPLAYS.get(type(value), "")
