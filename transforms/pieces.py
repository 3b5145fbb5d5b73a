"""Small pieces of code as operators write them: text put together, and turned into nodes for a place."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import libcst as cst

from transforms.fragments import parse_expression, parse_statements
from transforms.node_path import NodePath, node_at
from transforms.parens import fitted

Piece = str | cst.CSTNode
"""Code for a place: a node, or text that is parsed when the edit is drawn."""

_PLACES = MappingProxyType(
    {
        "or": (cst.parse_expression("a or b"), "right"),
        "and": (cst.parse_expression("a and b"), "right"),
        "not": (cst.parse_expression("not a"), "expression"),
        "<": (cst.parse_expression("a < b"), "left"),
        "+": (cst.parse_expression("a + b"), "left"),
        "*": (cst.parse_expression("a * b"), "right"),
        ".": (cst.parse_expression("a.b"), "value"),
    }
)


def operand(text: str, beside: str) -> str:
    """The text of an expression so that it can stand beside that operator, in parentheses if need be."""
    if text.replace(".", "").isidentifier():
        return text  # by far the commonest: spare the parser
    node = parse_expression(text)
    parent, field = _PLACES[beside]
    return text if node is not None and fitted(parent, field, node) is node else f"({text})"


def as_nodes(root: cst.CSTNode, at: NodePath, pieces: Sequence[Piece]) -> tuple[cst.CSTNode, ...] | None:
    """The pieces as nodes that may stand at the path, in parentheses where the place needs them.

    A deleted only statement leaves ``pass`` behind. ``None`` when some text does not parse.
    """
    old = node_at(root, at)
    if isinstance(old, cst.BaseStatement):
        return _as_statements(root, at, pieces)
    (piece,) = pieces
    node = parse_expression(piece) if isinstance(piece, str) else piece
    if node is None:
        return None
    parent, field = (
        node_at(root, at[: -2 if isinstance(at[-1], int) else -1]),
        at[-2 if isinstance(at[-1], int) else -1],
    )
    assert isinstance(field, str), "an index follows a field"
    return (fitted(parent, field, node),)


def _as_statements(root: cst.CSTNode, at: NodePath, pieces: Sequence[Piece]) -> tuple[cst.CSTNode, ...] | None:
    nodes: list[cst.CSTNode] = []
    for piece in pieces:
        parsed = parse_statements(piece) if isinstance(piece, str) else (piece,)
        if parsed is None:
            return None
        nodes.extend(parsed)
    if not nodes and len(node_at(root, at[:-1])) == 1:
        nodes.append(cst.SimpleStatementLine([cst.Pass()]))
    return tuple(nodes)
