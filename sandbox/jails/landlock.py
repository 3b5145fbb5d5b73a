"""Landlock and namespaces, made by ourselves: what bubblewrap does, on machines that have no bubblewrap."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sandbox.host_capabilities import Means, Room, find_means, walled
from sandbox.jail_protocol import Jail
from sandbox.jails.landlock_launch import Walls, landlock_abi
from sandbox.process import FEED, Command
from sandbox.visible_paths import copy_command, memory_sizes, outermost_paths, system_links, system_paths

LAUNCHER = Path(__file__).with_name("landlock_launch.py")
_ORIGINAL = "/.original"


def landlock(abi: int, means: Means) -> Jail:
    """The jail that a kernel with this version of Landlock makes with these means."""
    return walled("landlock", f"Landlock {abi} and namespaces", _before, means)


def find_landlock() -> Jail | str:
    """The jail where the kernel has Landlock, else why not; whether it works is for the preflight to say."""
    abi = landlock_abi()
    return landlock(abi, find_means()) if abi else "the kernel has none"


def _before(command: Command, room: Room) -> tuple[str, ...]:
    """The words before the command, which then runs behind walls that our launcher builds round itself."""
    size = room.limits.disk_bytes
    tmp_bytes, shm_bytes = memory_sizes(size)
    walls = Walls(
        engine=os.getpid(),
        cwd=command.cwd,
        writable=room.writable,
        readable=[*system_paths(), *outermost_paths(room.readable)],
        links=system_links(),
        tmp_bytes=tmp_bytes,
        shm_bytes=shm_bytes,
        disk_bytes=size,
        original=_ORIGINAL,
    )
    calls = FEED if room.call_filter else "-1"
    launcher = (sys.executable, "-I", "-S", "-B", str(LAUNCHER), walls.to_json(), calls)
    return (*launcher, *(copy_command(_ORIGINAL, room.writable, command.cwd) if size else ()))
