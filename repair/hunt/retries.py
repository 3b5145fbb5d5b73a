"""Trials that were stopped soon, tried again with all the time of a trial where nothing else was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from analysis.trials import Trial
from repair.hunt.search_state import SearchState

SHARE, SHARE_OF_HANGS = 0.05, 0.2
"""What of the time is kept for it. More where the unpatched program hangs: a fix that is slow looks like one more
text that does."""


@dataclass(frozen=True, slots=True)
class SecondChances:
    """Of a search that has so many seconds, for a program of which a failing test hangs or not."""

    state: SearchState
    seconds: float
    hangs: bool

    @property
    def seconds_kept(self) -> float:
        """Seconds that the search has to leave for it, as things stand."""
        wanted = self.state.aside and not self.state.finds.edits
        return self.seconds * (SHARE_OF_HANGS if self.hangs else SHARE) if wanted else 0.0

    def trials(self, over: Callable[[], bool]) -> Iterator[Trial]:
        """Patient trials, likeliest first, until one has passed or it is over."""
        aside = [] if self.state.finds.edits else sorted(self.state.aside, key=lambda edit: edit.position)
        for edit in aside:
            if self.state.finds.edits or over():
                return
            again = replace(edit, trial=replace(edit.trial, patient=True))
            self.state.running[again.trial.digest] = again
            yield again.trial
