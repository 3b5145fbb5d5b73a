"""Stable addresses of nodes inside one function: field names and indices, never identity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

NodePath = tuple[str | int, ...]
"""Steps from the function's own node: a field name, then, for a sequence field, an index. ``()`` is the function."""


def steps(node: cst.CSTNode) -> Iterator[tuple[NodePath, cst.CSTNode]]:
    """Each direct child with the steps that lead to it, in source order of the fields."""
    names: tuple[str, ...] = node.__match_args__  # the fields in their order, sooner told than by ``fields``
    for name in names:
        value: Any = getattr(node, name)
        if isinstance(value, (tuple, list)):
            for index, item in enumerate(value):
                if isinstance(item, cst.CSTNode):
                    yield (name, index), item
        elif isinstance(value, cst.CSTNode):
            yield (name,), value


def walk(node: cst.CSTNode, at: NodePath = ()) -> Iterator[tuple[NodePath, cst.CSTNode]]:
    """The node and everything below it with their paths, parents first."""
    yield at, node
    for more, child in steps(node):
        yield from walk(child, at + more)


def node_at(root: cst.CSTNode, path: NodePath) -> Any:
    """The node (or, for a path that ends in a sequence field, the sequence) at the path.

    Raises ``LookupError`` when the path leads nowhere.
    """
    value: Any = root
    for step in path:
        if isinstance(step, int):
            value = value[step]
        elif hasattr(value, step):
            value = getattr(value, step)
        else:
            raise LookupError(f"{type(value).__name__} has no field {step!r}")
    return value


def replace_at(root: cst.CSTNode, path: NodePath, nodes: tuple[cst.CSTNode, ...]) -> cst.CSTNode:
    """A copy of the tree with the node at the path replaced; nothing else is rebuilt.

    Several nodes, or none, can only stand in for an element of a sequence field.
    """
    if not path:
        if len(nodes) != 1:
            raise LookupError("the function itself is replaced by exactly one function")
        return nodes[0]
    name = path[0]
    assert isinstance(name, str), "a path starts with a field name"
    value = getattr(root, name)
    if isinstance(value, cst.CSTNode):
        new: Any = replace_at(value, path[1:], nodes)
    else:
        index = path[1]
        assert isinstance(index, int), "a sequence field is followed by an index"
        rest = path[2:]
        inner = nodes if not rest else (replace_at(value[index], rest, nodes),)
        new = [*value[:index], *inner, *value[index + 1 :]]
    return root.with_changes(**{name: new})
