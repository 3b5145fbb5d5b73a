"""What work costs: wall time beside the CPU time of a process and of everything that it has started."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of the wall clock and of processors."""

    wall: float
    cpu: float

    def each(self, count: int) -> Cost:
        """The share of one of so many."""
        return Cost(self.wall / count, self.cpu / count)


@dataclass(slots=True)
class Meter:
    """Filled when the measured block ends."""

    cost: Cost = field(default_factory=lambda: Cost(0.0, 0.0))


@contextlib.contextmanager
def metered(*roots: int) -> Iterator[Meter]:
    """Measure a block: wall time, and the CPU time of this process and of the trees of processes at the roots.

    Children that a root has reaped count; those that end unseen between two looks do not.
    """
    meter = Meter()
    cpu, own, wall = sum(map(tree_cpu, roots)), time.process_time(), time.monotonic()
    yield meter
    spent = time.monotonic() - wall
    meter.cost = Cost(spent, time.process_time() - own + sum(map(tree_cpu, roots)) - cpu)


def tree_cpu(root: int) -> float:
    """CPU seconds of a process, of its living descendants, and of all that these have reaped."""
    return sum(own + reaped for own, reaped in accounts(root).values())


def accounts(root: int) -> dict[tuple[int, str], tuple[float, float]]:
    """Of a process and its living descendants, by number and start: CPU seconds, own ones and of what it reaped."""
    found = ((pid, _stat(pid)) for pid in (root, *descendants(root)))
    return {(pid, fields[19]): (_seconds(fields[11:13]), _seconds(fields[13:15])) for pid, fields in found if fields}


def _seconds(ticks: list[str]) -> float:
    return sum(map(int, ticks)) / _TICK


def descendants(root: int) -> tuple[int, ...]:
    """Process ids below a process, nearest first."""
    found: list[int] = []
    pending = [root]
    while pending:
        pid = pending.pop(0)
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                below = [int(child) for child in (task / "children").read_text().split()]
                found += below
                pending += below
    return tuple(found)


def resident_mb(pid: int) -> float:
    """Resident memory of a process in MB, 0 when it is gone."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
    return 0.0


def _stat(pid: int) -> list[str]:
    """Fields of a process's ``stat`` from the state on; its name before that may hold anything."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []
