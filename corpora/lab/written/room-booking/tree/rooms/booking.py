from dataclasses import dataclass


@dataclass(frozen=True)
class Booking:
    """One reservation; times are minutes since midnight, end is exclusive."""

    room: str
    start: int
    end: int
    who: str
    tentative: bool = False

    def __post_init__(self):
        if self.end <= self.start:
            raise ValueError("a booking must end after it starts")

    def overlaps(self, start, end):
        return self.start < end and start < self.end

    @property
    def minutes(self):
        return self.end - self.start


def parse_clock(text):
    """Turn '09:30' into minutes since midnight."""
    hours, _, minutes = text.partition(":")
    value = int(hours) * 60 + int(minutes or 0)
    if not 0 <= value <= 24 * 60:
        raise ValueError(f"not a time of day: {text!r}")
    return value


def format_clock(minutes):
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
