"""Landlock without namespaces, for machines that forbid these (a plain container): files and sockets are out of reach,
what is left behind is not."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from sandbox.cgroups import Cgroups, find_cgroups
from sandbox.host_capabilities import Means, Room, walled
from sandbox.jail_protocol import Jail
from sandbox.jails.landlock import LAUNCHER
from sandbox.jails.landlock_launch import Walls, landlock_abi
from sandbox.probe_catalog import all_but
from sandbox.process import FEED, Command
from sandbox.seccomp import call_filter
from sandbox.visible_paths import outermost_paths, system_paths

_SCOPED = 6
"""The first version of Landlock that holds signals back."""


def landlock_alone(abi: int, calls: bytes, cgroups: Cgroups | str) -> Jail:
    """The jail of this version of Landlock, which holds the files, other processes' memory and signals.

    The filter ``calls`` refuses every socket, since there is no network of one's own. The copy lies on the disk.
    Landlock does not ask who changes the mode of a file: that stays open, and so no stranger's code runs behind it
    (``repair/front/trust.py``).
    """
    opens = ["faults of the kernel, which is shared", "disk space"]
    opens += ["modes, owners and times of the user's files", "names of files and the list of processes"]
    missing = ["change-mode", "disk"]
    if abi < _SCOPED:
        opens.append("signals to the user's processes")
        missing.append("signal")
    if isinstance(cgroups, Cgroups):
        groups = "a control group"
        opens.append("processes of an engine that was killed, until the next one starts")
    else:
        groups = f"no control group ({cgroups})"
        opens += ["processes that outlive the run", "the number of processes", "memory over many processes"]
        missing += ["daemon", "processes", "memory-of-many"]
    return replace(
        walled("landlock-only", "", _before, Means(calls, cgroups)),
        detail=f"Landlock {abi} without namespaces, a filter of system calls that refuses sockets, and {groups}",
        opens=tuple(opens),
        stops=all_but(*missing),
        own_processes=False,  # all processes of the user would count
    )


def _before(command: Command, room: Room) -> tuple[str, ...]:
    """The words before the command: a launcher that gives up rights and then becomes it."""
    walls = Walls(
        engine=os.getpid(),
        cwd=command.cwd,
        writable=room.writable,
        readable=[*system_paths(), *outermost_paths(room.readable)],
        alone=True,
    )
    return (sys.executable, "-I", "-S", "-B", str(LAUNCHER), walls.to_json(), FEED)


def find_landlock_alone() -> Jail | str:
    """The jail where the kernel has Landlock and takes filters, else why not; the preflight says whether it works."""
    abi, calls = landlock_abi(), call_filter(sockets=False)
    if not abi:
        return "the kernel has none"
    return landlock_alone(abi, calls, find_cgroups()) if calls else "the kernel takes no filter of system calls"
