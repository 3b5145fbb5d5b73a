"""Processes that left their group, found by what their environment says; and threads that live as long as a process."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

_GRACE = 2.0


def kill_marked(mark: str) -> None:
    """Kill the processes whose environment has the mark, those that made a session of their own, and see them gone."""
    if not mark or not hasattr(os, "pidfd_open"):
        return
    wanted = b"\0" + mark.encode("utf-8", "surrogateescape") + b"\0"
    for _ in range(5):  # a process may fork while we look
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        found = [pid for pid in pids if wanted in b"\0" + _environment_of(pid)]
        for pid in found:
            with contextlib.suppress(OSError):  # it has ended meanwhile, or is not ours
                _kill_and_wait(pid)
        if not found:
            return


def _kill_and_wait(pid: int) -> None:
    descriptor = os.pidfd_open(pid)
    try:
        os.kill(pid, signal.SIGKILL)
        select.select([descriptor], [], [], _GRACE)
    finally:
        os.close(descriptor)


def _environment_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


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
