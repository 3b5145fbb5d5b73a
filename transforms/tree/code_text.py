"""Small pieces of code as operators write them: text put together, and turned into nodes for a place."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import libcst as cst

from transforms.tree.fragments import Fragments, parse_expression
from transforms.tree.node_path import NodePath, node_at
from transforms.tree.parens import fit_into_field

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
    return text if node is not None and fit_into_field(parent, field, node) is node else f"({text})"


def as_nodes(
    root: cst.CSTNode, at: NodePath, pieces: Sequence[Piece], fragments: Fragments
) -> tuple[cst.CSTNode, ...] | None:
    """The pieces as nodes for the path; who puts them there adds the parentheses that the place needs.

    A deleted only statement leaves ``pass`` behind. ``None`` when some text does not parse.
    """
    if not isinstance(node_at(root, at), cst.BaseStatement):
        (piece,) = pieces
        node = fragments.expression(piece) if isinstance(piece, str) else piece
        return None if node is None else (node,)
    nodes: list[cst.CSTNode] = []
    for piece in pieces:
        parsed = fragments.statements(piece) if isinstance(piece, str) else (piece,)
        if parsed is None:
            return None
        nodes.extend(parsed)
    if not nodes and len(node_at(root, at[:-1])) == 1:
        nodes.append(cst.SimpleStatementLine([cst.Pass()]))
    return tuple(nodes)
