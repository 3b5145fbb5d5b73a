"""Where the kernel shows this process's own control groups."""

from __future__ import annotations

import os
from pathlib import Path

_NEEDED = {"memory", "pids"}


def cgroup_folders(process: Path) -> tuple[tuple[str, ...], int] | str:
    """The folders in which groups for memory and for processes can be made, and the version; else why there are none.

    Version 1 takes groups below our own. Version 2 forbids them beside processes, so they are made in the nearest
    group above that hands both controllers down and that we may write.
    """
    own = _own_groups(process)
    if not own:
        return "the kernel has no control groups"
    first = [own[name] for name in ("memory", "pids") if name in own]
    if len(first) == 2:
        closed = [folder for folder in first if not os.access(folder, os.W_OK | os.X_OK)]
        return f"this user may not write {closed[0]}" if closed else (tuple(dict.fromkeys(first)), 1)
    if "" not in own:
        return "the kernel's control groups count no memory or no processes"
    return _nearest_above(*_split(process, own[""]))


def own_memory_bound(process: Path) -> int:
    """The memory that our own group may have; a very large number where it has no bound."""
    own = _own_groups(process)
    for name, file in (("memory", "memory.limit_in_bytes"), ("", "memory.max")):
        if name in own:
            text = _text(Path(own[name]) / file).strip()
            if text.isdigit():
                return int(text)
    return 1 << 62


def _nearest_above(own: str, mount: str) -> tuple[tuple[str, ...], int] | str:
    folder = own
    while True:
        handed = set(_text(Path(folder) / "cgroup.subtree_control").split())
        able = os.access(folder, os.W_OK | os.X_OK) and os.access(f"{folder}/cgroup.procs", os.W_OK)
        if able and handed >= _NEEDED:
            return (folder,), 2
        if folder == mount or len(folder) <= len(mount):
            return "no control group above ours hands memory and processes down to this user"
        folder = os.path.dirname(folder)


def _split(process: Path, own: str) -> tuple[str, str]:
    return own, next(point for kind, _, point, _ in _mounts(process) if kind == "cgroup2")


def _own_groups(process: Path) -> dict[str, str]:
    """Our folder for each controller; version 2 is the one without a name."""
    paths: dict[str, str] = {}
    for line in _text(process / "cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        for name in controllers.split(","):
            paths[name] = path
    found: dict[str, str] = {}
    for kind, root, point, options in _mounts(process):
        for name in [""] if kind == "cgroup2" else options.split(","):
            if name in paths:
                below = os.path.relpath(paths[name], root) if _within(paths[name], root) else "."
                found[name] = os.path.normpath(os.path.join(point, below))
    return found


def _mounts(process: Path) -> list[tuple[str, str, str, str]]:
    """Kind, root, mount point and options of each hierarchy."""
    found = []
    for line in _text(process / "mountinfo").splitlines():
        here, _, there = line.partition(" - ")
        words, kinds = here.split(" "), there.split(" ")
        if len(words) > 4 and len(kinds) > 2 and kinds[0] in ("cgroup", "cgroup2"):
            found.append((kinds[0], words[3], words[4], kinds[2]))
    return found


def _within(path: str, folder: str) -> bool:
    return folder == "/" or path == folder or path.startswith(folder + "/")


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
