"""How two versions of a function differ, statement by statement.

An alignment of statement blocks at the least cost: statements are kept, edited, inserted or deleted, at any depth. An
edit costs more than an insertion, and less than a deletion with one. So an edit that only inserts is always seen as
such, and a swap as a move. Equality is that of syntax trees: comments, quotes and parentheses do not count.
"""

from __future__ import annotations

import ast
import enum
import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.function_text import FunctionNode, shape, without_docstring

_ADD, _EDIT = 10, 12
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")
Part = ast.stmt | ast.ExceptHandler | ast.match_case


class ChangeKind(enum.Enum):
    """What became of a statement."""

    INSERTED = "inserted"
    DELETED = "deleted"
    EDITED = "edited"


@dataclass(frozen=True, slots=True)
class StatementChange:
    """One changed statement, handler or case; of an edited compound statement only the head changed.

    ``depth`` is 0 in the function's own block. An inserted or deleted statement includes all below it.
    """

    kind: ChangeKind
    old: Part | None
    new: Part | None
    depth: int


Alignment = tuple[int, tuple[StatementChange, ...]]
"""A cost, and the changes that it stands for."""


def changes_between(old: FunctionNode, new: FunctionNode) -> tuple[StatementChange, ...]:
    """The changed statements in source order, docstrings left out."""
    return _Aligner().align(without_docstring(old.body), without_docstring(new.body), 0)[1]


class _Aligner:
    """Aligns blocks; remembers the shapes of statements and how two compare, since each is asked for many times."""

    def __init__(self) -> None:
        self._shape = functools.cache(shape)
        self._pair_once = functools.cache(self._pair)

    def align(self, old: Sequence[Part], new: Sequence[Part], depth: int) -> Alignment:
        """Least cost and the changes that it stands for."""
        start = 0
        while start < min(len(old), len(new)) and self._same(old[start], new[start]):
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and self._same(old[-1 - end], new[-1 - end]):
            end += 1
        return self._table(old[start : len(old) - end], new[start : len(new) - end], depth)

    def _table(self, old: Sequence[Part], new: Sequence[Part], depth: int) -> Alignment:
        inserted = [(size(p) * _ADD, (StatementChange(ChangeKind.INSERTED, None, p, depth),)) for p in new]
        above: list[Alignment] = [(0, ()), *itertools.accumulate(inserted, _joined)]
        for gone in old:
            deleted = size(gone) * _ADD, (StatementChange(ChangeKind.DELETED, gone, None, depth),)
            row = [_joined(above[0], deleted)]
            for j, added in enumerate(new):
                options = [_joined(above[j + 1], deleted), _joined(row[j], inserted[j])]
                pair = self._pair_once(gone, added, depth)
                if pair is not None:
                    options.append(_joined(above[j], pair))
                row.append(min(options, key=lambda option: option[0]))
            above = row
        return above[-1]

    def _pair(self, old: Part, new: Part, depth: int) -> Alignment | None:
        """Cost of turning one into the other; ``None`` where they are of kinds that do not compare."""
        if self._same(old, new):
            return 0, ()
        edit = (StatementChange(ChangeKind.EDITED, old, new, depth),)
        if is_simple(old) and is_simple(new):
            return _EDIT, edit
        if type(old) is not type(new):
            return None
        cost, changes = (0, ()) if head(old) == head(new) else (_EDIT, edit)
        for name in _BLOCKS:
            more, inner = self.align(getattr(old, name, []), getattr(new, name, []), depth + 1)
            cost, changes = cost + more, (*changes, *inner)
        return cost, changes

    def _same(self, old: Part, new: Part) -> bool:
        return self._shape(old) == self._shape(new)


def _joined(one: Alignment, other: Alignment) -> Alignment:
    return one[0] + other[0], (*one[1], *other[1])


def is_simple(part: ast.AST) -> bool:
    """Whether the statement holds no others: ``x = 1``, not ``if x: return``."""
    return not any(isinstance(getattr(part, name, None), list) for name in _BLOCKS)


def head(part: ast.AST) -> str:
    """What a compound statement says before its blocks."""
    fields = [(n, v) for n, v in ast.iter_fields(part) if n not in _BLOCKS]
    return type(part).__name__ + "".join(f"{n}={_text_of_value(v)}" for n, v in fields)


def _text_of_value(value: object) -> str:
    if isinstance(value, list):
        return ",".join(_text_of_value(v) for v in value)
    return shape(value) if isinstance(value, ast.AST) else repr(value)


def size(part: ast.AST) -> int:
    """The number of statements, the part itself included."""
    return 1 + sum(size(p) for name in _BLOCKS for p in getattr(part, name, ()))


def leaves(part: ast.AST) -> Iterator[ast.stmt]:
    """The simple statements of a statement, handler, case or function."""
    if isinstance(part, ast.stmt) and is_simple(part):
        yield part
    for name in _BLOCKS:
        for inner in getattr(part, name, ()):
            yield from leaves(inner)


@dataclass(frozen=True, slots=True)
class Measures:
    """An edit in numbers of statements; a guard counts as one, and a statement that moved only as moved."""

    edited: int
    inserted: int
    deleted: int
    moved: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.edited + self.inserted + self.deleted + self.moved


def measures_of(changes: Sequence[StatementChange]) -> Measures:
    """The numbers of an edit."""
    added = [c.new for c in changes if c.kind is ChangeKind.INSERTED and c.new is not None]
    gone = [c.old for c in changes if c.kind is ChangeKind.DELETED and c.old is not None]
    moved = _leaf_count(added) & _leaf_count(gone)
    edited = sum(c.kind is ChangeKind.EDITED for c in changes)
    return Measures(edited, _units(added, moved), _units(gone, moved), sum(moved.values()))


def _leaf_count(parts: Sequence[Part]) -> Counter[str]:
    return Counter(shape(leaf) for part in parts for leaf in leaves(part))


def _units(parts: Sequence[Part], moved: Counter[str]) -> int:
    left, units = Counter(moved), 0
    for part in parts:
        own = [shape(leaf) for leaf in leaves(part)]
        kept = [s for s in own if left[s] <= 0]
        left.subtract(own)
        is_guard = isinstance(part, ast.If) and not part.orelse and len(own) == 1 and leaves_block(part.body[-1])
        units += 1 if is_guard and kept else size(part) - len(own) + len(kept)
    return units


def leaves_block(statement: ast.stmt) -> bool:
    """Whether the statement leaves its block: ``return``, ``raise``, ``continue``, ``break``."""
    return isinstance(statement, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def retained_share(old: FunctionNode, new: FunctionNode) -> float:
    """Share of the old simple statements that the new function still holds; 1.0 where there were none."""
    before, after = (_leaf_count(without_docstring(function.body)) for function in (old, new))
    return (before & after).total() / before.total() if before else 1.0
