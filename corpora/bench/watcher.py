"""A process between us and a child: the heir of all that the child's own processes leave behind.

A jail's outer process ends before those within it do. Whoever inherits these has their time in its account, and that
would be the system's first process: nobody would know what they took. What is still there when the child has ended is
ended too.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import NoReturn

from corpora.bench.processes import descendants

GRACE_SECONDS = 10.0
"""How long a child that hears SIGTERM may take to clean up."""

LINGER_SECONDS = 1.0
"""How long what the child has left may take to end by itself."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def watch(live: Callable[[], NoReturn], own: int) -> NoReturn:
    """Run ``live`` in a child, hand SIGTERM on to it, and end as it ends, after all that it has left.

    A child that does not end of it in time is killed: whoever sent the signal may be gone by then.
    The descriptor ``own`` is the child's alone, so that who reads from it learns of its end.
    """
    signal.signal(signal.SIGTERM, _leave)
    _control(_PR_SET_CHILD_SUBREAPER, 1)
    watcher = os.getpid()
    child = os.fork()
    if child == 0:
        end_with_parent(signal.SIGTERM, watcher)
        live()
    os.close(own)

    def hand_on(_number: int, _frame: object) -> None:
        kill(child, signal.SIGTERM)
        signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS)

    signal.signal(signal.SIGALRM, lambda _number, _frame: kill(child, signal.SIGKILL))
    signal.signal(signal.SIGTERM, hand_on)
    ended, status = os.wait()
    while ended != child:
        ended, status = os.wait()
    _reap_the_rest()
    _end_like(os.waitstatus_to_exitcode(status))


def end_with_parent(number: signal.Signals, parent: int) -> None:
    """Have this process hear the signal when its parent dies (where the system can do that: Linux)."""
    _control(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:  # it was gone before we asked
        os.kill(os.getpid(), number)


def _leave(number: int, _frame: object) -> None:
    """End in good order, once."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def kill(process: int, number: signal.Signals) -> None:
    """Send a signal to a process that may be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


def _reap_the_rest() -> None:
    until = time.monotonic() + LINGER_SECONDS
    with contextlib.suppress(ChildProcessError):
        while True:
            ended, _ = os.waitpid(-1, os.WNOHANG)
            if not ended:
                time.sleep(0.005)
            if not ended and time.monotonic() > until:
                for process in descendants(os.getpid()):
                    kill(process, signal.SIGKILL)


def _end_like(status: int) -> NoReturn:
    """End with the same status, or by the same signal."""
    if status < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no other action
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(max(0, status))


def _control(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
