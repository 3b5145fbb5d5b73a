"""When everything that a sandbox has under way has to be over: the time of the whole run, not of one test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic

from analysis.errors import OutOfTimeError, TargetError
from analysis.facts import Limits


class Deadline:
    """Shared by a sandbox and its servers, which ask it before they begin and before they wait. None at first."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._until = math.inf
        self._ended = False

    @property
    def left(self) -> float:
        """Seconds that are left; negative when it is over."""
        return self.until - self._clock()

    @property
    def until(self) -> float:
        """When it is over, by the clock."""
        return -math.inf if self._ended else self._until

    def end(self) -> None:
        """Let it all be over now and for good."""
        self._ended = True

    def end_at(self, until: float) -> None:
        """Let it all be over by then."""
        self._until = until

    def check(self) -> None:
        """Raise ``OutOfTimeError`` where it is over."""
        if self.left <= 0:
            raise out_of_time()

    def bound_limits(self, limits: Limits) -> Limits:
        """The limits of a run that begins now."""
        return replace(limits, wall_seconds=min(limits.wall_seconds, max(0.0, self.left)))

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Meanwhile there are no more than so many seconds."""
        before = self._until
        self._until = min(before, self._clock() + seconds)
        try:
            yield
        finally:
            self._until = before


def out_of_time() -> OutOfTimeError:
    """What is raised where the time of a whole run is up."""
    return OutOfTimeError(
        "The time for the whole run is up", remedy="Give more time with --max-seconds, or name fewer tests."
    )


def too_slow_error() -> TargetError:
    """What is raised where the suite cannot be observed in time."""
    return TargetError(
        "The suite does not end twice in the time for the whole run",
        remedy="Give more time with --max-seconds, or name files of tests.",
    )
