"""What happened, as records. The terminal, the store and an embedding host are listeners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. ``fields`` are JSON values, sorted by name."""

    type: str
    fields: tuple[tuple[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """The event as one JSON object with a ``type``."""
        return {"type": self.type, **dict(self.fields)}


def event(type: str, /, **fields: Any) -> Event:
    """An event from keyword arguments."""
    return Event(type, tuple(sorted(fields.items())))


Listener = Callable[[Event], None]


def phase(name: str, detail: str = "", estimate_seconds: float = 0.0) -> Event:
    """A phase of the work begins, and takes about so long; 0 where nobody knows."""
    return event("phase", name=name, detail=detail, estimate_seconds=round(estimate_seconds, 1))
