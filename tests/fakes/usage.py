"""How a warm server says that its trials ran."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.warm import WarmServer

COUNTED = ("alone", "batched", "full", "batches", "spoilt", "rehearsed", "standing")


@dataclass(frozen=True, slots=True)
class PoolStats:
    """How the trials of a session ran. ``levels`` counts the tests at each runner level: bare, set-up, full."""

    alone: int = 0
    batched: int = 0
    full: int = 0
    batches: int = 0
    spoilt: int = 0
    levels: tuple[int, int, int] = (0, 0, 0)
    rehearsed: int = 0
    standing: int = 0
    """Lanes in which the tests were rehearsed, and fixtures left standing, before they forked."""
    batching_ended: str = ""
    """Why there are no batches, ``""`` where there are."""


def stats_of(server: WarmServer) -> PoolStats:
    """The server's own account of itself."""
    account = server.usage()
    if not account:
        return PoolStats()
    numbers = {name: account[name] for name in COUNTED}
    levels = tuple(account["levels"].count(level) for level in range(3))
    return PoolStats(**numbers, levels=levels, batching_ended=account["batching_ended"])
