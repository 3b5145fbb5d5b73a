"""Stops a test from within that uses much more processor time than it should need, so that its fork goes on.

A timer of processor time, which a busy machine does not hurry, notices a loop that never ends. An exception raised
where the loop runs ends it. Code that catches it meets it again soon. Once the bound was reached nothing else counts of
what the test did. A test of parts, each of which catches what ends it, begins no further part. Code of C that does not
come back, and a test that waits for something, are left to the deadline of the fork.
"""

from __future__ import annotations

import contextlib
import signal
import sys

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any, NoReturn

_AGAIN = 0.02
"""Seconds between two exceptions, where the first one was caught."""

_PARTS = (
    ("unittest.case", "TestCase", "subTest"),
    ("_pytest.subtests", "Subtests", "test"),
    ("pytest_subtests.plugin", "SubTests", "test"),
)
"""What begins a part of a test: module, class and method."""

LEAST, TIMES = 0.25, 20
"""Once a test was stopped, the next ones have so many times what the hardest took that ended, and so many seconds."""

RESULT = ("failed", "call", "Stuck: still running", 0)
"""What becomes of such a test."""


class Stuck(BaseException):
    """The test that runs has used up its processor time."""


class Bound:
    """Processor time for one test at a time; none where ``seconds`` are 0. ``fired`` is about the last one begun.

    ``told`` is called with the frame that runs, the first time.
    """

    def __init__(
        self, seconds: float, told: Callable[[FrameType | None], None] | None = None, again: float = _AGAIN
    ) -> None:
        self.seconds, self.fired, self._on = seconds, False, False
        self._told, self._again = told, again
        self._barred: list[tuple[Any, str, Any]] = []
        self._mine = signal.getsignal(signal.SIGPROF) is signal.SIG_DFL  # else the target has its own use for it
        if self._mine:
            signal.signal(signal.SIGPROF, self._reached)

    def start(self) -> None:
        """A test begins."""
        self.fired = False
        self._allow_parts()
        if self.seconds and self._mine:
            self._on = True
            signal.setitimer(signal.ITIMER_PROF, self.seconds, self._again)

    def stop(self) -> None:
        """It has ended."""
        if self._on:
            self._on = False
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._allow_parts()

    @contextlib.contextmanager
    def pause(self) -> Iterator[None]:
        """What is done meanwhile does not count as the test's."""
        left = signal.setitimer(signal.ITIMER_PROF, 0)[0] if self._on else 0
        yield
        if self._on:
            signal.setitimer(signal.ITIMER_PROF, left or self._again, self._again)

    def _reached(self, _number: int, frame: FrameType | None) -> None:
        if self._on:
            first, self.fired = not self.fired, True
            if first:
                if self._told is not None:
                    self._told(frame)
                self._bar_parts()
            raise Stuck("still running")

    def _bar_parts(self) -> None:
        for module, name, method in _PARTS:
            owner = getattr(sys.modules.get(module), name, None)
            if method in getattr(owner, "__dict__", {}):
                with contextlib.suppress(Exception):  # a class of the target may refuse
                    self._barred.append((owner, method, vars(owner)[method]))
                    setattr(owner, method, _refuse_call)

    def _allow_parts(self) -> None:
        while self._barred:
            with contextlib.suppress(Exception):  # the same on the way back
                setattr(*self._barred.pop())


def _refuse_call(*_given: object, **_named: object) -> NoReturn:
    raise Stuck("still running")


class Patience:
    """The processor time of the next test of a run, in which tests are stopped after so many ``seconds``; 0 for none.

    A test may use as much as all before it together: where tests are slow, one more is. Once one was stopped, others
    may hang in the same way, and have less.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._hardest, self._total, self._stopped = seconds, 0.0, 0.0, False

    def heed(self, took: float, stopped: bool) -> None:
        """A test has ended, or was stopped."""
        self._stopped |= stopped
        if not stopped:
            self._total += took
            self._hardest = max(self._hardest, took)

    @property
    def seconds(self) -> float:
        """What the next test may use."""
        if not self._seconds:
            return 0.0
        most = max(self._seconds, self._total)
        return min(most, max(LEAST, TIMES * self._hardest)) if self._stopped else most
