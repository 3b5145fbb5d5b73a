from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

DAY = timedelta(days=1)


@dataclass(frozen=True, order=True)
class Span:
    """Days from first to last, both included."""

    first: date
    last: date

    def __post_init__(self):
        if self.last < self.first:
            raise ValueError(f"span ends before it starts: {self}")

    @classmethod
    def parse(cls, text: str) -> Span:
        """"2024-03-01..2024-03-05" or a single day."""
        first, _, last = text.partition("..")
        return cls(date.fromisoformat(first), date.fromisoformat(last or first))

    def __len__(self) -> int:
        return (self.last - self.first).days + 1

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    def overlaps(self, other: Span) -> bool:
        return self.first <= other.last and other.first <= self.last

    def __str__(self) -> str:
        if self.first == self.last:
            return self.first.isoformat()
        return f"{self.first.isoformat()}..{self.last.isoformat()}"
