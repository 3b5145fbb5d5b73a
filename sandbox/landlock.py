"""Landlock and namespaces, made by ourselves: what bubblewrap does, on machines that have no bubblewrap."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.facts import Limits
from sandbox.cgroups import Cgroups, bounds_of, find_cgroups
from sandbox.landlock_launch import Walls, landlock_abi
from sandbox.means import described, left_open, stopped
from sandbox.process import FEED, Command
from sandbox.seccomp import call_filter
from sandbox.visible import SHM_BYTES, TMP_BYTES, copied, outermost, system_files, system_folders, system_links

LAUNCHER = Path(__file__).with_name("landlock_launch.py")
_ORIGINAL = "/.original"


@dataclass(frozen=True, slots=True)
class Landlock:
    """Conforms to ``Jail``. ``call_filter`` and ``cgroups`` make it stronger where the machine has them."""

    abi: int
    call_filter: bytes = b""
    cgroups: Cgroups | str = "not looked for"
    """Where groups can be made, or why there are none."""
    root: bool = False
    """Whether the engine runs as root, whom the kernel's limit on processes does not bind."""

    @property
    def kind(self) -> str:
        """The word for it."""
        return "landlock"

    @property
    def detail(self) -> str:
        """How it is made here."""
        return f"Landlock {self.abi} and namespaces with {described(self.call_filter, self.cgroups)}"

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
        """The command behind walls that our launcher builds round itself."""
        most = limits.disk_bytes or TMP_BYTES
        walls = Walls(
            engine=os.getpid(),
            cwd=command.cwd,
            writable=writable,
            readable=[*system_folders(), *system_files(), *outermost(readable)],
            links=list(system_links()),
            tmp_bytes=min(TMP_BYTES, most),
            shm_bytes=min(SHM_BYTES, most),
            disk_bytes=limits.disk_bytes,
            original=_ORIGINAL,
        )
        calls = FEED if self.call_filter else "-1"
        launcher = (sys.executable, "-I", "-S", "-B", str(LAUNCHER), walls.to_json(), calls)
        copying = copied(_ORIGINAL, writable, command.cwd) if limits.disk_bytes else ()
        bounds = bounds_of(self.cgroups, limits)
        return replace(command, argv=(*launcher, *copying, *command.argv), feed=self.call_filter, bounds=bounds)


def find_landlock() -> Landlock | str:
    """The jail where the kernel has Landlock, else why not; whether it works is for the preflight to say."""
    abi = landlock_abi()
    return Landlock(abi, call_filter(), find_cgroups(), os.geteuid() == 0) if abi else "the kernel has none"
