"""Isolation as a value: a function from a command to the command that runs it behind walls.

A kind of isolation is one module that makes a ``Jail``; ``jail.py`` lists the kinds and chooses. Here is what they
have in common, and the kind that has no walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from analysis.facts import Limits
from sandbox.cgroups import Cgroups, bounds_of
from sandbox.jails.images import Image
from sandbox.limits import limit_command
from sandbox.process import Channel, Command


class Wrap(Protocol):
    """The command behind the walls, with one writable folder and some readable ones, all under their own paths.

    The command keeps its working folder, its environment (and no other) and the inherited descriptors under
    their numbers. Its limits are set within ``command`` already; a kind may set them once more by its own means.
    What has to be done elsewhere when it ends (a container that outlives its client) goes into ``after``.
    """

    def __call__(
        self, command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command: ...


@dataclass(frozen=True, slots=True)
class Jail:
    """One kind of isolation, as it is on this machine. It goes to other processes: ``wrap`` is no closure."""

    kind: str
    """The word for it, as in ``--isolation``."""
    detail: str
    """Why it is this one and how it is made, for people."""
    opens: tuple[str, ...]
    """What it leaves open, in words; every record shows it."""
    stops: tuple[str, ...]
    """The probes (see ``probe_catalog.py``) that it must stop: it is not used where one of them gets through."""
    wrap: Wrap
    image: Image | None = None
    """The image whose programs run in it; ``None`` where they are this machine's own."""
    own_processes: bool = False
    """Whether processes in it are counted apart from the user's others, so that a limit on them can be set."""


def no_jail(why: str = "", cgroups: Cgroups | str = "not looked for") -> Jail:
    """No walls: limits, a clean environment, a copy, and a group of processes, but the user's own rights.

    ``why`` says that where walls were looked for.
    """
    detail = "limits and a clean environment only"
    opens = ["the user's files and processes", "the network", "disk space"]
    stops = ["own-environment", "memory", "file", "plant"]
    if isinstance(cgroups, Cgroups):
        detail += ", and a control group"
        stops += ["daemon", "processes", "memory-of-many"]
    else:
        opens += ["the number of processes", "memory over many processes"]
    return Jail("none", detail + (f" ({why})" if why else ""), tuple(opens), tuple(stops), partial(_bound, cgroups))


def _bound(
    cgroups: Cgroups | str,
    command: Command,
    *,
    writable: str,
    readable: Sequence[str],
    descriptors: Sequence[int],
    limits: Limits,
) -> Command:
    return replace(command, bounds=bounds_of(cgroups, limits))


NO_JAIL = no_jail()


def confine(
    command: Command,
    jail: Jail,
    limits: Limits,
    ends: Channel,
    *,
    writable: str,
    readable: Sequence[str],
    steady: bool = False,
) -> Command:
    """The command under the limits (see ``limit_command``) and behind the walls, with its ends of the channel."""
    argv = limit_command(command.argv, limits, own_processes=jail.own_processes, steady=steady)
    descriptors = (ends.report_write, ends.control_read)
    limited = replace(command, argv=argv)
    return jail.wrap(limited, writable=writable, readable=readable, descriptors=descriptors, limits=limits)
