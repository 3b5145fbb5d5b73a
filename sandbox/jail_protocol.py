"""Isolation as a value: a function from a command to the command that runs it behind walls.

A kind of isolation is one module that makes a ``Jail``; ``jail.py`` lists the kinds and chooses. Here is what they
have in common, and the kind that has no walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

from analysis.facts import Limits
from sandbox.cgroups import Cgroups, bounds_of
from sandbox.jails.images import Image
from sandbox.limits import limit_command
from sandbox.process import Channel, Command


class Jail(Protocol):
    """One kind of isolation, as it is on this machine. Nothing in it changes.

    ``stops`` names the probes (see ``probes.py``) that it must stop: it is not used where one of them gets through.
    ``opens`` says in words what it leaves open; every record shows it.
    """

    @property
    def kind(self) -> str:
        """The word for it, as in ``--isolation``."""

    @property
    def detail(self) -> str:
        """Why it is this one and how it is made, for people."""

    @property
    def image(self) -> Image | None:
        """The image whose programs run in it; ``None`` where they are this machine's own."""

    @property
    def own_processes(self) -> bool:
        """Whether processes in it are counted apart from the user's others, so that a limit on them can be set."""

    @property
    def opens(self) -> tuple[str, ...]:
        """What it leaves open."""

    @property
    def stops(self) -> tuple[str, ...]:
        """The probes that it must stop."""

    def wrap(
        self, command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command:
        """The command behind the walls, with one writable folder and some readable ones, all under their own paths.

        The command keeps its working folder, its environment (and no other) and the inherited descriptors under
        their numbers. Its limits are set within ``command`` already; a kind may set them once more by its own means.
        What has to be done elsewhere when it ends (a container that outlives its client) goes into ``after``.
        """


@dataclass(frozen=True, slots=True)
class NoJail:
    """No walls: limits, a clean environment and a copy, but the user's own rights."""

    why: str = ""
    """Why there are no walls, where some were looked for."""
    cgroups: Cgroups | str = "not looked for"
    kind: ClassVar[str] = "none"
    image: ClassVar[None] = None
    own_processes: ClassVar[bool] = False  # all processes of the user would count

    @property
    def detail(self) -> str:
        """What is left."""
        groups = ", and a control group" if isinstance(self.cgroups, Cgroups) else ""
        return f"limits and a clean environment only{groups}" + (f" ({self.why})" if self.why else "")

    @property
    def opens(self) -> tuple[str, ...]:
        """Whatever the user may do."""
        ungrouped = (
            () if isinstance(self.cgroups, Cgroups) else ("the number of processes", "memory over many processes")
        )
        return ("the user's files and processes", "the network", "disk space", *ungrouped)

    @property
    def stops(self) -> tuple[str, ...]:
        """What limits, a copy and a group of processes can stop."""
        always = ("own-environment", "memory", "file", "plant")
        return (*always, "daemon", "processes", "memory-of-many") if isinstance(self.cgroups, Cgroups) else always

    def wrap(
        self, command: Command, *, writable: str, readable: Sequence[str], descriptors: Sequence[int], limits: Limits
    ) -> Command:
        """The command as it is, in a group where one can be made."""
        return replace(command, bounds=bounds_of(self.cgroups, limits))


NO_JAIL = NoJail()


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
