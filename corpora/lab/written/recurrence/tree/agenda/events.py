from datetime import date

from .rules import Rule


class Event:
    """Something in the agenda, once or repeated."""

    def __init__(self, title: str, start: date, rule: Rule | None = None,
                 until: date | None = None, skip=()):
        self.title = title
        self.start = start
        self.rule = rule
        self.until = until
        self.skip = set(skip)

    def days_between(self, first: date, last: date) -> list[date]:
        """Days of this event from first to last, both included."""
        if self.rule is None:
            days = [self.start]
        else:
            end = last if self.until is None else min(last, self.until)
            days = self.rule.occurrences(self.start, end)
        return [d for d in days if first <= d <= last and d not in self.skip]


def agenda(events, first: date, last: date):
    """All (day, title) pairs of the period, sorted."""
    rows = []
    for event in events:
        for day in event.days_between(first, last):
            rows.append((day, event.title))
    return sorted(rows)
