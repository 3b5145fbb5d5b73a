"""How the time of one task is shared out: observing, searching, comparing, judging."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

OBSERVING_SHARE = 0.5
"""The part of the time budget that observing the unpatched program may use."""

SEARCH_SHARE = 0.7
"""The part of the time budget that baseline and search may use; the rest is kept for the gates."""

LATE_SHARE = 0.9
"""The same while nothing was found: a patch that few gates could be asked about is worth more than none."""

LEAST_JUDGING_SECONDS = 2.0
"""What those few take beside two runs of the suite; with less time than for them, nothing could be said of a find."""

JUDGING_SECONDS = 6.0
"""What the gates take beside runs of the tests; those take about as long again as the baseline's."""

CHOOSING_SHARE = 0.1
"""The part of the time budget in which the plausible candidates are compared."""


@dataclass(frozen=True, slots=True)
class SearchTime:
    """What one search may take: so many seconds, none where they are negative, and ``more`` while it finds nothing."""

    left: float
    more: float

    @property
    def seconds(self) -> float:
        """What is left of the time, not less than nothing."""
        return max(self.left, 0.0)


@dataclass(frozen=True, slots=True)
class TaskTime:
    """The time of one task: ``max_seconds`` by the ``clock``, from when it was ``started``."""

    clock: Callable[[], float]
    started: float
    max_seconds: float

    def is_up(self, coming: float = 0.0) -> bool:
        """Whether the time is over, or will be in so many seconds: after 50 of 60 seconds, with 20 ``coming``."""
        return self.clock() - (self.started - coming) > self.max_seconds

    def end_of_choosing(self) -> float:
        """When a comparison that begins now has to be over."""
        return self.clock() + CHOOSING_SHARE * self.max_seconds

    def for_search(self, suite_seconds: float) -> SearchTime:
        """What a search that begins now may take."""
        so_far = self.clock() - self.started
        left = search_end(self.max_seconds, so_far + suite_seconds) - so_far
        more = late_search_end(self.max_seconds, suite_seconds) - so_far - max(left, 0.0)
        return SearchTime(left, max(more, 0.0))


def search_end(max_seconds: float, baseline_seconds: float) -> float:
    """When to stop looking, counted from the start: what judging will take is kept, at most three tenths of all."""
    return max_seconds - min(max_seconds * (1 - SEARCH_SHARE), JUDGING_SECONDS + baseline_seconds)


def late_search_end(max_seconds: float, suite_seconds: float) -> float:
    """The same while nothing was found. Of a suite that is not known it cannot be told what it will take."""
    needed = 0.0 if math.isinf(suite_seconds) else LEAST_JUDGING_SECONDS + 2 * suite_seconds
    return max_seconds - min(max_seconds * (1 - SEARCH_SHARE), max(needed, max_seconds * (1 - LATE_SHARE)))
