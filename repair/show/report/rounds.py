"""Rounds of a model: what each was asked and replied, and in what a reply differs from the one before it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field

from repair.records.result import ModelAttempt
from repair.show.report.code import SideBySide, compare_sides

TONES = {"passed": "good", "doubted": "doubt", "failed": "bad"}
"""The colour of what came of a round; of the others nothing was run."""

MOST_COMPARED = 12_000
"""Characters of a reply that are compared with the one before."""


@dataclass(frozen=True, slots=True)
class ComparedRound:
    """One request with its reply. ``against`` names the round before it in the same thread, ``comparison`` the change.

    ``is_same`` says that the reply is word for word that of the round before.
    """

    attempt: ModelAttempt
    name: str
    tone: str
    against: str = ""
    comparison: SideBySide = field(default_factory=SideBySide)
    is_same: bool = False


def compare_rounds(attempts: Sequence[ModelAttempt], most: int = MOST_COMPARED) -> tuple[ComparedRound, ...]:
    """The rounds in their order, each compared with the one before it that was about the same function.

    So many characters of the replies are compared at ``most``.
    """
    latest: dict[tuple[str, str, int], ComparedRound] = {}
    rounds = []
    for attempt in attempts:
        name = f"{attempt.thread}.{attempt.turn}"
        place = attempt.file, attempt.function, attempt.thread
        before = latest.get(place)
        made = ComparedRound(attempt, name, TONES.get(attempt.outcome, "plain"))
        if before is not None and before.attempt.reply and attempt.reply:
            old, new = (each.reply[: min(most, MOST_COMPARED)] for each in (before.attempt, attempt))
            made = ComparedRound(attempt, name, made.tone, before.name, compare_sides(_diff(old, new)), old == new)
        latest[place] = made
        rounds.append(made)
    return tuple(rounds)


def _diff(old: str, new: str) -> str:
    lines = difflib.unified_diff(_lines(old), _lines(new), "a/reply", "b/reply", lineterm="", n=2)
    return "".join(f"{line}\n" for line in lines)


def _lines(text: str) -> list[str]:
    return text.replace("\r", "").split("\n")
