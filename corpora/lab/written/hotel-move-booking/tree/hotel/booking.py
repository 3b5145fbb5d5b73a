import sqlite3
from dataclasses import dataclass
from datetime import date

from .dates import Stay
from .pricing import price

SCHEMA = """
CREATE TABLE IF NOT EXISTS rooms (
    number INTEGER PRIMARY KEY,
    rate INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS bookings (
    id INTEGER PRIMARY KEY,
    room INTEGER NOT NULL REFERENCES rooms (number),
    guest TEXT NOT NULL,
    arrive TEXT NOT NULL,
    leave TEXT NOT NULL,
    price INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'active'
);
"""


class BookingError(Exception):
    pass


class RoomTaken(BookingError):
    pass


@dataclass(frozen=True)
class Booking:
    id: int
    room: int
    guest: str
    stay: Stay
    price: int
    status: str

    @classmethod
    def from_row(cls, row):
        stay = Stay(date.fromisoformat(row["arrive"]), date.fromisoformat(row["leave"]))
        return cls(row["id"], row["room"], row["guest"], stay, row["price"], row["status"])


class Hotel:
    def __init__(self, path=":memory:"):
        self.db = sqlite3.connect(path)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(SCHEMA)

    def close(self):
        self.db.close()

    def add_room(self, number, rate):
        with self.db:
            self.db.execute("INSERT INTO rooms VALUES (?, ?)", (number, rate))

    def rate(self, room):
        row = self.db.execute("SELECT rate FROM rooms WHERE number = ?", (room,)).fetchone()
        if row is None:
            raise BookingError(f"there is no room {room}")
        return row["rate"]

    def get(self, booking_id):
        row = self.db.execute("SELECT * FROM bookings WHERE id = ?", (booking_id,)).fetchone()
        if row is None:
            raise BookingError(f"there is no booking {booking_id}")
        return Booking.from_row(row)

    def bookings(self, room):
        """Active bookings of a room by date."""
        rows = self.db.execute(
            "SELECT * FROM bookings WHERE room = ? AND status = 'active' ORDER BY arrive",
            (room,),
        )
        return [Booking.from_row(row) for row in rows]

    def is_free(self, room, stay):
        return not any(b.stay.overlaps(stay) for b in self.bookings(room))

    def free_rooms(self, arrive, leave):
        """Numbers of the rooms that are free in all these nights."""
        stay = Stay(arrive, leave)
        rows = self.db.execute("SELECT number FROM rooms ORDER BY number").fetchall()
        return [row["number"] for row in rows if self.is_free(row["number"], stay)]

    def book(self, room, guest, arrive, leave):
        stay = Stay(arrive, leave)
        rate = self.rate(room)
        if not self.is_free(room, stay):
            raise RoomTaken(f"room {room} is taken")
        with self.db:
            cursor = self.db.execute(
                "INSERT INTO bookings (room, guest, arrive, leave, price)"
                " VALUES (?, ?, ?, ?, ?)",
                (room, guest, arrive.isoformat(), leave.isoformat(), price(stay, rate)),
            )
        return self.get(cursor.lastrowid)

    def cancel(self, booking_id):
        self.get(booking_id)
        with self.db:
            self.db.execute(
                "UPDATE bookings SET status = 'cancelled' WHERE id = ?", (booking_id,)
            )

    def move_booking(self, booking_id, arrive, leave):
        """Move a booking to other dates; it keeps its room and its guest.

        The price is worked out anew for the new nights. Raises RoomTaken if
        another active booking has the room in one of these nights, and
        BookingError if the booking was cancelled; then nothing is changed.
        Returns the booking as it is now.
        """
        booking = self.get(booking_id)
        if booking.status != "active":
            raise BookingError(f"booking {booking_id} was cancelled")
        stay = Stay(arrive, leave)
        clash = self.db.execute(
            "SELECT * FROM bookings WHERE room = ? AND status = 'active'"
            " AND arrive < ? AND leave > ?",
            (booking.room, stay.leave.isoformat(), stay.arrive.isoformat()),
        ).fetchone()
        if clash is not None:
            raise RoomTaken(f"room {booking.room} is taken by {clash['guest']}")
        with self.db:
            self.db.execute(
                "UPDATE bookings SET arrive = ?, leave = ?, price = ? WHERE id = ?",
                (stay.arrive.isoformat(), stay.leave.isoformat(),
                 price(stay, self.rate(booking.room)), booking_id),
            )
        return self.get(booking_id)

    def extend(self, booking_id, nights):
        """Let a guest stay longer (or shorter, with negative nights)."""
        stay = self.get(booking_id).stay
        leave = date.fromordinal(stay.leave.toordinal() + nights)
        return self.move_booking(booking_id, stay.arrive, leave)

    def income(self, first, last):
        """Income of active stays that begin between two days (inclusive)."""
        row = self.db.execute(
            "SELECT COALESCE(SUM(price), 0) AS total FROM bookings"
            " WHERE status = 'active' AND arrive BETWEEN ? AND ?",
            (first.isoformat(), last.isoformat()),
        ).fetchone()
        return row["total"]
