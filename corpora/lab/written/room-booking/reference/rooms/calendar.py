from rooms.booking import Booking


class Conflict(Exception):
    """The room is already taken."""


class Calendar:
    """All bookings of one day.

    Confirmed bookings of a room never overlap each other.  Tentative ones
    may overlap anything: they only block the room until they are confirmed
    or dropped.
    """

    def __init__(self):
        self._bookings = []

    def __len__(self):
        return len(self._bookings)

    def book(self, room, start, end, who, tentative=False):
        new = Booking(room, start, end, who, tentative)
        if not tentative:
            for other in self._bookings:
                if (
                    other.room == room
                    and not other.tentative
                    and other.overlaps(start, end)
                ):
                    raise Conflict(f"{room} is taken by {other.who}")
        self._bookings.append(new)
        return new

    def cancel(self, booking):
        self._bookings.remove(booking)

    def confirm(self, booking):
        """Make a tentative booking a firm one."""
        if not booking.tentative:
            return booking
        firm = self.book(booking.room, booking.start, booking.end, booking.who)
        self._bookings.remove(booking)
        return firm

    def for_room(self, room):
        found = [b for b in self._bookings if b.room == room]
        return sorted(found, key=lambda b: (b.start, b.end))

    def free_gaps(self, room, opening, closing, shortest=1):
        """Return the (start, end) gaps of a room between opening and closing.

        A gap is a stretch that no booking touches, tentative or not.  Gaps
        shorter than `shortest` minutes are left out.
        """
        gaps = []
        cursor = opening
        for booking in self.for_room(room):
            if booking.end <= opening or booking.start >= closing:
                continue
            if booking.start - cursor >= shortest:
                gaps.append((cursor, booking.start))
            cursor = max(cursor, booking.end)
        if closing - cursor >= shortest:
            gaps.append((cursor, closing))
        return gaps
