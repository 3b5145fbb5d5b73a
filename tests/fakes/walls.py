"""Walls with other means than this machine gives to them."""

from __future__ import annotations

from sandbox.host_capabilities import Means
from sandbox.jail_protocol import Jail
from sandbox.jails.bwrap import bwrap
from sandbox.jails.landlock import landlock
from sandbox.jails.landlock_launch import landlock_abi
from sandbox.programs import find_tool


def rebuilt(jail: Jail, means: Means) -> Jail | None:
    """A jail of the same kind with these means; ``None`` where the kind has its own."""
    if jail.kind == "bwrap":
        return bwrap(find_tool("bwrap"), means)
    return landlock(landlock_abi(), means) if jail.kind == "landlock" else None
