"""Time that a run takes by itself, whatever else the machine does."""

from __future__ import annotations

from os import O_RDONLY, close, read, times
from os import open as os_open
from time import monotonic

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 8
"""How much longer than its work something may take by the clock on the wall: others may have the cores."""


def unhindered_seconds() -> float:
    """Seconds on a clock that stands still while this thread is ready to run and another has its core.

    Sleeping and waiting for something count. Where the system does not tell (only Linux does), it is the usual clock.
    """
    return monotonic() - _waited_seconds()


def _waited_seconds() -> float:
    try:
        descriptor = os_open("/proc/thread-self/schedstat", O_RDONLY)
        try:
            return int(read(descriptor, 100).split()[1]) / 1e9
        finally:
            close(descriptor)
    except (OSError, ValueError, IndexError):
        return 0.0


class Allowance:
    """Processor time for a process and the children that it has waited for, and some patience by the wall's clock."""

    def __init__(self, seconds: float, wall: float | None = None) -> None:
        self._cpu = _used_seconds() + seconds
        self._wall = monotonic() + PATIENCE * seconds if wall is None else wall

    @property
    def is_over(self) -> bool:
        """Whether it is used up."""
        return _used_seconds() > self._cpu or monotonic() > self._wall

    def handed_on(self) -> Callable[[], Allowance]:
        """What a child gets that is forked now; it has to call what this gives."""
        left, wall = self._cpu - _used_seconds(), self._wall
        return lambda: Allowance(left, wall)


def _used_seconds() -> float:
    told = times()
    return told.user + told.system + told.children_user + told.children_system
