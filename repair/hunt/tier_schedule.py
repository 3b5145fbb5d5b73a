"""When a search stops, and whose trials run until then.

It stops when its budget is spent, it has found enough, or it has waited long enough for more. Each tier's trials have
their turns, so that slow ones neither wait for ever nor stop the quick ones. A tier is entitled to time as its
suspects' weights say, whatever its trials cost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.facts import FunctionId
from analysis.trials import UNNOTICED
from repair.hunt.candidate_streams import CandidateStream
from repair.hunt.search_state import MOST_SURVIVORS, SearchState
from repair.hunt.tried_edit import TriedEdit
from repair.records.task import Budget
from repair.trials.trial_router import TrialTier, next_tier

OVERTIME_SECONDS = 2.0
"""How long after the end of the search outcomes are waited for."""

PART_SHARE = 0.5
"""Of its time, what a search may take that has found what mends a part of the failing tests, and nothing better."""

EXTRA_SECONDS = 5.0
EXTRA_SHARE = 1.0
"""A search goes on for as long again as its first survivor took: what came late has rivals that come later."""

ENOUGH_EDITS = 400
"""So many edits after its last sound find, and as many as led to it, a search knows what passes."""


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
    asking: Callable[[], bool] = lambda: False
    """Whether somebody who waits for outcomes is being asked: then no half is kept for parts."""

    @property
    def seconds_left(self) -> float:
        """What is left of the time; negative when it is over.

        Where nothing mends all of the failing tests, and an edit mends a part of them, a half is kept for the parts.
        """
        found = self.state.finds.first(sound=True) is not None
        most = self.budget.max_seconds + (0.0 if found else self.more)
        halved = bool(self.state.partial) and not found and not self.asking()
        return most * (PART_SHARE if halved else 1.0) - (self.clock() - self.started)

    @property
    def enough(self) -> bool:
        """Whether to stop: budget, count, or some time after the first survivor, or many edits after the last.

        Those that carry an anti-pattern do not end a search: it goes on for one that does not.
        """
        finds = self.state.finds
        return (
            self.spent
            or self.pointless()
            or finds.sound.total() >= MOST_SURVIVORS
            or self._waited(finds.first(sound=True))
            or self._finds_no_more
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
        waited = self._waited(finds.first()) or self._finds_no_more
        return searched and finds.sound.total() < MOST_SURVIVORS and self.spent and not waited

    @property
    def _finds_no_more(self) -> bool:
        """Whether there are sound finds, and many edits after the last of them brought none."""
        last = max((find.position for find in self.state.finds.edits if find.sound), default=0)
        return last > 0 and len(self.state.seen) - last >= max(ENOUGH_EDITS, last)

    def _waited(self, first: float | None) -> bool:
        """Whether the search went on for as long again after that find."""
        if first is None:
            return False
        patience = max(EXTRA_SECONDS, EXTRA_SHARE * (first - self.started))
        return self.clock() - first > patience


TURN_SECONDS = 1.0

SENT_UP_SHARE = 0.1
"""What single trials that another tier has to tell weigh, beside all those of their function."""


UNNOTICED_SHARE = 0.1
"""What a function weighs whose failure the tests do not notice even where its module is imported anew."""


class TierSchedule:
    """Which streams are drawn in which tier, what was sent up to a tier, and whose turn it is."""

    def __init__(self, streams: Sequence[CandidateStream]) -> None:
        self._streams = tuple(streams)
        self._tiers = {stream.span.function: TrialTier.WARM for stream in streams}
        self._waiting: dict[TrialTier, deque[TriedEdit]] = {tier: deque() for tier in TrialTier}
        self._unnoticed: set[FunctionId] = set()
        self._seconds = dict.fromkeys(TrialTier, 0.0)

    def next(self, full: Callable[[FunctionId], bool]) -> TrialTier | None:
        """The tier that is furthest behind its share; ``None`` when nothing is left to try."""
        weights = {tier: self._weight(tier, full) for tier in TrialTier}
        working = [tier for tier in TrialTier if weights[tier]]
        return min(working, key=lambda tier: self._seconds[tier] / weights[tier], default=None)

    def others_wait(self, tier: TrialTier) -> bool:
        """Whether another tier has something to try."""
        streams = any(self._tiers[s.span.function] is not tier and not s.empty for s in self._streams)
        return streams or any(waiting and own is not tier for own, waiting in self._waiting.items())

    def functions(self, tier: TrialTier) -> tuple[FunctionId, ...]:
        """Functions whose new trials run in the tier."""
        return tuple(function for function, own in self._tiers.items() if own is tier)

    def streams(self, tier: TrialTier, full: Callable[[FunctionId], bool]) -> list[CandidateStream]:
        """Streams of the tier in which something may be left, without those of functions that have had their share."""
        left = [stream for stream in self._streams if not stream.empty]
        others = [stream for stream in left if not full(stream.span.function)]
        return [stream for stream in others or left if self._tiers[stream.span.function] is tier]

    def move(self, function: FunctionId, reason: str) -> None:
        """From now on the function's new trials run in the tier that answers for what has this reason to leave its own.

        One that merely shows a value, say, is run and never missed: it gets little of the time that cold runs take.
        """
        left = self._tiers[function]
        self._tiers[function] = next_tier(left, reason)
        if left is TrialTier.ZYGOTE and UNNOTICED in reason:
            self._unnoticed.add(function)

    def send_up(self, edit: TriedEdit, tier: TrialTier) -> None:
        """One trial waits for that tier."""
        self._waiting[tier].append(edit)

    def take_sent_up(self, tier: TrialTier) -> TriedEdit | None:
        """The next edit that waits for the tier, which waits no longer; ``None`` where none does."""
        return self._waiting[tier].popleft() if self._waiting[tier] else None

    def add_seconds(self, tier: TrialTier, seconds: float) -> None:
        """A turn took so long."""
        self._seconds[tier] += seconds

    def _weight(self, tier: TrialTier, full: Callable[[FunctionId], bool]) -> float:
        waiting = {id(edit.stream): edit.stream.weight for edit in self._waiting[tier]}
        own = [
            stream.weight * (UNNOTICED_SHARE if stream.span.function in self._unnoticed else 1.0)
            for stream in self.streams(tier, full)
        ]
        return sum(own) + SENT_UP_SHARE * sum(waiting.values())
