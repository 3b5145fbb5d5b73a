"""How a pool's trials ran. Untrusted like all that a server says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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


def stats_of(told: Mapping[str, Any]) -> PoolStats:
    """The server's own account of itself."""

    def number(name: str) -> int:
        return value if isinstance(value := told.get(name), int) else 0

    levels = told.get("levels")
    found = levels if isinstance(levels, list) else []
    return PoolStats(
        alone=number("alone"),
        batched=number("batched"),
        full=number("full"),
        batches=number("batches"),
        spoilt=number("spoilt"),
        levels=(found.count(0), found.count(1), found.count(2)),
        rehearsed=number("rehearsed"),
        standing=number("standing"),
        batching_ended=str(told.get("batching_ended", "")),
    )
