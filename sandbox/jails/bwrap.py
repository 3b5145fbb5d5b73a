"""Bubblewrap: a root of allowed folders only. No network, no home, no other process, no original project."""

from __future__ import annotations

import functools

from analysis.facts import Limits
from sandbox.host_capabilities import Means, Room, find_means, walled
from sandbox.jail_protocol import Jail
from sandbox.process import FEED, Command
from sandbox.programs import find_tool
from sandbox.visible_paths import copy_command, memory_sizes, outermost_paths, system_links, system_paths

_SOURCE = "/.original"


def bwrap(program: str, means: Means) -> Jail:
    """The jail that this program makes with these means.

    The writable folder is copied into a file system in memory, of bounded size, so that no run fills the disk. Where
    ``Limits.disk_bytes`` is 0 (a large project) the folder itself is shown.
    """
    return walled("bwrap", "bubblewrap", functools.partial(_before, program), means)


def find_bwrap() -> Jail | str:
    """The jail where the program is there, else why not; whether it works is for the preflight to say."""
    program = find_tool("bwrap")
    return bwrap(program, find_means()) if program else "it is not installed"


def _before(program: str, command: Command, room: Room) -> tuple[str, ...]:
    """The words before the command, which then runs in namespaces of its own.

    The root is closed last: mount points cannot be made after that, and an open one takes any amount.
    """
    sealed = ("--seccomp", FEED) if room.call_filter else ()
    shown = (word for path in outermost_paths(room.readable) for word in ("--ro-bind", path, path))
    walls = (program, *_walls(room.limits), *shown)
    closed = (*sealed, "--remount-ro", "/", "--chdir")
    if not room.limits.disk_bytes:
        return (*walls, "--bind", room.writable, room.writable, *closed, command.cwd, "--")
    size = str(room.limits.disk_bytes)
    within = ("--ro-bind", room.writable, _SOURCE, "--size", size, "--tmpfs", room.writable)
    return (*walls, *within, *closed, "/", "--", *copy_command(_SOURCE, room.writable, command.cwd))


def _walls(limits: Limits) -> list[str]:
    """Namespaces, and a root with the system's programs and libraries, read-only."""
    spaces = "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try"
    rest = "--disable-userns --die-with-parent --new-session --cap-drop ALL --hostname sandbox"
    walls = [*spaces.split(), *rest.split()]
    for folder, to in system_links():
        walls += ["--symlink", to, folder]
    for path in system_paths():
        walls += ["--ro-bind", path, path]
    tmp_bytes, shm_bytes = memory_sizes(limits.disk_bytes)
    # bubblewrap leaves the kernel's settings writable to root, who needs no capability for most of them.
    walls += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
    walls += ["--size", str(tmp_bytes), "--tmpfs", "/tmp"]
    return [*walls, "--size", str(shm_bytes), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
