"""The lines of a diff as people read them: numbered, with the words that differ marked.

The marks are told twice: in colour, and as a line of ``^`` below, which a pipe and a printer show too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_WORD = re.compile(r"\w+|\s+|[<>=!+*/%&|^~@-]+|.")

LEAST_ALIKE = 0.4
"""Two lines that share less are not read as one line that was changed: no word of them is marked."""

_MOST_PAIRS = 500_000
"""Pairs of a removed and an added word that are compared in one diff: 50 lines of 14 words against as many."""
_LONGEST_LINE = 500
"""Characters. Nothing is marked in a block with a longer line: a person does not read it by words."""

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One line of a hunk: ``sign`` is ``" "``, ``"-"`` or ``"+"``; ``marked`` are the parts of it that differ.

    ``old`` and ``new`` are its numbers in the two files, 0 where it is not in that one.
    """

    sign: str
    text: str
    old: int = 0
    new: int = 0
    marked: Spans = ()


def read_rows(diff: str) -> tuple[DiffRow, ...]:
    """The lines of all hunks of a unified diff of one file, the changed words marked."""
    return tuple(_mark(_numbered(diff)))


def _numbered(diff: str) -> list[DiffRow]:
    rows: list[DiffRow] = []
    old = new = 0
    for line in diff.removesuffix("\n").split("\n"):
        hunk = HUNK.match(line)
        if hunk:
            old, new = int(hunk[1]), int(hunk[2])
        elif (old or new) and line[:1] in ("-", "+", " "):
            sign = line[0]
            rows.append(DiffRow(sign, line[1:], old * (sign != "+"), new * (sign != "-")))
            old, new = old + (sign != "+"), new + (sign != "-")
    return rows


def _mark(rows: Sequence[DiffRow]) -> Iterator[DiffRow]:
    """Each run of removed lines beside the added lines that follow it."""
    number, left = 0, _MOST_PAIRS
    while number < len(rows):
        removed = _take(rows, number, "-")
        added = _take(rows, number + len(removed), "+")
        number += len(removed) + len(added)
        if removed or added:
            pairs = _pairs_of_words(removed, added)
            if pairs <= left:
                left -= pairs
                _mark_block(removed, added)
            yield from removed
            yield from added
        else:
            yield rows[number]
            number += 1


def _take(rows: Sequence[DiffRow], start: int, sign: str) -> list[DiffRow]:
    end = start
    while end < len(rows) and rows[end].sign == sign:
        end += 1
    return list(rows[start:end])


def _pairs_of_words(removed: list[DiffRow], added: list[DiffRow]) -> int:
    """What marking the block costs; more than there is where a line is too long."""
    if any(len(row.text) > _LONGEST_LINE for row in (*removed, *added)):
        return _MOST_PAIRS + 1
    ours, theirs = (sum(len(_WORD.findall(row.text)) for row in rows) for rows in (removed, added))
    return ours * theirs


def _mark_block(removed: list[DiffRow], added: list[DiffRow]) -> None:
    """Puts marked rows in the place of those that read as one changed line."""
    first = 0
    for number, row in enumerate(added):
        alike = [(_likeness(each.text, row.text), -at) for at, each in enumerate(removed) if at >= first]
        best, place = max(alike, default=(0.0, 0))
        if best >= LEAST_ALIKE:
            ours, theirs = _spans(removed[-place].text, row.text)
            removed[-place] = replace(removed[-place], marked=ours)
            added[number] = replace(row, marked=theirs)
            first = 1 - place


def _likeness(one: str, other: str) -> float:
    """What two lines share, 0 to 1; 0 where a quick look shows that it is less than ``LEAST_ALIKE``."""
    words = SequenceMatcher(None, _WORD.findall(one.strip()), _WORD.findall(other.strip()), autojunk=False)
    if words.real_quick_ratio() < LEAST_ALIKE or words.quick_ratio() < LEAST_ALIKE:
        return 0.0
    return words.ratio()


def _spans(one: str, other: str) -> tuple[Spans, Spans]:
    """The parts of two texts that differ, word by word; the spaces before a line that moved are no word."""
    ours, theirs = _WORD.findall(one), _WORD.findall(other)
    left: list[tuple[int, int]] = []
    right: list[tuple[int, int]] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for words, start, end, spans in ((ours, a, b, left), (theirs, c, d, right)):
            begin = len("".join(words[:start]))
            text = "".join(words[start:end])
            if text.strip():
                lead = len(text) - len(text.lstrip())
                spans.append((begin + lead, begin + len(text.rstrip())))
    return _join(one, left), _join(other, right)


def _join(text: str, spans: Sequence[tuple[int, int]]) -> Spans:
    """Spans with nothing but spaces between them as one: ``a or b`` is one mark."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def without_context(rows: Sequence[DiffRow], around: int) -> tuple[DiffRow, ...]:
    """The changed lines, with so many others around them."""
    changed = [number for number, row in enumerate(rows) if row.sign != " "]
    near = {n for each in changed for n in range(each - around, each + around + 1)}
    return tuple(row for number, row in enumerate(rows) if number in near)


def changed_region(diff: str, *, after: bool = False) -> tuple[int, int]:
    """First and last changed line of one file's diff, in the old file or in the new one; ``(0, 0)`` without any.

    Where the other file alone has changed lines, it is the line that they stand before.
    """
    rows = _numbered(diff)
    sign = "+" if after else "-"
    found = [(row.new if after else row.old) for row in rows if row.sign == sign]
    if not found:
        first = next((number for number, row in enumerate(rows) if row.sign != " "), None)
        if first is None:
            return 0, 0
        beside = [(row.new if after else row.old) for row in (*rows[first:], *reversed(rows[:first]))]
        found = [next((line for line in beside if line), 1)]
    return min(found), max(found)
