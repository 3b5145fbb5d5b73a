import heapq
from dataclasses import dataclass, field
from datetime import date
from typing import Optional

from .rule import Rule


@dataclass
class Event:
    title: str
    start: date
    rule: Optional[Rule] = None
    cancelled: set = field(default_factory=set)
    moved: dict = field(default_factory=dict)

    def cancel(self, day):
        """This one occurrence does not take place."""
        self._require(day)
        self.cancelled.add(day)

    def move(self, day, new_day):
        """This one occurrence takes place on ``new_day`` instead."""
        self._require(day)
        self.moved[day] = new_day

    def occurs_on(self, day):
        """Is ``day`` in the series as planned, before cancelling and moving?"""
        for planned in self.planned():
            if planned >= day:
                return planned == day
        return False

    def planned(self):
        if self.rule is None:
            return iter([self.start])
        return self.rule.dates(self.start)

    def days(self, first, last):
        """Sorted days between ``first`` and ``last`` inclusive.

        Occurrences that were moved into the period are included, however far
        away they had been planned.
        """
        found = [new for old, new in self.moved.items()
                 if first <= new <= last and old not in self.cancelled]
        for planned in self.planned():
            if planned > last:
                break
            if planned < first or planned in self.cancelled or planned in self.moved:
                continue
            found.append(planned)
        return sorted(found)

    def _require(self, day):
        if not self.occurs_on(day):
            raise ValueError(f"{self.title} does not take place on {day}")


class Calendar:
    def __init__(self):
        self.events = []

    def add(self, title, start, rule=None):
        if isinstance(rule, str):
            rule = Rule.parse(rule)
        event = Event(title, start, rule)
        self.events.append(event)
        return event

    def agenda(self, first, last):
        """(day, title) pairs of a period, ordered by day, then title."""
        pairs = []
        for event in self.events:
            pairs.extend((day, event.title) for day in event.days(first, last))
        return sorted(pairs)

    def upcoming(self, today, limit=3):
        """The next ``limit`` planned occurrences from today on."""
        def stream(event):
            for day in event.planned():
                if day >= today and day not in event.cancelled:
                    yield day, event.title

        merged = heapq.merge(*(stream(event) for event in self.events))
        result = []
        for pair in merged:
            if len(result) == limit:
                break
            result.append(pair)
        return result
