"""Bookings of all meeting rooms of the office."""

from .model import Booking, ConflictError


def _check_times(start, end):
    if end <= start:
        raise ValueError("a meeting has to end after it begins")


class RoomCalendar:
    """The list of bookings is kept in order of start.

    Listeners are called with ("booked" | "moved" | "cancelled", booking) after
    the change has been made.
    """

    def __init__(self, rooms):
        self.rooms = set(rooms)
        self._bookings = []
        self._listeners = []
        self._next_id = 1

    def on_change(self, callback):
        self._listeners.append(callback)

    def _notify(self, what, booking):
        for callback in self._listeners:
            callback(what, booking)

    def _sort(self):
        self._bookings.sort(key=lambda b: (b.start, b.id))

    def get(self, booking_id):
        for booking in self._bookings:
            if booking.id == booking_id:
                return booking
        raise KeyError(booking_id)

    def conflict(self, room, start, end):
        """The first booking of the room that is in the way, or None."""
        for booking in self._bookings:
            if booking.room == room and booking.overlaps(start, end):
                return booking
        return None

    def book(self, room, owner, start, end):
        """Returns the id. ConflictError if the room is taken."""
        if room not in self.rooms:
            raise KeyError(room)
        _check_times(start, end)
        other = self.conflict(room, start, end)
        if other is not None:
            raise ConflictError(other)
        booking = Booking(self._next_id, room, owner, start, end)
        self._next_id += 1
        self._bookings.append(booking)
        self._sort()
        self._notify("booked", booking)
        return booking.id

    def move(self, booking_id, start, end):
        """Give a booking a new time in the same room.

        ConflictError if somebody else has the room then; nothing is changed
        in that case and no listener hears of it.
        """
        booking = self.get(booking_id)
        _check_times(start, end)
        other = self.conflict(booking.room, start, end)
        if other is not None:
            raise ConflictError(other)
        booking.start, booking.end = start, end
        self._sort()
        self._notify("moved", booking)

    def cancel(self, booking_id):
        booking = self.get(booking_id)
        self._bookings.remove(booking)
        self._notify("cancelled", booking)

    def agenda(self, room=None):
        """Bookings (of one room) in order of start."""
        return [b for b in self._bookings if room is None or b.room == room]
