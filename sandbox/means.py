"""What the machine gives to walls of any kind beyond namespaces, and what follows from it for promises."""

from __future__ import annotations

from sandbox.cgroups import Cgroups
from sandbox.probe_catalog import all_but


def described(call_filter: bytes, cgroups: Cgroups | str) -> str:
    """The means in words."""
    calls = "a filter of system calls" if call_filter else "no filter of system calls (the kernel takes none)"
    groups = "a control group" if isinstance(cgroups, Cgroups) else f"no control group ({cgroups})"
    return f"{calls} and {groups}"


def left_open(call_filter: bytes, cgroups: Cgroups | str, *, root: bool) -> tuple[str, ...]:
    """What walls with these means cannot hold. ``root``: the engine's user is bound by no limit on processes."""
    found = ["faults of the kernel, which is shared", "disk space, for projects over 64 MB"]
    if not call_filter:
        found.append("rare system calls")
    if not isinstance(cgroups, Cgroups):
        found.append("memory over many processes")
        found += ["the number of processes, since the engine runs as root"] if root else []
    return tuple(found)


def stopped(call_filter: bytes, cgroups: Cgroups | str, *, root: bool) -> tuple[str, ...]:
    """The probes that walls with these means must stop: all but those that need what is missing."""
    missing = [] if call_filter else ["trace"]
    if not isinstance(cgroups, Cgroups):
        missing += ["memory-of-many", "processes"] if root else ["memory-of-many"]
    return all_but(*missing)
