"""The piece of source that a frame points at, as syntax nodes.

With columns (targets from 3.11 on) the region is what the interpreter was evaluating; without, it is the line. Only the
block of the frame's code object is parsed, and the whole file where that fails. A source that the engine's grammar
refuses has no site.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from analysis.errors import UnparseableError
from analysis.facts import Frame
from analysis.function_text import first_line_of
from analysis.functions import source_encoding

Sources = Sequence[tuple[str, bytes]]
"""(path, content) pairs of the project's files."""


@dataclass(frozen=True, slots=True)
class FrameSource:
    """Where a frame stands: its statement and the nodes of its region, children before parents."""

    frame: Frame
    lines: tuple[str, ...]
    statement: ast.stmt
    nodes: tuple[ast.AST, ...]
    exact: bool

    def text(self, node: ast.AST | None) -> str:
        """Source text of the node, ``""`` for none."""
        if not isinstance(node, (ast.expr, ast.stmt)) or node.end_lineno is None:
            return ""
        rows = list(self.lines[node.lineno - 1 : node.end_lineno])
        rows[-1] = rows[-1][: _characters(rows[-1], node.end_col_offset or 0)]
        rows[0] = rows[0][_characters(rows[0], node.col_offset) :]
        return "\n".join(rows)

    def type_of(self, node: ast.AST) -> str:
        """Type name of the node's value where the frame's locals tell it."""
        if isinstance(node, ast.Constant):
            return type(node.value).__name__
        named = (v for v in self.frame.locals if isinstance(node, ast.Name) and v.name == node.id)
        return next((v.type_name.rsplit(".", 1)[-1] for v in named), "")

    def value_of(self, node: ast.AST) -> str | None:
        """Representation of the node's value where the frame's locals or the source tell it."""
        if isinstance(node, ast.Constant):
            return repr(node.value)
        return next((v.value for v in self.frame.locals if isinstance(node, ast.Name) and v.name == node.id), None)

    @property
    def raises(self) -> bool:
        """Whether a ``raise`` statement was being executed here, and not an expression in it."""
        if self.exact:
            return isinstance(self.nodes[-1], ast.Raise)
        return any(isinstance(n, ast.Raise) and n in self.nodes for n in ast.walk(self.statement))

    def has_type(self, node: ast.AST, wanted: str) -> bool | None:
        """Whether the node's value is of that type; ``None`` where nothing tells."""
        known = self.type_of(node)
        return known == wanted.rsplit(".", 1)[-1] if known and wanted else None

    def choose(self, found: Sequence[ast.AST], fits: Callable[[ast.AST], bool | None]) -> ast.AST | None:
        """The candidate that the failure speaks of.

        That is the region's own node, else the first that fits, else the first that may.
        """
        if not found:
            return None
        if self.exact and found[-1] is self.nodes[-1]:
            return found[-1]
        answers = [fits(n) for n in found]
        return next((n for wanted in (True, None, False) for n, a in zip(found, answers, strict=True) if a is wanted))


def site_of(frame: Frame, sources: Sources) -> FrameSource | None:
    """The frame's site, ``None`` where its source is missing, has changed or cannot be parsed."""
    lines = source_lines(frame.path, sources)
    if not 1 <= frame.line <= len(lines):
        return None
    for tree in _trees(frame, lines):
        found = _statements(tree, frame.line)
        for statement in found:
            nodes = _inside(frame, statement, lines)
            if nodes:
                return FrameSource(frame, lines, statement, nodes, True)
        if found:
            statement = found[-1]
            own = tuple(_own_nodes(statement, deep=statement.lineno == statement.end_lineno))
            on_line = tuple(n for n in own if getattr(n, "lineno", 0) <= frame.line <= getattr(n, "end_lineno", 0))
            return FrameSource(frame, lines, statement, on_line or own, False)
    return None


def source_lines(path: str, sources: Sources) -> tuple[str, ...]:
    """The file's lines as the parser counts them; none where the file is missing or not text."""
    content = next((c for p, c in sources if p == path), None)
    if content is None:
        return ()
    try:
        text = content.decode(source_encoding(content))
    except (UnparseableError, UnicodeDecodeError, LookupError):
        return ()
    return tuple(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")))


def is_raise(frame: Frame, sources: Sources) -> bool | None:
    """Whether a ``raise`` statement stands at the frame's line; ``None`` where the source does not tell."""
    site = site_of(frame, sources)
    return None if site is None else site.raises


def enclosing_statements(frame: Frame, sources: Sources) -> tuple[ast.stmt, ...]:
    """The statements around the frame's line within its code object, outermost first."""
    lines = source_lines(frame.path, sources)
    if not 1 <= frame.line <= len(lines):
        return ()
    for tree in _trees(frame, lines):
        found = tuple(n for n in ast.walk(tree) if isinstance(n, ast.stmt) and _covers(n, frame.line))
        if found:
            return tuple(sorted(found, key=_extent, reverse=True))
    return ()


def _trees(frame: Frame, lines: Sequence[str]) -> Iterator[ast.AST]:
    """The code object's own block first: parsing a whole file for each failing test costs seconds."""
    block = _block(frame, lines)
    head = ["if 1:"] if block and block[0][:1].isspace() else []
    attempts = [(head + block, frame.first_line - 1 - len(head))] if block else []
    for rows, shift in (*attempts, (list(lines), 0)):
        try:
            tree = ast.parse("\n".join(rows))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        yield ast.increment_lineno(tree, shift)


def _block(frame: Frame, lines: Sequence[str]) -> list[str]:
    """The lines of the frame's function, told by indentation; none for a module's own code."""
    first = frame.first_line
    if frame.name.startswith("<") or not 1 <= first <= frame.line:
        return []
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    end = frame.line
    for line in lines[frame.line :]:
        rest = line.lstrip()
        if rest and len(line) - len(rest) <= indent and rest[0] not in ")]}#":
            break
        end += 1
    return list(lines[first - 1 : end])


def _statements(tree: ast.AST, line: int) -> list[ast.stmt]:
    """The shortest statements that cover the line, innermost first; several where they share one line."""
    found = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and _covers(n, line)]
    shortest = min(map(_extent, found), default=0)
    return [n for n in reversed(found) if _extent(n) == shortest]


def _covers(node: ast.stmt, line: int) -> bool:
    return first_line_of(node) <= line <= (node.end_lineno or node.lineno)


def _extent(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno


def _inside(frame: Frame, statement: ast.stmt, lines: Sequence[str]) -> tuple[ast.AST, ...]:
    """The nodes that the frame was evaluating, where columns tell so."""
    if frame.column is None or frame.end_column is None:
        return ()
    start, end = (frame.line, frame.column), (frame.end_line or frame.line, frame.end_column)
    return tuple(n for n in _own_nodes(statement) if start <= _place(n, lines) and _place(n, lines, "end_") <= end)


def _own_nodes(node: ast.AST, *, deep: bool = False) -> Iterator[ast.AST]:
    """Nodes with a place, children before parents; those of statements inside only when ``deep``.

    Without recursion: hostile source nests deeper than the interpreter's stack.
    """
    found, waiting = [], [node]
    while waiting:
        current = waiting.pop()
        found.append(current)
        waiting.extend(c for c in ast.iter_child_nodes(current) if deep or not isinstance(c, ast.stmt))
    return (n for n in reversed(found) if hasattr(n, "lineno"))


def _place(node: ast.AST, lines: Sequence[str], edge: str = "") -> tuple[int, int]:
    """Line and column at which the node starts, or ends where the edge is ``end_``."""
    line, offset = getattr(node, f"{edge}lineno", 0), getattr(node, f"{edge}col_offset", 0)
    return line, _characters(lines[line - 1], offset)


def _characters(line: str, offset: int) -> int:
    """The parser's UTF-8 byte offset in characters, as frames count."""
    return len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))
