"""Isolation as a value: a function from a command line to a command line.

``none`` leaves it as it is: limits, a clean environment and a copy, but the user's own rights. ``bwrap`` builds a
root of allowed folders only: no network, no home, no other process, nothing of the original project.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

_TMP_BYTES = 256 << 20
_SHM_BYTES = 64 << 20
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("ld.so.cache", "alternatives", "passwd", "group", "nsswitch.conf", "localtime", "timezone", "mime.types", "ssl")


@dataclass(frozen=True, slots=True)
class Jail:
    """One kind of isolation. ``detail`` says why it is this one, for the record."""

    kind: str
    detail: str = ""
    program: str = ""

    @property
    def own_processes(self) -> bool:
        """Whether processes in it are counted apart from the user's others."""
        return self.kind == "bwrap"

    def wrap(self, argv: Sequence[str], *, cwd: str, writable: str, readable: Sequence[str]) -> tuple[str, ...]:
        """The command line that runs ``argv`` in ``cwd`` with one writable folder and some readable ones."""
        if self.kind == "none":
            return tuple(argv)
        return (self.program, *_walls(), *_folders(readable), "--bind", writable, writable, *_last(cwd), *argv)


NO_JAIL = Jail("none", "limits and a clean environment only")


def find_bwrap() -> Jail | None:
    """The bubblewrap jail where the program is there; whether it works is for the preflight to say."""
    program = shutil.which("bwrap")
    return Jail("bwrap", "", program) if program else None


def _walls() -> list[str]:
    """Namespaces, and a root with the system's programs and libraries, read-only."""
    spaces = "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try"
    rest = "--disable-userns --die-with-parent --new-session --cap-drop ALL --hostname sandbox"
    walls = [*spaces.split(), *rest.split(), "--ro-bind", "/usr", "/usr"]
    for folder in _SYSTEM:
        if os.path.islink(folder):
            walls += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            walls += ["--ro-bind", folder, folder]
    for name in _ETC:
        walls += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    walls += ["--proc", "/proc", "--dev", "/dev", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp"]
    return [*walls, "--size", str(_SHM_BYTES), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]


def _folders(readable: Sequence[str]) -> list[str]:
    """Read-only binds, parents before children so that none hides another."""
    known = ["/usr", *(folder for folder in _SYSTEM if os.path.exists(folder))]
    shown: list[str] = []
    for folder in sorted(set(readable)):
        if os.path.exists(folder) and not any(_within(folder, other) for other in (*known, *shown)):
            shown.append(folder)
    return [word for folder in shown for word in ("--ro-bind", folder, folder)]


def _last(cwd: str) -> list[str]:
    """The root is closed last: mount points cannot be made after that, and an open one takes any amount."""
    return ["--remount-ro", "/", "--chdir", cwd, "--"]


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")
