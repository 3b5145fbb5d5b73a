"""What a run has left behind on the machine: processes, files, mounts, groups of processes, open descriptors."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")


def left_behind(folder: Path, engines: Collection[int], seconds: float) -> tuple[str, ...]:
    """What is still there after so many seconds at most, in words: nothing, where all went well.

    ``folder`` was the temporary directory of the run, and is in the environment or on the command line of whatever it
    started. ``engines`` are the process ids that groups may be named after.
    """
    until = time.monotonic() + seconds
    while (found := tuple(_find_leftovers(folder, engines))) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def processes_left(folder: Path, seconds: float) -> tuple[str, ...]:
    """Those of them that are processes."""
    until = time.monotonic() + seconds
    while (found := tuple(processes_of(folder))) and time.monotonic() < until:
        time.sleep(0.1)
    return tuple(f"process {pid}: {_command(pid)}" for pid in found)


def processes_of(folder: Path) -> Iterator[int]:
    """Processes that name the folder in their environment or on their command line, but not this one."""
    wanted = os.fsencode(folder)
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError):
                place = Path("/proc", name)
                if wanted in (place / "environ").read_bytes() or wanted in (place / "cmdline").read_bytes():
                    yield int(name)


def files_below(folder: Path) -> tuple[str, ...]:
    """Paths of everything below the folder, relative to it."""
    return tuple(sorted(str(path.relative_to(folder)) for path in folder.rglob("*")))


def descriptors(pid: int) -> int:
    """How many descriptors a process has open; 0 when it is gone."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def _find_leftovers(folder: Path, engines: Collection[int]) -> Iterator[str]:
    yield from processes_left(folder, 0)
    yield from (f"file {name}" for name in files_below(folder)[:5])
    mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    yield from (f"mount {line.split()[4]}" for line in mounts if str(folder) in line)
    for group in _GROUPS.glob("**/repair-*"):
        # Named repair-NAMESPACE-ENGINE-…; those of other engines on this machine are none of ours.
        if group.is_dir() and any(f"-{pid}-" in group.name for pid in engines):
            yield f"group of processes {group}"


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:200]
    return "gone meanwhile"
