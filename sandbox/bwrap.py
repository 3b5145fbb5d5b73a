"""Bubblewrap: a root of allowed folders only. No network, no home, no other process, no original project."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.facts import Limits
from sandbox.cgroups import Cgroups, bounds_of, find_cgroups
from sandbox.means import described, left_open, stopped
from sandbox.process import FEED, Command
from sandbox.seccomp import call_filter
from sandbox.visible import SHM_BYTES, TMP_BYTES, copied, outermost, system_files, system_folders, system_links

_SOURCE = "/.original"


@dataclass(frozen=True, slots=True)
class Bwrap:
    """Conforms to ``Jail``. ``call_filter`` and ``cgroups`` make it stronger where the machine has them.

    The writable folder is copied into a file system in memory, of bounded size, so that no run fills the disk; where
    ``Limits.disk_bytes`` is 0 (a large project) the folder itself is shown.
    """

    program: str
    call_filter: bytes = b""
    cgroups: Cgroups | str = "not looked for"
    """Where groups can be made, or why there are none."""
    root: bool = False
    """Whether the engine runs as root, whom the kernel's limit on processes does not bind."""

    @property
    def kind(self) -> str:
        """The word for it."""
        return "bwrap"

    @property
    def detail(self) -> str:
        """How it is made here."""
        return f"bubblewrap with {described(self.call_filter, self.cgroups)}"

    @property
    def own_processes(self) -> bool:
        """Yes: they live in a user namespace of their own."""
        return True

    @property
    def opens(self) -> tuple[str, ...]:
        """What it cannot hold here."""
        return left_open(self.call_filter, self.cgroups, root=self.root)

    @property
    def stops(self) -> tuple[str, ...]:
        """Every probe, but for those that need what is missing here."""
        return stopped(self.call_filter, self.cgroups, root=self.root)

    def wrap(
        self, command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command:
        """The command in namespaces of its own."""
        sealed = ("--seccomp", FEED) if self.call_filter else ()
        shown = (word for path in outermost(readable) for word in ("--ro-bind", path, path))
        walls = (self.program, *_walls(limits), *shown)
        if limits.disk_bytes:
            within = ("--ro-bind", writable, _SOURCE, "--size", str(limits.disk_bytes), "--tmpfs", writable)
            copying = copied(_SOURCE, writable, command.cwd)
            argv = (*walls, *within, *sealed, *_last("/"), *copying, *command.argv)
        else:
            argv = (*walls, "--bind", writable, writable, *sealed, *_last(command.cwd), *command.argv)
        return replace(command, argv=argv, feed=self.call_filter, bounds=bounds_of(self.cgroups, limits))


def find_bwrap() -> Bwrap | str:
    """The jail where the program is there, else why not; whether it works is for the preflight to say."""
    program = shutil.which("bwrap")
    return Bwrap(program, call_filter(), find_cgroups(), os.geteuid() == 0) if program else "it is not installed"


def _walls(limits: Limits) -> list[str]:
    """Namespaces, and a root with the system's programs and libraries, read-only."""
    spaces = "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try"
    rest = "--disable-userns --die-with-parent --new-session --cap-drop ALL --hostname sandbox"
    walls = [*spaces.split(), *rest.split()]
    for folder, to in system_links():
        walls += ["--symlink", to, folder]
    for path in (*system_folders(), *system_files()):
        walls += ["--ro-bind", path, path]
    most = limits.disk_bytes or TMP_BYTES
    # bubblewrap leaves the kernel's settings writable to root, who needs no capability for most of them.
    walls += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
    walls += ["--size", str(min(TMP_BYTES, most)), "--tmpfs", "/tmp"]
    return [*walls, "--size", str(min(SHM_BYTES, most)), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]


def _last(cwd: str) -> list[str]:
    """The root is closed last: mount points cannot be made after that, and an open one takes any amount."""
    return ["--remount-ro", "/", "--chdir", cwd, "--"]
