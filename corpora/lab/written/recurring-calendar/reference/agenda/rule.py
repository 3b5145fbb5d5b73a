"""Recurrence rules, a small part of what iCalendar knows."""
import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from typing import Optional


class Freq(Enum):
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


def add_months(day, months):
    """``day`` moved by ``months``; days a month lacks become its last day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


@dataclass(frozen=True)
class Rule:
    """Every ``interval`` days, weeks, months or years.

    The series ends after ``count`` occurrences or after the day ``until``
    (inclusive), whatever comes first; with neither it never ends.
    """

    freq: Freq
    interval: int = 1
    count: Optional[int] = None
    until: Optional[date] = None

    def __post_init__(self):
        if self.interval < 1:
            raise ValueError("interval must be at least 1")
        if self.count is not None and self.count < 1:
            raise ValueError("count must be at least 1")

    @classmethod
    def parse(cls, text):
        """Parse e.g. "FREQ=MONTHLY;INTERVAL=2;COUNT=5;UNTIL=20241231"."""
        parts = {}
        for item in text.strip().split(";"):
            key, sep, value = item.partition("=")
            if not sep:
                raise ValueError(f"bad rule part: {item!r}")
            parts[key.strip().upper()] = value.strip()
        try:
            freq = Freq(parts.pop("FREQ").upper())
        except KeyError:
            raise ValueError("rule without FREQ") from None
        count = parts.pop("COUNT", None)
        until = parts.pop("UNTIL", None)
        rule = cls(
            freq,
            interval=int(parts.pop("INTERVAL", "1")),
            count=int(count) if count else None,
            until=date.fromisoformat(f"{until[:4]}-{until[4:6]}-{until[6:8]}") if until else None,
        )
        if parts:
            raise ValueError("unknown rule parts: " + ", ".join(sorted(parts)))
        return rule

    def dates(self, start):
        """Generate the days of the series that begins on ``start``.

        ``start`` is the first occurrence and fixes the day: a monthly series
        is on that day of every month, a yearly one on that day of every year.
        Where a month is too short for it, the occurrence is on the last day
        of that month.
        """
        day = start
        number = 0
        while self.count is None or number < self.count:
            if self.until is not None and day > self.until:
                return
            yield day
            number += 1
            if self.freq is Freq.DAILY:
                day = day + timedelta(days=self.interval)
            elif self.freq is Freq.WEEKLY:
                day = day + timedelta(weeks=self.interval)
            elif self.freq is Freq.MONTHLY:
                day = add_months(start, number * self.interval)
            else:
                day = add_months(start, 12 * number * self.interval)
