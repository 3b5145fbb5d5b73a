"""Landlock without namespaces, for machines that forbid these (a plain container): files and sockets are out of reach,
what is left behind is not."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from analysis.facts import Limits
from sandbox.cgroups import Cgroups, bounds_of, find_cgroups
from sandbox.jails.landlock import LAUNCHER
from sandbox.jails.landlock_launch import Walls, landlock_abi
from sandbox.probe_catalog import all_but
from sandbox.process import FEED, Command
from sandbox.seccomp import call_filter
from sandbox.visible_paths import outermost_paths, system_paths

_SCOPED = 6
"""The first version of Landlock that holds signals back."""


@dataclass(frozen=True, slots=True)
class LandlockAlone:
    """Conforms to ``Jail``. Landlock holds the files, other processes' memory and signals; ``call_filter`` refuses
    every socket, since there is no network of one's own. The copy lies on the disk. Landlock does not ask who changes
    the mode of a file: that stays open, and so no stranger's code runs behind it (``repair/trust.py``)."""

    abi: int
    call_filter: bytes
    cgroups: Cgroups | str
    kind: ClassVar[str] = "landlock-only"
    image: ClassVar[None] = None
    own_processes: ClassVar[bool] = False  # all processes of the user would count

    @property
    def detail(self) -> str:
        """How it is made here."""
        groups = "a control group" if isinstance(self.cgroups, Cgroups) else f"no control group ({self.cgroups})"
        return f"Landlock {self.abi} without namespaces, a filter of system calls that refuses sockets, and {groups}"

    @property
    def opens(self) -> tuple[str, ...]:
        """What it cannot hold here."""
        found = ["faults of the kernel, which is shared", "disk space"]
        found += ["modes, owners and times of the user's files", "names of files and the list of processes"]
        found += [] if self.abi >= _SCOPED else ["signals to the user's processes"]
        if isinstance(self.cgroups, Cgroups):
            return (*found, "processes of an engine that was killed, until the next one starts")
        return (*found, "processes that outlive the run", "the number of processes", "memory over many processes")

    @property
    def stops(self) -> tuple[str, ...]:
        """What needs no namespace, and what a group of processes can stop."""
        missing = ["change-mode", "disk", *([] if self.abi >= _SCOPED else ["signal"])]
        if not isinstance(self.cgroups, Cgroups):
            missing += ["daemon", "processes", "memory-of-many"]
        return all_but(*missing)

    def wrap(
        self, command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command:
        """The command behind what our launcher gives up before it becomes the command."""
        walls = Walls(
            engine=os.getpid(),
            cwd=command.cwd,
            writable=writable,
            readable=[*system_paths(), *outermost_paths(readable)],
            alone=True,
        )
        launcher = (sys.executable, "-I", "-S", "-B", str(LAUNCHER), walls.to_json(), FEED)
        bounds = bounds_of(self.cgroups, limits)
        return replace(command, argv=(*launcher, *command.argv), feed=self.call_filter, bounds=bounds)


def find_landlock_alone() -> LandlockAlone | str:
    """The jail where the kernel has Landlock and takes filters, else why not; the preflight says whether it works."""
    abi, calls = landlock_abi(), call_filter(sockets=False)
    if not abi:
        return "the kernel has none"
    return LandlockAlone(abi, calls, find_cgroups()) if calls else "the kernel takes no filter of system calls"
