"""Processes that left their group, found by what their environment says."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from pathlib import Path

_GRACE = 2.0


def kill_marked(mark: str) -> None:
    """Kill the processes whose environment has the mark, those that made a session of their own, and see them gone."""
    if not mark or not hasattr(os, "pidfd_open"):
        return
    wanted = b"\0" + mark.encode("utf-8", "surrogateescape") + b"\0"
    for _ in range(5):  # a process may fork while we look
        found = [pid for pid in _pids() if wanted in b"\0" + _environment_of(pid)]
        for pid in found:
            with contextlib.suppress(OSError):
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


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _environment_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
