"""Spans of days."""

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class Span:
    """From ``first`` to ``last``, both included."""

    first: date
    last: date

    def __post_init__(self):
        if self.last < self.first:
            raise ValueError(f"span ends on {self.first.isoformat()}, before {self.last.isoformat()}")

    def __contains__(self, day):
        return self.first <= day <= self.last

    @property
    def days(self):
        return (self.last - self.first).days + 1

    @classmethod
    def starting(cls, first, days):
        """The span of so many days."""
        if days < 1:
            raise ValueError(f"a span has at least one day, not {days}")
        return cls(first, first + timedelta(days=days - 1))
