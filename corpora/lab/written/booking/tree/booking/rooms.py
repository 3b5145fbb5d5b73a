from dataclasses import dataclass, field
from datetime import timedelta

from .slots import Slot, gaps, merge


class Conflict(Exception):
    pass


@dataclass
class Booking:
    who: str
    slot: Slot
    seats: int = 1


@dataclass
class Room:
    """A room that several small groups may share while there are seats."""
    name: str
    seats: int
    bookings: list = field(default_factory=list)

    def taken(self, slot):
        """The most seats in use at one moment of the slot."""
        hits = [b for b in self.bookings if b.slot.overlaps(slot)]
        moments = [slot.start] + [b.slot.start for b in hits if b.slot.start > slot.start]
        return max(sum(b.seats for b in hits if b.slot.start <= m < b.slot.end) for m in moments)

    def book(self, who, slot, seats=1):
        if seats < 1:
            raise ValueError("seats must be at least 1")
        if self.taken(slot) + seats > self.seats:
            raise Conflict(f"{self.name} is full")
        booking = Booking(who, slot, seats)
        self.bookings.append(booking)
        return booking

    def cancel(self, booking):
        self.bookings.remove(booking)

    def busy(self):
        return merge([b.slot for b in self.bookings])

    def busy_time(self):
        return sum((s.length for s in self.busy()), timedelta())

    def free(self, within):
        return gaps([b.slot for b in self.bookings], within)
