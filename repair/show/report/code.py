"""Code as a page shows it: coloured by Pygments, changed words marked, old and new side by side.

Nothing here makes HTML. A line is a list of pieces, each with its text and a class; the templates escape them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pygments.lexers.python import PythonLexer
from pygments.token import STANDARD_TYPES

from repair.show.changed_words import DiffRow, Spans, read_rows

MOST_COLOURED, LONGEST_COLOURED = 50_000, 1_000
"""Characters of code, and of one line of it. A longer text, or one with a longer line, is shown without colours."""

MOST_ROWS = 400
"""Lines of one change that are shown."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line: its text, the class of its token (Pygments' short name), and whether it was changed."""

    text: str
    kind: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One line of the old or the new text; ``number`` 0 where that text has no such line."""

    number: int = 0
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class PairedLine:
    """A row of the comparison: the old line beside the new one."""

    old: Side
    new: Side
    same: bool = False


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A diff side by side. ``left`` lines are not shown."""

    pairs: tuple[PairedLine, ...] = ()
    left: int = 0


def compare_sides(diff: str) -> SideBySide:
    """The unified diff of one file as rows with the old text at the left and the new one at the right."""
    every = read_rows(diff)
    rows = every[:MOST_ROWS]
    old = iter(_sides([row for row in rows if row.sign != "+"], after=False))
    new = iter(_sides([row for row in rows if row.sign != "-"], after=True))
    pairs: list[PairedLine] = []
    for sign, count in _runs(rows):
        match sign:
            case " ":
                pairs += [PairedLine(next(old), next(new), same=True) for _ in range(count)]
            case "-":
                pairs += [PairedLine(next(old), Side()) for _ in range(count)]
            case _:
                added = [next(new) for _ in range(count)]
                free = _count_open(pairs)
                for number, side in enumerate(added[:free]):
                    place = len(pairs) - free + number
                    pairs[place] = PairedLine(pairs[place].old, side)
                pairs += [PairedLine(Side(), side) for side in added[free:]]
    return SideBySide(tuple(pairs), len(every) - len(rows))


def _runs(rows: Sequence[DiffRow]) -> Iterator[tuple[str, int]]:
    """Each run of lines of one sign, with its length."""
    start = 0
    for number in range(1, len(rows) + 1):
        if number == len(rows) or rows[number].sign != rows[start].sign:
            yield rows[start].sign, number - start
            start = number


def _count_open(pairs: Sequence[PairedLine]) -> int:
    """How many removed lines in a row, at the end, have no new line beside them."""
    count = 0
    for pair in reversed(pairs):
        if pair.same or pair.new.number:
            break
        count += 1
    return count


def _sides(rows: Sequence[DiffRow], *, after: bool) -> Iterator[Side]:
    coloured = colour_lines([row.text for row in rows])
    for row, pieces in zip(rows, coloured, strict=True):
        yield Side(row.new if after else row.old, tuple(_mark(pieces, row.marked if row.sign != " " else ())))


def _mark(pieces: Iterable[Piece], spans: Spans) -> Iterator[Piece]:
    """The pieces, cut at the ends of what was changed; those that look alike are one."""
    cut = ((kind, changed, text) for text, kind, changed in _cut(pieces, spans))
    for (kind, changed), alike in itertools.groupby(cut, key=lambda each: each[:2]):
        yield Piece("".join(text for _, _, text in alike), kind, changed)


def _cut(pieces: Iterable[Piece], spans: Spans) -> Iterator[tuple[str, str, bool]]:
    start = 0
    for piece in pieces:
        end = start + len(piece.text)
        places = sorted({start, end, *(place for span in spans for place in span if start < place < end)})
        for low, high in itertools.pairwise(places):
            inside = any(begin <= low and high <= stop for begin, stop in spans)
            yield piece.text[low - start : high - start], piece.kind, inside
        start = end


def colour_lines(lines: Sequence[str]) -> tuple[tuple[Piece, ...], ...]:
    """The lines of one Python text as pieces with the classes of their tokens."""
    text = "\n".join(lines)
    if len(text) > MOST_COLOURED or any(len(line) > LONGEST_COLOURED for line in lines):
        return tuple((Piece(line),) for line in lines)
    found: list[list[Piece]] = [[] for _ in lines]
    number = 0
    for _, token, value in PythonLexer().get_tokens_unprocessed(text):
        kind = STANDARD_TYPES.get(token, "")
        for count, part in enumerate(value.split("\n")):
            number += count > 0
            if part:
                found[number].append(Piece(part, kind))
    return tuple(map(tuple, found))
