"""Which isolation a run gets: the strongest that this machine passes, or the one asked for, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.errors import TargetError
from sandbox.cgroups import find_cgroups
from sandbox.jail_protocol import Jail, no_jail
from sandbox.jails.bwrap import find_bwrap
from sandbox.jails.containers import find_docker, find_podman
from sandbox.jails.landlock import find_landlock
from sandbox.jails.landlock_alone import find_landlock_alone
from sandbox.preflight import preflight


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of isolation. ``find`` gives its jail on this machine, or why there is none."""

    name: str
    title: str
    find: Callable[[], Jail | str]
    automatic: bool
    """Whether ``auto`` tries it. What would start a service or load an image is only used by its name."""


KINDS = (
    Kind("bwrap", "bubblewrap", find_bwrap, automatic=True),
    Kind("landlock", "Landlock", find_landlock, automatic=True),
    Kind("landlock-only", "Landlock without namespaces", find_landlock_alone, automatic=True),
    Kind("podman", "Podman", find_podman, automatic=False),
    Kind("docker", "Docker", find_docker, automatic=False),
)
"""All kinds with walls, the strongest first among those of ``auto``."""


def choose(kind: str, kinds: tuple[Kind, ...] = KINDS) -> Jail:
    """The isolation to use. ``auto`` falls back to none and says why; a named one that does not hold is refused."""
    if kind == "none":
        return no_jail(cgroups=find_cgroups())
    tried = [k for k in kinds if (k.automatic if kind == "auto" else k.name == kind)]
    if kind != "auto" and not tried:
        names = ", ".join(("auto", *(k.name for k in kinds), "none"))
        raise TargetError(f"There is no isolation {kind!r} here", remedy=f"Choose one of: {names}.")
    doubts = []
    for each in tried:
        found = check_jail(each)
        if not isinstance(found, str):
            return found
        doubts.append(f"{each.title}: {found}")
    if kind == "auto":
        return no_jail("; ".join(doubts), find_cgroups())
    raise TargetError(
        f"The isolation asked for does not hold; {doubts[0]}",
        remedy=f"Install or allow {tried[0].title}, or pass --isolation none.",
    )


def choose_image(kind: str, image: str, python: str = "") -> Jail:
    """The container kind that runs this image of the user's, of those that ``kind`` admits.

    Raises ``TargetError`` where there is none: nothing is fetched, and the image has to bring its Python along.
    """
    doubts = []
    for name, title, find in (("podman", "Podman", find_podman), ("docker", "Docker", find_docker)):
        if kind in ("auto", name):
            jail = find(image, python)
            doubt = jail if isinstance(jail, str) else preflight(jail)
            if not isinstance(jail, str) and not doubt:
                return jail
            doubts.append(f"{title}: {doubt}")
    raise TargetError(
        f"The image asked for cannot be used; {'; '.join(doubts) or f'the isolation {kind} runs none'}",
        where=image,
        remedy="Name an image that is here (nothing is fetched), with Python 3.8 or newer and pytest in it.",
    )


def check_jail(kind: Kind) -> Jail | str:
    """The kind's jail when the preflight shows that it holds, else why it is not to be used."""
    found = kind.find()
    return found if isinstance(found, str) else preflight(found) or found
