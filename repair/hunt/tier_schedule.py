"""Whose trials run next in a search: each tier's have their turns.

So slow ones neither wait for ever nor stop the quick ones. A tier is entitled to time as its suspects' weights say,
whatever its trials cost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from analysis.facts import FunctionId
from analysis.trials import UNNOTICED
from repair.hunt.candidate_streams import CandidateStream
from repair.hunt.tried_edit import TriedEdit
from repair.trials.trial_router import TrialTier, next_tier

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
