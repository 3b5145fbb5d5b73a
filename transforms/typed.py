"""Edits that cannot work on the values that were seen: they add a number to a text, call a list, ask ``None`` for an item.

What is known are the types of names when the first failing test first came to a line. An edit of that line
whose expression cannot be evaluated on them ends the test, unless somebody catches what it raises. So such edits
are not lost: they are tried when all others have been.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping

import libcst as cst

from transforms.node_path import NodePath
from transforms.operators.operator import Edit, Site
from transforms.pieces import Piece
from transforms.spans import Span
from transforms.type_rules import is_impossible

Seen = tuple[tuple[int, tuple[tuple[str, str], ...]], ...]
"""Lines of the file, and for each the names that had a value there with the full names of their types."""

_OF_BUILTINS = "builtins."


class Typed:
    """Tells edits of one function that cannot work on the types seen at their lines."""

    def __init__(self, seen: Seen, source: str, spans: Mapping[NodePath, Span]) -> None:
        self._lines = {line: dict(_exact(values)) for line, values in seen}
        self._source = source
        self._spans = spans

    def is_impossible(self, site: Site, edit: Edit) -> bool:
        """Whether the edit's expression surely fails where it is evaluated first. Unknown types make anything possible."""
        if len(edit.changes) != 1 or edit.changes[0].at != site.path or not edit.changes[0].pieces:
            return False
        piece = edit.changes[0].pieces[0]
        if site.role == "statement":
            return piece is not site.node and any(
                self._fails(site.line, site, t) for t in _evaluated(_printed(site, piece))
            )
        top = _whole(site)
        if top is None:
            return False
        (start, end), (left, right) = self._spans[site.path], self._spans[top.path]
        text = f"{self._source[left:start]}({_printed(site, piece)}){self._source[end:right]}"
        return self._fails(_line_of(top), site, text)

    def _fails(self, line: int, site: Site, text: str) -> bool:
        types = self._lines.get(line)
        if not types:
            return False
        words = site.words
        shadowed = words.defined | {i.text for i in words.names}
        return not words.has_star and is_impossible(text, types, frozenset(shadowed))


def _exact(values: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
    """The names whose values are of builtin types, and the last names of these."""
    for name, kind in values:
        if kind.startswith(_OF_BUILTINS) and hasattr(builtins, kind.removeprefix(_OF_BUILTINS)):
            yield name, kind.removeprefix(_OF_BUILTINS)
        elif kind in ("builtins.NoneType", "types.NoneType"):
            yield name, "NoneType"


def _printed(site: Site, piece: Piece) -> str:
    return piece if isinstance(piece, str) else site.print(piece)


def _whole(site: Site) -> Site | None:
    """The outermost expression around an expression, up to its statement; nothing inside a function of its own."""
    if site.role != "value":
        return None
    top = site
    for around in site.above():
        if isinstance(around.node, (cst.Lambda, cst.CompFor, cst.BaseComp, cst.FormattedStringExpression)):
            return None
        if isinstance(around.node, cst.BaseExpression):
            if around.role != "value":
                return None
            top = around
        elif isinstance(around.node, (cst.BaseStatement, cst.BaseSmallStatement, cst.BaseSuite)):
            break
    return top


def _line_of(top: Site) -> int:
    """The line at which the expression begins to be evaluated: that of its statement, or of its ``elif``."""
    head = top.within(cst.If, cst.BaseStatement)
    inside = head is not None and isinstance(head.node, cst.If) and top.field == "test"
    return head.line if inside and head is not None else top.statement.line


def _evaluated(text: str) -> Iterator[str]:
    """What a statement, put before another, evaluates first."""
    try:
        tree = ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    match tree.body[:1]:
        case [ast.Assign(value=value) | ast.Expr(value=value) | ast.Return(value=ast.expr() as value)]:
            yield ast.unparse(value)
        case [ast.AugAssign(target=ast.Name() as target, op=op, value=value)]:
            yield ast.unparse(ast.BinOp(ast.Name(target.id, ast.Load()), op, value))
        case [ast.If(test=test) | ast.While(test=test)]:
            yield ast.unparse(test)
        case [ast.For(iter=walked)]:
            yield f"iter({ast.unparse(walked)})"
