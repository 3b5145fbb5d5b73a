"""What a search found, and what it did not get to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.facts import FunctionId
from repair.hunt.candidate_streams import Cut
from repair.hunt.tried_edit import TriedEdit
from repair.records.ports import Unsought
from repair.records.result import Counts
from repair.records.task import Attempt


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The ``survivors`` are edits of which a candidate was made; ``counts`` says how many edits came how far.

    ``best`` is the best partial result in words. ``exhausted`` names streams of which nothing is left, ``cut`` those
    that the budget ended.
    """

    survivors: tuple[TriedEdit, ...]
    counts: Counts
    best: str = ""
    exhausted: tuple[str, ...] = ()
    cut: tuple[Cut, ...] = ()
    warnings: tuple[str, ...] = ()
    patient_seconds: float = 0.0
    """Time that went to proposers that wait for outcomes."""
    screen_seconds: float = 0.0
    """Time that went to running passing tests on what mends the failing ones."""
    unsought: Unsought | None = None
    """Why rivals of its finds were not looked for to the end: the budget was over before, for instance."""
    beyond: tuple[str, ...] = ()
    """Suspects whose turn never comes, since so many are more suspicious."""
    unasked: frozenset[tuple[FunctionId, str]] = frozenset()
    """Functions with the names of proposers of which no edit of them was drawn before the search was over."""
    partial: tuple[TriedEdit, ...] = ()
    """Edits with which some of the failing tests passed, the best ones first."""
    failure: str = ""
    """Why nobody who waits for outcomes was asked to the end: the model failed."""

    attempts: tuple[Attempt, ...] = ()
    """What became of the edits of proposers that wait for outcomes, in order."""

    def with_survivors(self, survivors: Sequence[TriedEdit]) -> SearchResult:
        """The result with these survivors in place of its own, counted anew."""
        counts = replace(self.counts, plausible=len(survivors))
        return replace(self, survivors=tuple(survivors), counts=counts)

    def with_rivals(self, survivors: Sequence[TriedEdit], tried: int) -> SearchResult:
        """The result after a search for rivals of its best candidate, which ran so many edits."""
        merged = self.with_survivors(survivors)
        return replace(merged, counts=replace(merged.counts, rivals=tried))
