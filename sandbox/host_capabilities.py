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


@dataclass(frozen=True, slots=True)
class Room:
    """What walls are to hold: one writable folder and some readable ones, under these limits, behind this filter."""

    writable: str
    readable: tuple[str, ...]
    limits: Limits
    call_filter: bytes


Build = Callable[[Command, Room], tuple[str, ...]]
"""Gives the words before a command."""


def walled(kind: str, made_of: str, build: Build, means: Means) -> Jail:
    """The jail whose walls one kind builds, under the filter and in a group where there are such.

    ``build`` gives the words before a command, with ``FEED`` where the filter's descriptor belongs. Processes live in a
    user namespace of their own. All probes are stopped but those that need means which are missing.
    """
    calls, groups = "a filter of system calls", "a control group"
    opens, missing = ["faults of the kernel, which is shared", "disk space, for projects over 64 MB"], []
    if not means.call_filter:
        calls = "no filter of system calls (the kernel takes none)"
        opens.append("rare system calls")
        missing.append("trace")
    if not isinstance(means.cgroups, Cgroups):
        groups = f"no control group ({means.cgroups})"
        opens.append("memory over many processes")
        missing.append("memory-of-many")
        if means.exempt:
            opens.append("the number of processes, since the engine runs as root")
            missing.append("processes")

    detail = f"{made_of} with {calls} and {groups}"
    wrap = functools.partial(_wrap, build, means)
    return Jail(kind, detail, tuple(opens), all_but(*missing), wrap, own_processes=True)


def _wrap(
    build: Build,
    means: Means,
    command: Command,
    *,
    writable: str,
    readable: Sequence[str],
    descriptors: Sequence[int],
    limits: Limits,
) -> Command:
    before = build(command, Room(writable, tuple(readable), limits, means.call_filter))
    bounds = bounds_of(means.cgroups, limits)
    return replace(command, argv=(*before, *command.argv), feed=means.call_filter, bounds=bounds)


def find_means() -> Means:
    """What there is on this machine for this user, tried out where the machine's word is not enough."""
    return Means(call_filter(), find_cgroups(), is_exempt())


def is_exempt() -> bool:
    """Whether this user gets more processes than a limit allows. Root of a container of its own may be bound."""
    tried = functools.partial(subprocess.run, ("/bin/sh", "-c", _SECOND), stdin=subprocess.DEVNULL, check=False)
    return os.geteuid() == 0 and tried().returncode == 0
