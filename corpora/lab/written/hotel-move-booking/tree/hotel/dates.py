from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, order=True)
class Stay:
    """The nights from arrival to departure; the room is free on `leave`."""

    arrive: date
    leave: date

    def __post_init__(self):
        if self.leave <= self.arrive:
            raise ValueError("departure must be after arrival")

    def __len__(self):
        return (self.leave - self.arrive).days

    def __contains__(self, night):
        return self.arrive <= night < self.leave

    def nights(self):
        for n in range(len(self)):
            yield self.arrive + timedelta(days=n)

    def overlaps(self, other):
        return self.arrive < other.leave and other.arrive < self.leave
