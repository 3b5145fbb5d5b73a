"""Collections that a function makes empty and only asks: nothing is ever found in them."""

from __future__ import annotations

import ast
from collections import Counter


def unfilled(function: ast.AST) -> tuple[tuple[str, str], ...]:
    """Names of such sets and lists, each with the method that puts something in.

    One that has any other use is left out: it may be filled by whoever gets it, or is told as it is.
    """
    nodes = tuple(ast.walk(function))
    uses = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    uses.update(node.arg for node in nodes if isinstance(node, ast.arg))
    asked = Counter(
        asked.id
        for node in nodes
        if isinstance(node, ast.Compare)
        for operator, asked in zip(node.ops, node.comparators, strict=True)
        if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(asked, ast.Name)
    )
    made = {}
    for node in nodes:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        method = _filled_by(node.value) if isinstance(node, (ast.Assign, ast.AnnAssign)) else ""
        if method and len(targets) == 1 and isinstance(targets[0], ast.Name):
            made[targets[0].id] = method
    return tuple((name, method) for name, method in made.items() if asked[name] and uses[name] == asked[name] + 1)


def _filled_by(value: ast.expr | None) -> str:
    """The method that puts something into what the expression makes, where that is empty."""
    text = ast.unparse(value) if value is not None else ""
    return "add" if text == "set()" else "append" if text in ("[]", "list()") else ""
