"""What one call is held in: its time, the lines that are waited for, and its output, which is thrown away."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from types import CodeType, FrameType

    from _repair_probe.ground.words import Trace


_AGAIN = 0.05
"""Seconds between two alarms, where the first one had no effect."""


class Hang(BaseException):
    """A call's time is up."""


class LineWatch:
    """Traces the lines of some codes until one of the wanted lines is executed, which ends the call."""

    def __init__(self, codes: Container[CodeType], lines: Container[int]) -> None:
        self._codes, self._lines, self.hit = codes, lines, False

    def __enter__(self) -> None:
        self._previous = sys.gettrace()
        sys.settrace(self._enter)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._previous)

    def _enter(self, frame: FrameType, _event: str, _arg: object) -> Trace | None:
        if self.hit or frame.f_code not in self._codes:
            return None
        return self._line

    def _line(self, frame: FrameType, event: str, _arg: object) -> Trace | None:
        if event == "line" and frame.f_lineno in self._lines:
            self.hit = True
            raise Hang
        return self._line


class _Void:
    """A stream that takes anything and keeps nothing."""

    encoding = "utf-8"
    errors = "strict"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        """Nothing is held."""

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True


@contextmanager
def silence_output() -> Iterator[None]:
    """Throw output away."""
    kept = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = _Void()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = kept


class BoundTime:
    """Raises ``Hang`` in its body when its time is up, or when it has ``worked`` so long, where that is not 0.

    Of the processor's time, which a busy machine does not use up. It is raised again soon, since the body may have
    caught it. Or it fell into a callback of the garbage collector: exceptions there are printed and dropped.
    """

    def __init__(self, seconds: float, worked: float = 0.0) -> None:
        self._seconds, self._worked = seconds, worked

    def __enter__(self) -> None:
        self._kept = [(number, signal.signal(number, self._ring)) for number in (signal.SIGALRM, signal.SIGVTALRM)]
        self._left = [
            (timer, signal.setitimer(timer, seconds, min(seconds, _AGAIN)))
            for timer, seconds in ((signal.ITIMER_VIRTUAL, self._worked), (signal.ITIMER_REAL, self._seconds))
        ]

    def __exit__(self, *_: object) -> None:
        for timer, left in self._left:
            signal.setitimer(timer, *left)
        for number, handler in self._kept:
            signal.signal(number, handler)

    def _ring(self, _number: int, frame: FrameType | None) -> None:
        # Amid ``__exit__`` it would leave the timers as they are.
        if frame is None or frame.f_code is not BoundTime.__exit__.__code__:
            raise Hang
