from dataclasses import dataclass
from datetime import date, time


@dataclass(frozen=True)
class Entry:
    """Work on one day: start, end and an unpaid break in minutes."""

    day: date
    start: time
    end: time
    break_minutes: int = 0

    @property
    def minutes(self):
        begin = self.start.hour * 60 + self.start.minute
        finish = self.end.hour * 60 + self.end.minute
        if finish < begin:
            finish += 24 * 60
        worked = finish - begin - self.break_minutes
        if worked < 0:
            raise ValueError(f"break longer than the shift on {self.day}")
        return worked


def parse_time(text):
    hours, _, minutes = text.partition(":")
    return time(int(hours), int(minutes or 0))


def parse_entry(line):
    """Parse a line such as '2024-03-04 9:00-17:30 30' (break optional)."""
    parts = line.split()
    if len(parts) not in (2, 3):
        raise ValueError(f"cannot read entry: {line!r}")
    start, _, end = parts[1].partition("-")
    pause = int(parts[2]) if len(parts) == 3 else 0
    return Entry(date.fromisoformat(parts[0]), parse_time(start), parse_time(end), pause)


def parse_sheet(text):
    entries = []
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            entries.append(parse_entry(line))
    return entries
