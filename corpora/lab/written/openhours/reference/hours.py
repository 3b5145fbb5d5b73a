"""Opening hours of a week, with exceptions for single dates."""
import re
from datetime import date, datetime, time, timedelta

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
SPAN = re.compile(r"^(\d{1,2}):(\d\d)-(\d{1,2}):(\d\d)$")


def parse_spans(text):
    """'9:00-12:00, 13:00-18:00' -> list of (start, end); '' or 'closed' -> []"""
    spans = []
    if text.strip().lower() in ("", "closed"):
        return spans
    for part in text.split(","):
        m = SPAN.match(part.strip())
        if not m:
            raise ValueError(f"bad span {part.strip()!r}")
        h1, m1, h2, m2 = map(int, m.groups())
        start, end = time(h1, m1), time(h2, m2)
        if start >= end:
            raise ValueError(f"span ends before it starts: {part.strip()!r}")
        spans.append((start, end))
    return sorted(spans)


def parse_days(text):
    """'mon-fri' or 'sat,sun' -> list of weekday numbers"""
    days = []
    for part in text.lower().split(","):
        first, dash, last = part.strip().partition("-")
        try:
            i = DAYS.index(first)
            j = DAYS.index(last) if dash else i
        except ValueError:
            raise ValueError(f"bad day {part.strip()!r}") from None
        days.extend(d % 7 for d in range(i, j + 1 if j >= i else j + 8))
    return days


class OpeningHours:
    """
    hours = OpeningHours({"mon-fri": "9:00-18:00", "sat": "10:00-14:00"})
    hours.add_exception(date(2024, 12, 24), "9:00-12:00")
    """

    def __init__(self, week):
        self.week = {}
        for days, text in week.items():
            for day in parse_days(days):
                self.week[day] = parse_spans(text)
        self.exceptions = {}

    def add_exception(self, day, text="closed"):
        self.exceptions[day] = parse_spans(text)

    def spans_on(self, day):
        """The spans of a date. An exception replaces the hours of the week."""
        if day in self.exceptions:
            return self.exceptions[day]
        return self.week.get(day.weekday(), [])

    def is_open(self, moment):
        return any(s <= moment.time() < e for s, e in self.spans_on(moment.date()))

    def next_opening(self, moment, limit_days=366):
        """When it next opens after (or is open at) a moment; None if it never does."""
        if self.is_open(moment):
            return moment
        for n in range(limit_days + 1):
            day = moment.date() + timedelta(days=n)
            for start, _ in self.spans_on(day):
                opening = datetime.combine(day, start)
                if opening > moment:
                    return opening
        return None

    def closes_at(self, moment):
        for start, end in self.spans_on(moment.date()):
            if start <= moment.time() < end:
                return datetime.combine(moment.date(), end)
        return None


def hours_between(hours, first, last):
    """Open hours of all days from first to last (both included)."""
    total = timedelta()
    day = first
    while day <= last:
        for start, end in hours.spans_on(day):
            total += datetime.combine(day, end) - datetime.combine(day, start)
        day += timedelta(days=1)
    return total.total_seconds() / 3600
