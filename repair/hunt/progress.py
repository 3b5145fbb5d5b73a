"""How far a search has come, told twice a second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from repair.hunt.search_state import SearchState
from repair.hunt.tried_edit import TriedEdit
from repair.records.events import Listener, event
from transforms.operators.catalog import MENDING

EVERY_SECONDS = 0.5

MOST_FAMILIES = 3
"""Families of edits that a report names."""


class ProgressReports:
    """Reports on one search for so many ``failing`` tests; ``state`` is what it counts."""

    def __init__(self, state: SearchState, failing: int, seconds_left: Callable[[], float], listen: Listener) -> None:
        self._state, self._failing, self._listen = state, failing, listen
        self._seconds_left = seconds_left
        self._families = {operator.name: operator.family for operator in MENDING}
        self._lately: Counter[str] = Counter()
        """How many edits of each family have ended since the last report."""
        self._last = 0.0

    def note(self, edit: TriedEdit, now: float, seconds: float) -> None:
        """An edit has ended; tell how far the search has come after so many seconds, where it is time to."""
        origin = edit.proposal.origin
        self._lately[self._families.get(origin.operator.partition("+")[0], origin.proposer)] += 1
        if now - self._last < EVERY_SECONDS:
            return
        self._last = now
        state = self._state
        running = [family for family, _ in self._lately.most_common(MOST_FAMILIES)]
        self._lately.clear()
        self._listen(
            event(
                "progress",
                tried=state.tried,
                rate=round(state.tried / seconds, 1) if seconds > 0 else 0.0,
                position=state.drawn,
                families=running,
                remembered=state.remembered,
                distinct=len(state.seen),
                invalid=state.invalid,
                plausible=len(state.finds.edits),
                best=state.describe_best(self._failing),
                seconds_left=round(max(0.0, self._seconds_left()), 1),
                suspect=edit.stream.span.function.qualname,
                tiers=dict(state.tiers.executed),
            )
        )
