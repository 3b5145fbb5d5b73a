from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, order=True)
class Slot:
    """A span of time; the end does not belong to it."""
    start: datetime
    end: datetime

    def __post_init__(self):
        if self.end <= self.start:
            raise ValueError("a slot must end after its start")

    @property
    def length(self) -> timedelta:
        return self.end - self.start

    def overlaps(self, other: Slot) -> bool:
        return self.start < other.end and other.start < self.end


def merge(slots: list[Slot]) -> list[Slot]:
    """Overlapping and touching slots joined, in order of time.

    The list that is given may be in any order and is left as it is.
    """
    merged: list[Slot] = []
    for slot in sorted(slots):
        if merged and slot.start <= merged[-1].end:
            merged[-1] = Slot(merged[-1].start, max(merged[-1].end, slot.end))
        else:
            merged.append(slot)
    return merged


def gaps(slots: list[Slot], within: Slot) -> list[Slot]:
    """The free time inside ``within``."""
    free = []
    at = within.start
    for slot in merge(slots):
        if slot.end <= within.start or slot.start >= within.end:
            continue
        if slot.start > at:
            free.append(Slot(at, slot.start))
        at = max(at, slot.end)
    if at < within.end:
        free.append(Slot(at, within.end))
    return free
