"""What one call is held in: its time, the lines that are waited for, and its output, which is thrown away."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from types import CodeType, FrameType
    from typing import NoReturn

    from _repair_probe.ground.words import Trace


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


@contextmanager
def bound_time(seconds: float, worked: float = 0.0) -> Iterator[None]:
    """Raise ``Hang`` in the body when its time is up, or when it has ``worked`` so long, where that is not 0.

    Of the processor's time, which a busy machine does not use up.
    """

    def ring(_number: int, _frame: FrameType | None) -> NoReturn:
        raise Hang

    kept, kept_working = signal.signal(signal.SIGALRM, ring), signal.signal(signal.SIGVTALRM, ring)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    left_working, _ = signal.setitimer(signal.ITIMER_VIRTUAL, worked, worked)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, left_working)
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGVTALRM, kept_working)
        signal.signal(signal.SIGALRM, kept)
