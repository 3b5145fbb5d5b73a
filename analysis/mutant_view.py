"""One mutant as people and other tools see it: where the text differs, what stood there, and what became of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis.mutation_score import MutantState

MOST_OF_TEXT = 400
"""Characters of an old or new text that are kept."""

_WORD = re.compile(r"[\w.]")
_SIGN = re.compile(r"[-+*/%@&|^<>=!~]")


@dataclass(frozen=True, slots=True)
class MutantView:
    """One mutant. Lines count from 1, columns from 0 in characters; the end is the place behind the last one.

    ``old`` is the text that stood there and ``new`` what stands there instead, each cut where it is long.
    ``killed_by`` is the first test that did not pass.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    old: str
    new: str
    operator: str
    label: str
    state: MutantState
    killed_by: str = ""


def view_mutant(
    text: str,
    mutated: str,
    first_line: int,
    operator: str,
    label: str,
    state: MutantState,
    killed_by: str = "",
) -> MutantView:
    """The mutant of a function's ``text``, which begins in ``first_line`` of its file. Words are told whole.

    Example: of ``if n < 10:`` and ``if n <= 10:`` it is ``<`` and ``<=``; of ``total`` and ``tital`` the names.
    """
    start, end, other_end = _difference(text, mutated)
    line, column = _place(text, start, first_line)
    end_line, end_column = _place(text, end, first_line)
    old, new = text[start:end][:MOST_OF_TEXT], mutated[start:other_end][:MOST_OF_TEXT]
    return MutantView(line, column, end_line, end_column, old, new, operator, label, state, killed_by)


def _difference(text: str, mutated: str) -> tuple[int, int, int]:
    """Where the two begin to differ, and behind the last difference in either; without space around what is gone."""
    start = _common(text, mutated)
    same = _common(text[start:][::-1], mutated[start:][::-1])
    end, other = len(text) - same, len(mutated) - same
    if other == start and not text[start:end].isspace():  # what was taken out begins and ends with a letter
        gone = text[start:end]
        start, end = start + len(gone) - len(gone.lstrip()), end - len(gone) + len(gone.rstrip())
        return start, end, start
    for kind in (_WORD, _SIGN):
        first = any(kind.match(letter) for letter in (text[start:end][:1], mutated[start:other][:1]))
        last = any(kind.match(letter) for letter in (text[start:end][-1:], mutated[start:other][-1:]))
        while first and start and kind.match(text[start - 1]):
            start -= 1
        while last and end < len(text) and kind.match(text[end]):
            end, other = end + 1, other + 1
    return start, end, other


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    known, beyond = 0, min(len(one), len(other)) + 1
    while beyond - known > 1:
        middle = (known + beyond) // 2
        if one[known:middle] == other[known:middle]:
            known = middle
        else:
            beyond = middle
    return known


def _place(text: str, at: int, first_line: int) -> tuple[int, int]:
    before = text[:at]
    return first_line + before.count("\n"), at - (before.rfind("\n") + 1)
