"""How a pool's trials ran, and what they could not do without. Untrusted like all that a server says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PoolStats:
    """How the trials of a session ran. ``levels`` counts the tests at each runner level: bare, set-up, full."""

    alone: int = 0
    batched: int = 0
    again: int = 0
    full: int = 0
    batches: int = 0
    spoilt: int = 0
    levels: tuple[int, int, int] = (0, 0, 0)
    batching_ended: str = ""
    """Why there are no batches, ``""`` where there are."""
    cpu_seconds: float = 0.0
    """Processor time of the server and of the forks that have ended."""


@dataclass(frozen=True, slots=True)
class Floors:
    """Seconds of processor time: an empty fork of the server, the bare bodies of the tests, compiling the function."""

    fork: float
    bodies: float
    compiling: float


def stats_of(told: Mapping[str, Any]) -> PoolStats:
    """The server's own account of itself."""

    def number(name: str) -> int:
        return value if isinstance(value := told.get(name), int) else 0

    levels = told.get("levels")
    found = levels if isinstance(levels, list) else []
    seconds = told.get("cpu")
    return PoolStats(
        alone=number("alone"),
        batched=number("batched"),
        again=number("again"),
        full=number("full"),
        batches=number("batches"),
        spoilt=number("spoilt"),
        levels=(found.count(0), found.count(1), found.count(2)),
        batching_ended=str(told.get("batching_ended", "")),
        cpu_seconds=sum(s for s in seconds if isinstance(s, float)) if isinstance(seconds, list) else 0.0,
    )
