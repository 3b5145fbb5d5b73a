"""The tests that files hold, by the node ids that pytest gives them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from analysis.function_text import FunctionNode

TestNode = tuple[str, FunctionNode]
"""A test by its node id without the row of a table, and its function."""


def tests_in(trees: Mapping[str, ast.Module]) -> tuple[TestNode, ...]:
    """The tests of these files, by path, in their order."""
    return tuple(found for path, tree in trees.items() for found in _tests_below(tree.body, path))


def _tests_below(body: Sequence[ast.stmt], above: str) -> Iterator[TestNode]:
    for node in body:
        if isinstance(node, FunctionNode) and node.name.startswith("test"):
            yield f"{above}::{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _tests_below(node.body, f"{above}::{node.name}")
