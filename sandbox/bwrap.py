"""Bubblewrap: a root of allowed folders only. No network, no home, no other process, no original project."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.facts import Limits
from sandbox.process import Command

_TMP_BYTES = 256 << 20
_SHM_BYTES = 64 << 20
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("ld.so.cache", "alternatives", "passwd", "group", "nsswitch.conf", "localtime", "timezone", "mime.types", "ssl")


@dataclass(frozen=True, slots=True)
class Bwrap:
    """Conforms to ``Jail``."""

    program: str
    root: bool = False
    """Whether the engine runs as root, whom the kernel's limit on processes does not bind."""

    @property
    def kind(self) -> str:
        """The word for it."""
        return "bwrap"

    @property
    def detail(self) -> str:
        """What the preflight showed."""
        return "probed: no writes outside the copy, no private files, no network, no other process"

    @property
    def own_processes(self) -> bool:
        """Yes: they live in a user namespace of their own."""
        return True

    @property
    def opens(self) -> tuple[str, ...]:
        """What bubblewrap cannot hold."""
        always = ("faults of the shared kernel", "memory over many processes", "disk space")
        return (*always, "the number of processes, for root") if self.root else always

    @property
    def stops(self) -> tuple[str, ...]:
        """What the preflight asks."""
        return ()

    def wrap(
        self, command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command:
        """The command in namespaces of its own."""
        walls = (self.program, *_walls(), *_folders(readable), "--bind", writable, writable, *_last(command.cwd))
        return replace(command, argv=(*walls, *command.argv))


def find_bwrap() -> Bwrap | str:
    """The jail where the program is there, else why not; whether it works is for the preflight to say."""
    program = shutil.which("bwrap")
    return Bwrap(program, os.geteuid() == 0) if program else "it is not installed"


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
