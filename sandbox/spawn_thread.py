"""Starts processes from threads that live as long as they do."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable
from queue import SimpleQueue


def spawn_in_thread(make: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """The process that ``make`` starts, from a thread of its own that stays until the process has ended.

    A process that is to die with its parent dies with the *thread* that started it. One started by a worker of a pool
    would be killed when the pool is closed. The thread only waits: to reap the process stays the caller's.
    """
    made: SimpleQueue[subprocess.Popen[bytes] | BaseException] = SimpleQueue()

    def keep() -> None:
        try:
            child = make()
        except BaseException as problem:  # noqa: BLE001 - handed over whole, raised by the caller's thread
            made.put(problem)
            return
        made.put(child)
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)

    threading.Thread(target=keep, daemon=True, name="keeper").start()
    try:
        found = made.get()
    except BaseException:  # an interrupt: what was started meanwhile must not stay behind
        late = made.get()
        if isinstance(late, subprocess.Popen):
            late.kill()
            late.wait()
        raise
    if isinstance(found, BaseException):
        raise found
    return found
