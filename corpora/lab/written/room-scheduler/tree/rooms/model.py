from dataclasses import dataclass
from datetime import datetime


@dataclass
class Booking:
    id: int
    room: str
    owner: str
    start: datetime
    end: datetime

    def overlaps(self, start, end):
        """Half open: one may begin when the other ends."""
        return self.start < end and start < self.end

    @property
    def minutes(self):
        return int((self.end - self.start).total_seconds() // 60)


class ConflictError(Exception):
    """The room is taken at that time."""

    def __init__(self, other):
        super().__init__(f"{other.room} is taken by {other.owner}")
        self.other = other
