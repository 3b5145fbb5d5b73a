"""Which kind of edit a failure asks for: one rule, for what people are told and for what a model is asked.

One statement whose text stands once in the function, and which holds an expression, asks for an *update*. What lies
within a few lines asks for a *patch*, and anything else for a *rewrite*. It is a suggestion: a search tries all kinds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.exception_kinds import Subclass
from analysis.function_text import FunctionNode, Unreadable, parse_function

PATCH_LINES = 10
"""Fewer lines than this in one place are a patch, unless the configuration says otherwise (``patch-lines``)."""

NEAR = 0.95
"""A line is suspicious from this share of the most suspicious one's score on."""

ADDING = frozenset({Subclass.MISSING_RAISE, Subclass.UNBOUND})
"""What fails for want of a statement that no expression can stand for."""

KindWord = Literal["update", "patch", "rewrite"]


@dataclass(frozen=True, slots=True)
class SuggestedKind:
    """The kind, how far a change goes, and why, each for a reader. ``line`` is that of the one place, 0 without one."""

    kind: KindWord
    scope: str
    reason: str
    line: int = 0


def suspicious_lines(scores: Sequence[tuple[int, float]]) -> tuple[int, ...]:
    """The lines that are about as suspicious as the most suspicious one."""
    top = max((score for _, score in scores), default=0.0)
    return tuple(line for line, score in scores if score > 0 and score >= NEAR * top)


def suggest_kind(
    function: str, first_line: int, lines: Sequence[int], subclass: str = "", patch_lines: int = PATCH_LINES
) -> SuggestedKind:
    """The kind for a failure that concerns these lines of the file; the text of the function begins on ``first_line``.

    The lines are those where a traceback ends in it, else the suspicious ones. Of a compound statement its head counts.
    """
    pieces = _pieces(function)
    held = {_holder(pieces, line - first_line + 1) for line in lines} - {None}
    found = sorted(piece for piece in held if piece is not None)
    if not found:
        return SuggestedKind("rewrite", "the whole function", "no single place is more suspect than the others")
    first, last = found[0][0], max(end for _, end in found)
    place = first_line + first - 1
    where = f"line {place}" if first == last else f"lines {place} to {first_line + last - 1}"
    if len(found) == 1:
        return _in_one_place(function, pieces, found[0], place, where, subclass)
    if last - first + 1 < patch_lines:
        reason = "several statements are suspect alike, within a few lines"
        return SuggestedKind("patch", f"{len(found)} statements in one place, {where}", reason)
    reason = f"what is suspect lies {last - first + 1} lines apart, and a patch has fewer than {patch_lines}"
    return SuggestedKind("rewrite", f"the whole function: {len(found)} statements, {where}", reason)


_Piece = tuple[int, int]
"""First and last line, in the function's text, of a simple statement or of the head of a compound one."""


def _in_one_place(
    function: str, pieces: Mapping[_Piece, bool], only: _Piece, place: int, where: str, subclass: str
) -> SuggestedKind:
    scope = f"one statement, {where}"
    if subclass in ADDING:
        return SuggestedKind("patch", scope, "a statement is missing there, and no expression can stand for it", place)
    if not pieces[only]:
        return SuggestedKind("patch", scope, "the statement holds no expression", place)
    code = [each.strip() for each in function.splitlines()]
    texts = ["\n".join(code[first - 1 : last]) for first, last in pieces]
    times = texts.count("\n".join(code[only[0] - 1 : only[1]]))
    if times == 1:
        return SuggestedKind("update", scope, "one place, and its text stands once in the function", place)
    return SuggestedKind("patch", scope, f"the text of the place stands {times} times in the function", place)


def _pieces(function: str) -> Mapping[_Piece, bool]:
    """The statements of the function in order, and whether each holds an expression."""
    tree = parse_function(function)
    if isinstance(tree, Unreadable):
        return {}
    return dict(sorted(_pieces_below(tree)))


def _pieces_below(tree: FunctionNode) -> Iterator[tuple[_Piece, bool]]:
    for node in ast.walk(tree):
        if node is tree or not isinstance(node, ast.stmt | ast.ExceptHandler):
            continue
        own = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt | ast.ExceptHandler)]
        inner: list[ast.stmt] = getattr(node, "body", [])
        last = max(node.lineno, inner[0].lineno - 1) if inner else node.end_lineno or node.lineno
        yield (node.lineno, last), any(isinstance(child, ast.expr | ast.withitem) for child in own)


def _holder(pieces: Mapping[_Piece, bool], line: int) -> _Piece | None:
    """The statement that the line belongs to: of several the one that begins last."""
    return max((piece for piece in pieces if piece[0] <= line <= piece[1]), default=None)
