"""Recurrence rules.

Every rule has ``occurrences(start, until)`` which yields dates from start
to until, both included.
"""
from datetime import date, timedelta

from .dateutil import days_in_month, shift_month, start_of_week


class Rule:
    def __init__(self, interval=1):
        if interval < 1:
            raise ValueError("interval must be at least 1")
        self.interval = interval

    def occurrences(self, start, until):
        raise NotImplementedError

    def next_after(self, start, day):
        """First occurrence strictly after day, or None within ten years."""
        limit = day + timedelta(days=3660)
        for found in self.occurrences(start, limit):
            if found > day:
                return found
        return None


class Daily(Rule):
    def occurrences(self, start, until):
        current = start
        while current <= until:
            yield current
            current += timedelta(days=self.interval)


class Weekly(Rule):
    """Every ``interval`` weeks on the given weekdays (0 = Monday)."""

    def __init__(self, weekdays, interval=1):
        super().__init__(interval)
        if not weekdays:
            raise ValueError("at least one weekday is needed")
        self.weekdays = sorted(set(weekdays))

    def occurrences(self, start, until):
        week = start_of_week(start)
        while week <= until:
            for weekday in self.weekdays:
                day = week + timedelta(days=weekday)
                if start <= day <= until:
                    yield day
            week += timedelta(weeks=self.interval)


class Monthly(Rule):
    """Every ``interval`` months on the day of the start date.

    In months that are too short the last day of the month is used.
    """

    def occurrences(self, start, until):
        current = start
        while current <= until:
            yield current
            year, month = shift_month(current.year, current.month, self.interval)
            day = min(current.day, days_in_month(year, month))
            current = date(year, month, day)
