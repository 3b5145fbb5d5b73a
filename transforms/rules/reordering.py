"""Whether an edit changes nothing but the order in which something is walked."""

from __future__ import annotations

import ast

from transforms.rules.antipatterns import trees_of

_ORDERS = ("reversed", "sorted", "set", "frozenset", "list", "tuple")
"""What is walked over in place of a collection, each of its elements among the others."""


def only_reorders(before: bytes, after: bytes, encoding: str = "utf-8") -> bool:
    """Whether both texts are the same but for ``reversed``, ``set``, ``[::-1]`` and the like around what is in both."""
    trees = trees_of(before, after, encoding)
    if trees is None:
        return False
    old, new = trees
    if ast.dump(old) == ast.dump(new):
        return False
    return ast.dump(_Unordered().visit(old)) == ast.dump(_Unordered().visit(new))


class _Unordered(ast.NodeTransformer):
    """Takes out what only orders."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``sorted(xs, key=…)`` and ``set(xs)`` are ``xs`` in some order."""
        self.generic_visit(node)
        orders = isinstance(node.func, ast.Name) and node.func.id in _ORDERS and len(node.args) == 1
        return node.args[0] if orders else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``xs[::-1]`` is ``xs`` backwards."""
        self.generic_visit(node)
        return node.value if ast.unparse(node.slice) == "::-1" else node
