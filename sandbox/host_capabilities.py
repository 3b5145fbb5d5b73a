"""What the machine gives to walls of any kind beyond namespaces, and what follows from it for promises."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Limits
from sandbox.cgroups import Cgroups, bounds_of, find_cgroups
from sandbox.jail_protocol import Jail
from sandbox.probe_catalog import all_but
from sandbox.process import Command
from sandbox.seccomp import call_filter

# A second process under a limit of one: only whom the kernel exempts gets it.
_SECOND = "{ ulimit -p 1 || ulimit -u 1; (exit 0); } 2>/dev/null || exit 1; exit 0"


@dataclass(frozen=True, slots=True)
class Means:
    """A filter of system calls and groups of processes, as far as they are there, and whom limits bind."""

    call_filter: bytes = b""
    """Empty where the kernel takes none."""
    cgroups: Cgroups | str = "not looked for"
    """Where groups can be made, or why there are none."""
    exempt: bool = False
    """Whether the kernel's limit on the number of processes does not bind our user: so it is for the machine's root."""

    @property
    def description(self) -> str:
        """The means in words."""
        calls = "a filter of system calls" if self.call_filter else "no filter of system calls (the kernel takes none)"
        grouped = isinstance(self.cgroups, Cgroups)
        return f"{calls} and {'a control group' if grouped else f'no control group ({self.cgroups})'}"

    @property
    def opens(self) -> tuple[str, ...]:
        """What walls with these means cannot hold."""
        found = ["faults of the kernel, which is shared", "disk space, for projects over 64 MB"]
        if not self.call_filter:
            found.append("rare system calls")
        if not isinstance(self.cgroups, Cgroups):
            found.append("memory over many processes")
            found += ["the number of processes, since the engine runs as root"] if self.exempt else []
        return tuple(found)

    @property
    def stops(self) -> tuple[str, ...]:
        """The probes that walls with these means must stop: all but those that need what is missing."""
        missing = [] if self.call_filter else ["trace"]
        if not isinstance(self.cgroups, Cgroups):
            missing += ["memory-of-many", "processes"] if self.exempt else ["memory-of-many"]
        return all_but(*missing)


@dataclass(frozen=True, slots=True)
class Room:
    """What walls are to hold: one writable folder and some readable ones, under these limits, behind this filter."""

    writable: str
    readable: tuple[str, ...]
    limits: Limits
    call_filter: bytes


def walled(kind: str, made_of: str, build: Callable[[Command, Room], tuple[str, ...]], means: Means) -> Jail:
    """The jail whose walls one kind builds, under the filter and in a group where there are such.

    ``build`` gives the words before a command, with ``FEED`` where the filter's descriptor belongs. Processes live in a
    user namespace of their own.
    """

    def wrap(
        command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command:
        calls = means.call_filter
        before = build(command, Room(writable, tuple(readable), limits, calls))
        return replace(command, argv=(*before, *command.argv), feed=calls, bounds=bounds_of(means.cgroups, limits))

    detail = f"{made_of} with {means.description}"
    return Jail(kind, detail, means.opens, means.stops, wrap, own_processes=True)


def find_means() -> Means:
    """What there is on this machine for this user, tried out where the machine's word is not enough."""
    return Means(call_filter(), find_cgroups(), is_exempt())


def is_exempt() -> bool:
    """Whether this user gets more processes than a limit allows. Root of a container of its own may be bound."""
    tried = functools.partial(subprocess.run, ("/bin/sh", "-c", _SECOND), stdin=subprocess.DEVNULL, check=False)
    return os.geteuid() == 0 and tried().returncode == 0
