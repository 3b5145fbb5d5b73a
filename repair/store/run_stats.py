"""How people used the answers of a project's runs: per word, how often they applied, answered, rejected or undid.

Counted is what the runs on disk say. Of a patch that nobody applied, rejected or approved nothing is known: it counts
for nothing in the precision. Records that cannot be read are passed over, and told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from analysis.errors import UsageError
from repair.records.result import Result, Status
from repair.store.decisions import (
    ANOTHER,
    APPROVED,
    EDITED,
    HANDED_ON,
    REJECTED,
    WORDS,
    PersonsDecision,
    decisions_of,
    last_word,
)
from repair.store.stored_run import UNDONE, StoredRun


@dataclass(frozen=True, slots=True)
class WordStats:
    """What became of the runs with one word.

    - ``applied``: the patch was put in by ``repair apply``, also where it was taken out again later.
    - ``undone``: it was taken out again.
    - ``answered``: the run was made with answers of a person.
    - ``approved`` and ``refused``: a person said so, and nothing else later.
    - ``edited``, ``another``, ``handed_on``: a person changed it by hand, asked for another one, asked an expert.
    - ``right`` and ``wrong``: those that people are known to have agreed with, or not.
    """

    word: str
    runs: int = 0
    applied: int = 0
    undone: int = 0
    answered: int = 0
    approved: int = 0
    refused: int = 0
    edited: int = 0
    another: int = 0
    handed_on: int = 0
    right: int = 0
    wrong: int = 0

    @property
    def precision(self) -> float | None:
        """The share of the known runs that people agreed with; ``None`` where none is known."""
        known = self.right + self.wrong
        return self.right / known if known else None


@dataclass(frozen=True, slots=True)
class RunStats:
    """All words, and the runs that say nothing of any: without a word, unfinished, damaged, not ours."""

    words: tuple[WordStats, ...]
    others: int = 0
    damaged: int = 0
    foreign: int = 0


def count_runs(runs: Iterable[StoredRun]) -> RunStats:
    """What people did with the answers of these runs."""
    words = {word: WordStats(word.value) for word in WORDS}
    others = damaged = foreign = 0
    for run in runs:
        if run.is_foreign:
            foreign += 1
            continue
        try:
            result, decided, noted = run.result(), decisions_of(run), run.read_json(UNDONE)
        except UsageError:
            damaged += 1
            continue
        if result is None or result.status not in words:
            others += 1
            continue
        undone = noted is not None and bool(noted.get("whole", True))
        words[result.status] = _add(words[result.status], run, result, decided, undone=undone)
    return RunStats(tuple(words.values()), others, damaged, foreign)


def _add(
    stats: WordStats, run: StoredRun, result: Result, decided: Sequence[PersonsDecision], *, undone: bool
) -> WordStats:
    """The counts with one more run; what a person said last of a patch counts before what was done with it.

    Who approves a patch that we rejected does not agree with the word, and who rejects it does.
    """
    applied, said = run.is_applied or undone, last_word(decided)
    every = {each.said for each in decided}
    liked = said == APPROVED or (not said and run.is_applied)
    disliked = said == REJECTED or (not said and undone and not run.is_applied)
    agrees, differs = (disliked, liked) if result.status is Status.REJECTED else (liked, disliked)
    return replace(
        stats,
        runs=stats.runs + 1,
        applied=stats.applied + applied,
        undone=stats.undone + undone,
        answered=stats.answered + bool(result.answers),
        approved=stats.approved + (said == APPROVED),
        refused=stats.refused + (said == REJECTED),
        edited=stats.edited + (EDITED in every),
        another=stats.another + (ANOTHER in every),
        handed_on=stats.handed_on + (HANDED_ON in every),
        right=stats.right + agrees,
        wrong=stats.wrong + differs,
    )


def stats_json(stats: RunStats) -> dict[str, object]:
    """The counts as JSON values; ``precision`` is null where nothing is known."""
    return {
        "schema": "repair.stats/1",
        "words": [_word_json(each) for each in stats.words],
        "others": stats.others,
        "damaged": stats.damaged,
        "foreign": stats.foreign,
    }


def _word_json(word: WordStats) -> dict[str, object]:
    names: Sequence[str] = (
        "word",
        "runs",
        "applied",
        "undone",
        "answered",
        "approved",
        "edited",
        "another",
        "handed_on",
    )
    values = {name: getattr(word, name) for name in names}
    return {**values, "rejected": word.refused, "right": word.right, "wrong": word.wrong, "precision": word.precision}
