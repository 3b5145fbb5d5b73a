"""The time of one command: it counts from the start of the process, and ends the command wherever it is by then.

What works looks at the clock by itself and ends sooner, with the better answer. Some code does not, such as a long
computation or a library that waits. For it there is a backstop: an alarm of the system that raises ``TimeIsUp`` in the
main thread.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType

from sandbox.deadline import out_of_time

BACKSTOP_SECONDS = 1.0
"""How long after its time a run is broken off that has not ended by itself."""

AGAIN_SECONDS = 0.25
"""After which time the alarm is heard again, where somebody has swallowed what it raised."""

SOON_SECONDS = 0.01
"""The same where it came amid a callback, whose exceptions Python prints and drops."""

UNWINDING_SECONDS = 3.0
"""What cleaning up may take on the way out, before it is broken off too."""

WEAK_COLLECTIONS = {each.__init__.__code__.co_filename for each in (weakref.WeakSet, weakref.WeakValueDictionary)}
"""The files of Python's own code that the collector calls to take out what has died."""


class TimeIsUp(BaseException):
    """The run has to end now. No ``Exception``: nothing but the edge that makes the answer may stop it."""


@dataclass(frozen=True, slots=True)
class RunTime:
    """When a run began. ``done`` is called when its answer is made: from then on nothing is broken off."""

    started: float
    done: Callable[[], None] = lambda: None


class Backstop:
    """Raises ``TimeIsUp`` in the main thread when a time is over, until that has arrived; elsewhere it does nothing."""

    def __init__(self) -> None:
        self._until: float | None = None
        self._before: signal._HANDLER = signal.SIG_DFL

    def arm(self, until: float) -> None:
        """Raise from then on."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._until = until
        self._before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, max(until - time.monotonic(), 0.001), AGAIN_SECONDS)

    def disarm(self) -> None:
        """Raise nothing any more."""
        if self._until is None:
            return
        self._until = None
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, self._before)

    def _ring(self, _number: int, frame: FrameType | None) -> None:
        if self._until is None:
            return
        if _is_in_callback(frame) and time.monotonic() < self._until + AGAIN_SECONDS:
            signal.setitimer(signal.ITIMER_REAL, SOON_SECONDS, AGAIN_SECONDS)
            return
        if _is_on_its_way(sys.exception()) and time.monotonic() < self._until + UNWINDING_SECONDS:
            return
        raise TimeIsUp


@contextlib.contextmanager
def limit_time(started: float, seconds: float) -> Iterator[RunTime]:
    """The time of one command, which is broken off a little after its end.

    Raises ``OutOfTimeError`` where what is broken off gives no answer by itself.
    """
    backstop = Backstop()
    try:
        backstop.arm(started + seconds + BACKSTOP_SECONDS)
        yield RunTime(started, backstop.disarm)
    except TimeIsUp:
        raise out_of_time() from None
    finally:
        backstop.disarm()


def _is_in_callback(frame: FrameType | None) -> bool:
    """Whether this is amid what the garbage collector calls: an exception is printed there, and goes no further.

    It calls its callbacks, ``__del__``, and what takes a dead object out of a weak collection.
    """
    called = {getattr(each, "__code__", None) for each in gc.callbacks}
    while frame is not None:
        code = frame.f_code
        if code in called or code.co_name == "__del__" or code.co_filename in WEAK_COLLECTIONS:
            return True
        frame = frame.f_back
    return False


def _is_on_its_way(handled: BaseException | None) -> bool:
    """Whether the alarm is being handled, or was when this came up, in a ``finally`` say: then somebody cleans up."""
    while handled is not None:
        if isinstance(handled, TimeIsUp):
            return True
        handled = handled.__context__
    return False
