"""Groups of processes whose memory and number the kernel bounds together.

A limit on one process says nothing about a hundred of them, and root is bound by no limit on processes. A group is made
for each command and removed when it has ended. Its name tells which engine made it: groups of engines that were killed
are removed by a later one.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.facts import Limits
from sandbox.visible_paths import is_within

_NEEDED = ("memory", "pids")


def cgroup_folders(process: Path) -> tuple[tuple[str, ...], int] | str:
    """The folders in which groups for memory and for processes can be made, and the version; else why there are none.

    Version 1 takes groups below our own. Version 2 forbids them beside processes, so they are made in the nearest
    group above that hands both controllers down and that we may write.
    """
    own = _own_groups(process)
    if not own:
        return "the kernel has no control groups"
    first = [own[name] for name in _NEEDED if name in own]
    if len(first) == 2:
        closed = [folder for folder in first if not os.access(folder, os.W_OK | os.X_OK)]
        return f"this user may not write {closed[0]}" if closed else (tuple(dict.fromkeys(first)), 1)
    if "" not in own:
        return "the kernel's control groups count no memory or no processes"
    folder = own[""]
    mount = next(point for kind, _, point, _ in _mounts(process) if kind == "cgroup2")
    while True:
        able = os.access(folder, os.W_OK | os.X_OK) and os.access(f"{folder}/cgroup.procs", os.W_OK)
        if able and set(_NEEDED) <= set(_read(f"{folder}/cgroup.subtree_control").split()):
            return (folder,), 2
        if folder == mount or len(folder) <= len(mount):
            return "no control group above ours hands memory and processes down to this user"
        folder = os.path.dirname(folder)


def own_memory_bound(process: Path) -> int:
    """The memory that our own group may have; a very large number where it has no bound."""
    own = _own_groups(process)
    for name, file in (("memory", "memory.limit_in_bytes"), ("", "memory.max")):
        if name in own:
            text = _read(f"{own[name]}/{file}").strip()
            if text.isdigit():
                return int(text)
    return 1 << 62


def _own_groups(process: Path) -> dict[str, str]:
    """Our folder for each controller; version 2 is the one without a name."""
    paths: dict[str, str] = {}
    for line in _read(f"{process}/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        for name in controllers.split(","):
            paths[name] = path
    found: dict[str, str] = {}
    for kind, root, point, options in _mounts(process):
        for name in [""] if kind == "cgroup2" else options.split(","):
            if name in paths:
                below = os.path.relpath(paths[name], root) if is_within(paths[name], root) else "."
                found[name] = os.path.normpath(os.path.join(point, below))
    return found


def _mounts(process: Path) -> list[tuple[str, str, str, str]]:
    """Kind, root, mount point and options of each hierarchy."""
    found = []
    for line in _read(f"{process}/mountinfo").splitlines():
        here, _, there = line.partition(" - ")
        words, kinds = here.split(" "), there.split(" ")
        if len(words) > 4 and len(kinds) > 2 and kinds[0] in ("cgroup", "cgroup2"):
            found.append((kinds[0], words[3], words[4], kinds[2]))
    return found


_PREFIX = "repair-"
_NAME = re.compile(_PREFIX + r"(\d+)-(\d+)-(\d+)-[0-9a-f]+")
_SECONDS = 3.0
_SPARE_PROCESSES = 8
"""Those of the jail itself."""

# The shell joins the groups and becomes the program: no code of ours runs between fork and exec.
_JOIN = 'until [ "$1" = -- ]; do echo $$ >"$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"'


@dataclass(frozen=True, slots=True)
class Cgroups:
    """Where groups can be made: the folders of the memory and of the process controller, or the one that is both."""

    folders: tuple[str, ...]
    version: int
    most_memory: int
    """What a group may have at most, whatever is asked: three quarters of the machine, or of our own group."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A group to make for one command."""

    cgroups: Cgroups
    memory_bytes: int
    processes: int


def bounds_of(cgroups: Cgroups | str, limits: Limits) -> Bounds | None:
    """What the limits say of all processes together; ``None`` where no group can be made."""
    if isinstance(cgroups, str):
        return None
    return Bounds(cgroups, limits.tree_bytes, limits.processes + _SPARE_PROCESSES)


def find_cgroups() -> Cgroups | str:
    """Where groups can be made by this user, tried out; else why they cannot. Removes what killed engines left."""
    found = cgroup_folders(Path("/proc/self"))
    if isinstance(found, str):
        return found
    folders, version = found
    most = min(own_memory_bound(Path("/proc/self")), os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    cgroups = Cgroups(folders, version, most * 3 // 4)
    clear_stale(cgroups)
    try:
        group = open_group(Bounds(cgroups, 64 << 20, 16))
    except OSError as problem:
        return f"no group of processes can be made: {problem}"
    joined = all(os.access(f"{folder}/cgroup.procs", os.W_OK) for folder in group.folders)
    group.close()
    return cgroups if joined else "no process may be put into a group"


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """One group, as its folders."""

    folders: tuple[str, ...]

    def join_command(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """The command line that runs ``argv`` in the group."""
        return ("/bin/sh", "-c", _JOIN, "sh", *self.folders, "--", *argv)

    def ran_out(self) -> bool:
        """Whether the kernel ended one of its processes because memory had run out."""
        counts = self._read_each("memory.events", "memory.oom_control")
        return any(re.search(r"^oom_kill +[1-9]", text, re.MULTILINE) for text in counts)

    def held_bytes(self) -> int:
        """How many bytes of memory its processes hold together now; 0 where nobody tells."""
        amounts = self._read_each("memory.current", "memory.usage_in_bytes")
        return next((int(text) for text in amounts if text.strip().isdigit()), 0)

    def _read_each(self, *names: str) -> Iterator[str]:
        return (_read(f"{folder}/{name}") for folder in self.folders for name in names)

    def close(self) -> None:
        """End every process in it and remove it."""
        until = time.monotonic() + _SECONDS
        for folder in self.folders:
            _end_all(folder)
        for folder in reversed(self.folders):
            while os.path.isdir(folder) and not _try_remove(folder) and time.monotonic() < until:
                time.sleep(0.001)
                _end_all(folder)


def open_group(bounds: Bounds) -> ControlGroup:
    """A new group with these bounds. Raises ``OSError`` where the kernel refuses."""
    cgroups = bounds.cgroups
    name = f"{_PREFIX}{_namespace()}-{os.getpid()}-{_start_tick(os.getpid())}-{secrets.token_hex(6)}"
    group = ControlGroup(tuple(f"{folder}/{name}" for folder in cgroups.folders))
    memory, processes = str(min(bounds.memory_bytes, cgroups.most_memory)), str(bounds.processes)
    try:
        for folder in group.folders:
            os.mkdir(folder)
        if cgroups.version == 2:
            _write(f"{group.folders[0]}/memory.max", memory)
            _write_if_there(f"{group.folders[0]}/memory.swap.max", "0")
        else:
            _write(f"{group.folders[0]}/memory.limit_in_bytes", memory)
            _write_if_there(f"{group.folders[0]}/memory.memsw.limit_in_bytes", memory)
        _write(f"{group.folders[-1]}/pids.max", processes)
    except OSError:
        group.close()
        raise
    return group


def clear_stale(cgroups: Cgroups) -> None:
    """Remove the groups of engines that are gone, here and beside here. Those of living ones stay."""
    for folder in cgroups.folders:
        for place in (folder, *_children(os.path.dirname(folder))):
            for path in _children(place):
                named = _NAME.fullmatch(os.path.basename(path))
                if named and named[1] == _namespace() and _start_tick(int(named[2])) != named[3]:
                    ControlGroup((path,)).close()


def _namespace() -> str:
    """Which process ids our names speak of."""
    try:
        return str(os.stat("/proc/self/ns/pid").st_ino)
    except OSError:
        return "0"


def _start_tick(pid: int) -> str:
    """When the process began, in the kernel's ticks: with its id, it is never reused. Empty when it is gone."""
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split(" ")
    return fields[20] if len(fields) > 20 else ""


def _end_all(folder: str) -> None:
    """Kill what is in the group; nothing can fork meanwhile."""
    _write_if_there(f"{folder}/pids.max", "0")
    if _write_if_there(f"{folder}/cgroup.kill", "1"):
        return
    for line in _read(f"{folder}/cgroup.procs").split():
        if int(line) > 0:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(line), signal.SIGKILL)


def _try_remove(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except OSError:
        return False
    return True


def _children(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return [entry.path for entry in found if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def _write(path: str, text: str) -> None:
    with open(os.open(path, os.O_WRONLY), "w") as file:
        file.write(text)


def _write_if_there(path: str, text: str) -> bool:
    try:
        _write(path, text)
    except OSError:
        return False
    return True
