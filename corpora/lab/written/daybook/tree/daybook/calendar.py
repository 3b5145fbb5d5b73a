from __future__ import annotations

from daybook.rangeset import DateRangeSet
from daybook.span import Span


class Calendar:
    """Who is away when."""

    def __init__(self):
        self._away: dict[str, DateRangeSet] = {}

    def away(self, person: str, text: str) -> None:
        new = DateRangeSet.parse(text)
        old = self._away.get(person, DateRangeSet())
        self._away[person] = old.union(new)

    def days_away(self, person: str) -> int:
        return self._away.get(person, DateRangeSet()).days()

    def meeting_slots(self, within: Span, length: int) -> list[Span]:
        """Spans of at least *length* days on which nobody is away."""
        busy = DateRangeSet()
        for days in self._away.values():
            busy = busy.union(days)
        return [span for span in busy.gaps(within) if len(span) >= length]
