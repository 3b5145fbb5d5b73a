"""When a search stops: its budget is spent, it has found enough, or it has waited long enough for more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from repair.hunt.search_state import MOST_SURVIVORS, SearchState
from repair.records.task import Budget

OVERTIME_SECONDS = 2.0
"""How long after the end of the search outcomes are waited for."""

EXTRA_SECONDS = 5.0
EXTRA_SHARE = 1.0
"""A search goes on for as long again as its first survivor took: what came late has rivals that come later."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """The end of one search, which began at ``started``, by what its ``state`` counts.

    It goes on for ``more`` seconds than its budget says while it has found nothing sound.
    """

    budget: Budget
    clock: Callable[[], float]
    started: float
    state: SearchState
    pointless: Callable[[], bool] = lambda: False
    """Whether what the search began with has turned out otherwise."""
    more: float = 0.0

    @property
    def seconds_left(self) -> float:
        """What is left of the time; negative when it is over."""
        more = self.more if self.state.finds.first(sound=True) is None else 0.0
        return self.budget.max_seconds + more - (self.clock() - self.started)

    @property
    def enough(self) -> bool:
        """Whether to stop: budget, count, or survivors and some time after the first of them.

        Those that carry an anti-pattern do not end a search: it goes on for one that does not.
        """
        finds = self.state.finds
        return (
            self.spent
            or self.pointless()
            or finds.sound.total() >= MOST_SURVIVORS
            or self._waited(finds.first(sound=True))
        )

    @property
    def spent(self) -> bool:
        """Whether nothing may be drawn any more."""
        most = self.budget.max_candidates
        return self.seconds_left <= 0 or (most is not None and self.state.drawn >= most)

    @property
    def overdue(self) -> bool:
        """Whether trials that were begun in time have taken more than a little beyond it."""
        return self.seconds_left < -OVERTIME_SECONDS

    def hurried(self, eager: frozenset[str]) -> bool:
        """Whether survivors of the search, not of who waits for outcomes, were left without their share of time.

        ``eager`` are the names of the proposers that do not wait.
        """
        finds = self.state.finds
        searched = any(s.candidate.origin.proposer in eager for s in finds.survivors)
        waited = self._waited(finds.first())
        return searched and finds.sound.total() < MOST_SURVIVORS and self.spent and not waited

    def _waited(self, first: float | None) -> bool:
        """Whether the search went on for as long again after that find."""
        if first is None:
            return False
        patience = max(EXTRA_SECONDS, EXTRA_SHARE * (first - self.started))
        return self.clock() - first > patience
