"""What a process and those below it use now, as the system's tables of processes say it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


def accounts(root: int) -> dict[tuple[int, str], tuple[float, float]]:
    """Of a process and its living descendants, by number and start: CPU seconds, own ones and of what it reaped."""
    found = {}
    for pid in (root, *descendants(root)):
        with contextlib.suppress(OSError, IndexError):
            # from the state on: the name before that may hold anything
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            own, reaped = (sum(map(int, fields[at : at + 2])) / _TICK for at in (11, 13))
            found[pid, fields[19]] = (own, reaped)
    return found


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
