"""Says that a process is at work on a run: a lock of the operating system, which ends with the process however it ends.

It is not handed on to children, which may outlive their parent. It does not hold against its own process.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from analysis.errors import UsageError

LOCK = "lock"
"""Stands in a run that is under way, or was killed."""


def take_lock(run: Path, *, make: bool = True) -> int | None:
    """The lock of the run in that folder, as a descriptor; ``None`` where another process has it.

    So it is where the file system has no locks. Raises ``OSError`` where there is no such file, and none is to be made.
    """
    descriptor = os.open(run / LOCK, os.O_RDWR | os.O_NOFOLLOW | (os.O_CREAT if make else 0), 0o600)
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def leave_lock(run: Path, descriptor: int | None) -> None:
    """The work on the run is over."""
    if descriptor is not None:
        with contextlib.suppress(OSError):
            (run / LOCK).unlink(missing_ok=True)
        os.close(descriptor)


def is_under_way(run: Path) -> bool:
    """Whether another process is at work on the run in that folder. What this process holds itself it would let go.

    A lock that this user cannot open, or that is no plain file, says nothing.
    """
    with contextlib.suppress(OSError):
        descriptor = take_lock(run, make=False)
        if descriptor is None:
            return True
        os.close(descriptor)
    return False


@contextlib.contextmanager
def hold_run(run: Path) -> Iterator[None]:
    """Nobody else is at work on the run meanwhile; raises ``UsageError`` where another process is."""
    descriptor = take_lock(run)
    if descriptor is None:
        raise UsageError(
            f"Run {run.name} is under way in another process, or its folder lies where files cannot be locked",
            remedy="Wait for its end, or end that process; --state-dir names a folder elsewhere.",
        )
    try:
        yield
    finally:
        leave_lock(run, descriptor)
