"""Rounds of a run: each text that somebody made of a function, what came of it, and how it differs from another.

A text of a model, an agent or a person is held against the one that its author made before it. The first one, and any
of the search, is held against the program before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from repair.show.report.code import SideBySide, compare_sides
from repair.show.report.pictures import PASSED
from repair.store.recorded_rounds import RecordedRound, rounds_of
from transforms.patch.diff import unified_diff

TONES = {
    "certified": "good",
    "passed": "good",
    "plausible": "doubt",
    "doubted": "doubt",
    "near": "doubt",
    "failed": "bad",
    "rejected": "bad",
}
"""The colour of what came of a text; others were not run."""

MOST_ROUNDS, MOST_OF_SEARCH = 40, 10
"""Rounds that are shown, and how many of them are the search's: those that leave fewest failing tests."""

MOST_COMPARED = 20_000
"""Characters of a text that is compared with another."""

SEARCH = "search"

ReadText = Callable[[str], str]
"""The text of a digest, ``""`` where it is not kept."""


@dataclass(frozen=True, slots=True)
class RoundPart:
    """One round; ``against`` says what the ``comparison`` is with, ``""`` where there is none."""

    round: RecordedRound
    tone: str
    against: str = ""
    comparison: SideBySide | None = None


@dataclass(frozen=True, slots=True)
class OriginCount:
    """How many texts one author made, and what came of how many of them, the commonest first."""

    made_by: str
    count: int
    states: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds that are shown, in their order, and so many that are ``left`` out."""

    shown: tuple[RoundPart, ...]
    left: int
    origins: tuple[OriginCount, ...]


def list_rounds(events: Sequence[Mapping[str, Any]], read: ReadText, most: int) -> Rounds:
    """The rounds that the events tell of. Texts longer than ``most`` characters are not compared."""
    rounds = rounds_of(events)
    chosen = [each for each in rounds if each.made_by != SEARCH][:MOST_ROUNDS]
    chosen += sorted((each for each in rounds if each.made_by == SEARCH), key=_nearness)[:MOST_OF_SEARCH]
    shown = tuple(_compare(sorted(chosen, key=lambda each: each.number), read, min(most, MOST_COMPARED)))
    by_author: dict[str, Counter[str]] = {}
    for each in rounds:
        by_author.setdefault(each.made_by, Counter())[each.state] += 1
    origins = (OriginCount(who, states.total(), tuple(states.most_common())) for who, states in by_author.items())
    return Rounds(shown, len(rounds) - len(shown), tuple(sorted(origins, key=lambda each: -each.count)))


def _nearness(each: RecordedRound) -> tuple[bool, float, int]:
    return each.state not in PASSED, float("inf") if each.left is None else each.left, each.number


def _compare(rounds: Sequence[RecordedRound], read: ReadText, most: int) -> Iterator[RoundPart]:
    latest: dict[tuple[str, str, str], RecordedRound] = {}
    for each in rounds:
        place = each.made_by, each.file, each.function
        before = latest.get(place) if each.made_by != SEARCH else None
        old = read(before.sha256 if before is not None else each.base)
        new = read(each.sha256)
        tone = TONES.get(each.state, "plain")
        if old and new and len(old) <= most and len(new) <= most:
            against = f"round {before.number}" if before is not None else "the program before"
            yield RoundPart(each, tone, against, compare_sides(_diff(old, new)))
        else:
            yield RoundPart(each, tone)
        if each.sha256:
            latest[place] = each


def _diff(old: str, new: str) -> str:
    before, after = (f"{text.rstrip()}\n".encode("utf-8", "replace") for text in (old, new))
    return unified_diff("text.py", before, after)
