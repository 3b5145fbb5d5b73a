"""Landlock and namespaces, made by ourselves: what bubblewrap does, on machines that have no bubblewrap."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.facts import Limits
from sandbox.landlock_launch import Walls, landlock_abi
from sandbox.process import Command
from sandbox.visible import SHM_BYTES, TMP_BYTES, outermost, system_files, system_folders, system_links

LAUNCHER = Path(__file__).with_name("landlock_launch.py")


@dataclass(frozen=True, slots=True)
class Landlock:
    """Conforms to ``Jail``."""

    abi: int
    root: bool = False
    """Whether the engine runs as root, whom the kernel's limit on processes does not bind."""

    @property
    def kind(self) -> str:
        """The word for it."""
        return "landlock"

    @property
    def detail(self) -> str:
        """What the preflight showed."""
        return f"probed: Landlock {self.abi} in namespaces of its own"

    @property
    def own_processes(self) -> bool:
        """Yes: they live in a user namespace of their own."""
        return True

    @property
    def opens(self) -> tuple[str, ...]:
        """What it cannot hold."""
        always = ("faults of the shared kernel", "memory over many processes", "disk space")
        return (*always, "the number of processes, for root") if self.root else always

    @property
    def stops(self) -> tuple[str, ...]:
        """What the preflight asks."""
        return ()

    def wrap(
        self, command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command:
        """The command behind walls that our launcher builds round itself."""
        walls = Walls(
            engine=os.getpid(),
            namespaces=True,
            cwd=command.cwd,
            writable=writable,
            readable=[*system_folders(), *system_files(), *outermost(readable)],
            links=list(system_links()),
            tmp_bytes=TMP_BYTES,
            shm_bytes=SHM_BYTES,
        )
        launcher = (sys.executable, "-I", "-S", "-B", str(LAUNCHER), walls.to_json())
        return replace(command, argv=(*launcher, *command.argv))


def find_landlock() -> Landlock | str:
    """The jail where the kernel has Landlock, else why not; whether it works is for the preflight to say."""
    abi = landlock_abi()
    return Landlock(abi, os.geteuid() == 0) if abi else "the kernel has none"
