"""The function itself: with the numbers of its statements, suspicious lines marked, folded where it is long."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from analysis.function_text import without_docstring
from repair.model.facts.matter import Matter, clip, from_margin, signature

MOST = 4500
"""Characters of a function that are shown; a longer one is folded."""

_KEPT_DOCSTRING = 3
"""Lines of a docstring that are kept where a function is folded."""


def numbered_function(matter: Matter) -> str:
    """The function whole where it is short enough; else with its docstring cut, then what ran, then what is suspicious.

    A star stands before the bar of the most suspicious lines.
    """
    return next((text for kept in _foldings(matter) if len(text := _show(matter, kept)) <= MOST), "")


def _show(matter: Matter, kept: Set[int]) -> str:
    first = matter.plan.function.first_line
    starred = frozenset(line - first + 1 for line in matter.suspicious)
    return matter.numbered.show(kept, starred)


def _foldings(matter: Matter) -> Iterator[Set[int]]:
    """Sets of lines of the text, each smaller than the one before; the last is small enough for any function."""
    lines = [line.line for line in matter.numbered.lines]
    every = frozenset(lines)
    yield every
    if matter.node is None:
        yield frozenset(lines[: MOST // 160])
        return
    shorter = every - _rest_of_docstring(matter)
    yield shorter
    first = matter.plan.function.first_line
    ran = frozenset(line - first + 1 for line in matter.ran) & shorter
    if ran:
        yield _with_heads(matter, ran) & shorter
    scores = {line - first + 1: score for line, score in matter.plan.suspect.line_scores}
    centre = sorted(ran or shorter, key=lambda line: (-scores.get(line, 0.0), line))
    for count in (80, 60, 40, 25, 15, 8, 4, 2, 1):
        yield _with_heads(matter, frozenset(centre[:count])) & shorter
    yield frozenset(lines[:1])


def _rest_of_docstring(matter: Matter) -> frozenset[int]:
    """The lines of the docstring behind its first ones."""
    node = matter.node
    if node is None or len(without_docstring(node.body)) == len(node.body):
        return frozenset()
    text, first = node.body[0], matter.plan.function.first_line
    return frozenset(range(text.lineno + _KEPT_DOCSTRING - first + 1, (text.end_lineno or text.lineno) - first + 2))


def _with_heads(matter: Matter, lines: Set[int]) -> frozenset[int]:
    """The lines, the rest of their statements, and the first lines of what these stand in."""
    assert matter.node is not None, "whoever folds has the tree"
    first = matter.plan.function.first_line
    kept = set(range(1, matter.node.body[0].lineno - first + 1)) | {matter.node.lineno - first + 1}
    kept |= {line for line in range(1, _KEPT_DOCSTRING + 1) if matter.node.body[0].lineno - first + line in lines}
    for node in ast.walk(matter.node):
        if isinstance(node, ast.stmt | ast.ExceptHandler) and node is not matter.node:
            start, end = node.lineno - first + 1, (node.end_lineno or node.lineno) - first + 1
            if any(start <= line <= end for line in lines):
                inner: list[ast.stmt] = getattr(node, "body", [])
                kept |= set(range(start, max(start, inner[0].lineno - first if inner else end) + 1))
    return frozenset(kept)


def hidden_function(matter: Matter) -> str:
    """Decorators, signature and docstring; of the body nothing."""
    node = matter.node
    if node is None:
        return ""
    body = without_docstring(node.body)
    last = (body[0].lineno if body else (node.end_lineno or node.lineno) + 1) - 1
    if last < node.lineno:
        return f"{signature(node)}:\n    …"
    lines = matter.lines_of(matter.plan.function.path)[matter.plan.function.first_line - 1 : last]
    while lines and lines[-1].lstrip().startswith("#"):
        lines.pop()  # a comment above the first statement speaks of what is hidden
    return clip(from_margin(lines), MOST) + "\n    …"
