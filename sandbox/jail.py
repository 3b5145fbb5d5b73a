"""Which isolation a run gets: the strongest that this machine passes, or the one asked for, or a refusal."""

from __future__ import annotations

import os
from dataclasses import replace

from analysis.errors import TargetError
from sandbox.preflight import preflight
from sandbox.walls import NO_JAIL, Jail, find_bwrap

KINDS = ("auto", "bwrap", "none")


def choose(kind: str) -> Jail:
    """The isolation to use. ``auto`` falls back to none and says why; a named one that does not hold is refused."""
    if kind not in KINDS:
        raise TargetError(f"There is no isolation {kind!r} here", remedy=f"Choose one of: {', '.join(KINDS)}.")
    if kind == "none":
        return NO_JAIL
    jail = find_bwrap()
    doubt = "it is not installed" if jail is None else preflight(jail)
    if jail is not None and not doubt:
        return replace(jail, detail=_held())
    if kind == "auto":
        return replace(NO_JAIL, detail=f"{NO_JAIL.detail} (bubblewrap: {doubt})")
    raise TargetError(
        f"The isolation asked for does not hold; bubblewrap: {doubt}",
        remedy="Install or allow bubblewrap, or pass --isolation none.",
    )


def _held() -> str:
    """What the preflight showed, and what it cannot hold."""
    held = "probed: no writes outside the copy, no private files, no network, no other process"
    return held + ("; the number of processes is not limited for root" if os.geteuid() == 0 else "")
