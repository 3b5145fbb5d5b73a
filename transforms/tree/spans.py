"""Where each node of a function stands in its printed tree."""

from __future__ import annotations

import re
from collections.abc import Callable

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, WhitespaceInclusivePositionProvider

from transforms.tree.scope import EditScope

Span = tuple[int, int]
Placed = Callable[[cst.CSTNode], tuple[int, Span]]

NEWLINE = re.compile(r"\r\n?|\n")


def places_in(scope: EditScope) -> Placed:
    """A function that tells the line (from 1) and the span of a node of the scope's tree, its whitespace included."""
    positions = MetadataWrapper(scope.tree, unsafe_skip_copy=True).resolve(WhitespaceInclusivePositionProvider)
    text = scope.tree.code
    starts = [0, *(m.end() for m in NEWLINE.finditer(text)), len(text)]

    def place(node: cst.CSTNode) -> tuple[int, Span]:
        found = positions[node]
        assert isinstance(found, CodeRange), "this provider gives ranges"
        start, end = found.start, found.end
        return start.line, (starts[start.line - 1] + start.column, starts[end.line - 1] + end.column)

    return place
