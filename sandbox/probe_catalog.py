"""The forbidden acts that are tried on a jail, by name. What each kind must stop is a choice among these names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Probe:
    """One forbidden act: ``tries`` completes "it tries to …"."""

    name: str
    tries: str
    hardened: bool = False
    """Whether some machines forbid it to everyone: then there is nothing to stop, and no positive control."""


QUICK = (
    Probe("write-outside", "write outside"),
    Probe("private-file", "read a private file"),
    Probe("change-mode", "change who may read a file outside"),
    Probe("home", "list the home folder", hardened=True),
    Probe("tcp", "connect to a local port"),
    Probe("socket-file", "connect to a socket file"),
    Probe("abstract-socket", "connect to an abstract socket"),
    Probe("own-environment", "find the engine's variables in its own environment"),
    Probe("engine-environment", "read the engine's environment", hardened=True),
    Probe("engine-memory", "open the engine's memory", hardened=True),
    Probe("signal", "send the engine a signal"),
    Probe("kernel-settings", "open a setting of the kernel for writing", hardened=True),
    Probe("namespace", "make a user namespace", hardened=True),
    Probe("trace", "trace a process", hardened=True),
    Probe("daemon", "leave a process behind"),
)
"""Tried before each run: all of them together take one process outside and one inside."""

HEAVY = (
    Probe("processes", "start more processes than allowed"),
    Probe("memory", "use more memory than one process may"),
    Probe("memory-of-many", "use more memory than all processes together may"),
    Probe("disk", "fill the disk with many files"),
    Probe("file", "write a file beyond the size limit"),
    Probe("plant", "plant hooks and settings for the project or the next run"),
)
"""Tried on demand: they take resources, within bounds that do the machine no harm."""

PROBES = (*QUICK, *HEAVY)
ALL = tuple(probe.name for probe in PROBES)


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What came of one probe. ``control``: the act succeeded outside, so that its failure inside says something."""

    name: str
    tries: str
    control: bool
    stopped: bool

    @property
    def holds(self) -> bool:
        """Whether it was seen to be stopped."""
        return self.control and self.stopped


def all_but(*names: str) -> tuple[str, ...]:
    """Every probe's name without these."""
    return tuple(name for name in ALL if name not in names)
