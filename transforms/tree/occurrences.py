"""Where in a function a given expression, or a run of statements, stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from transforms.tree.node_path import NodePath, steps
from transforms.tree.shape import shape

_BARE_NAMES = {
    ("Attribute", "attr"),
    ("Arg", "keyword"),
    ("Param", "name"),
    ("FunctionDef", "name"),
    ("ClassDef", "name"),
    ("ImportAlias", "name"),
    ("ImportFrom", "module"),
    ("AsName", "name"),
    ("NameItem", "name"),
    ("TypeVar", "name"),
    ("MatchKeywordElement", "key"),
}
"""Places of names that are no expressions: nothing but another name could stand there."""


def expressions_like(root: cst.CSTNode, wanted: cst.BaseExpression) -> Iterator[NodePath]:
    """Paths of the expressions that say the same as ``wanted``, however they are laid out."""
    sought = shape(wanted)
    for at, node in _expressions(root, ()):
        if type(node) is type(wanted) and shape(node) == sought:
            yield at


def _expressions(node: cst.CSTNode, at: NodePath) -> Iterator[tuple[NodePath, cst.BaseExpression]]:
    for more, child in steps(node):
        if (type(node).__name__, more[0]) in _BARE_NAMES:
            continue
        if isinstance(child, cst.BaseExpression):
            yield at + more, child
        yield from _expressions(child, at + more)


def runs_like(root: cst.CSTNode, wanted: Sequence[cst.CSTNode]) -> Iterator[tuple[NodePath, ...]]:
    """For each run of consecutive statements of one block that says the same as ``wanted``, their paths."""
    sought = [shape(statement) for statement in wanted]
    for block, statements in _blocks(root, ()):
        shapes = [shape(statement) for statement in statements]
        for first in range(len(shapes) - len(sought) + 1):
            if shapes[first : first + len(sought)] == sought:
                yield tuple((*block, "body", first + index) for index in range(len(sought)))


def _blocks(node: cst.CSTNode, at: NodePath) -> Iterator[tuple[NodePath, Sequence[cst.CSTNode]]]:
    if isinstance(node, cst.IndentedBlock):
        yield at, node.body
    for more, child in steps(node):
        yield from _blocks(child, at + more)
