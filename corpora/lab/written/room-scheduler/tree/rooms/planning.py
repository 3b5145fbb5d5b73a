"""Looking for free time."""

from datetime import timedelta


def free_slots(calendar, room, start, end, minutes=30):
    """Yield (from, to) of the gaps of at least that length between start and end."""
    shortest = timedelta(minutes=minutes)
    cursor = start
    for booking in calendar.agenda(room):
        if booking.end <= start or booking.start >= end:
            continue
        if booking.start - cursor >= shortest:
            yield cursor, booking.start
        cursor = max(cursor, booking.end)
    if end - cursor >= shortest:
        yield cursor, end


def first_free_room(calendar, start, end):
    """Name of a room free at that time (alphabetical), or None."""
    for room in sorted(calendar.rooms):
        if calendar.conflict(room, start, end) is None:
            return room
    return None


def usage(calendar):
    """Booked minutes per room."""
    minutes = dict.fromkeys(sorted(calendar.rooms), 0)
    for booking in calendar.agenda():
        minutes[booking.room] += booking.minutes
    return minutes


class ChangeLog:
    """A listener that keeps one line per change."""

    def __init__(self, calendar):
        self.lines = []
        calendar.on_change(self._changed)

    def _changed(self, what, booking):
        self.lines.append(f"{what} {booking.room} {booking.start:%H:%M}-{booking.end:%H:%M}")
