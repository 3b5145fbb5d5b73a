"""Tickets in a sqlite data base."""

import sqlite3
from datetime import datetime

SCHEMA = """
CREATE TABLE IF NOT EXISTS tickets (
    id INTEGER PRIMARY KEY,
    plate TEXT NOT NULL,
    entered TEXT NOT NULL,
    left_at TEXT,
    paid TEXT
)
"""


class TicketStore:
    def __init__(self, path=":memory:"):
        self._db = sqlite3.connect(path)
        self._db.execute(SCHEMA)

    def open_ticket(self, plate, entered):
        with self._db:
            cursor = self._db.execute(
                "INSERT INTO tickets (plate, entered) VALUES (?, ?)",
                (plate, entered.isoformat()),
            )
        return cursor.lastrowid

    def entered(self, ticket_id):
        """Time of entry of an open ticket, KeyError if there is none."""
        row = self._db.execute(
            "SELECT entered FROM tickets WHERE id = ? AND left_at IS NULL", (ticket_id,)
        ).fetchone()
        if row is None:
            raise KeyError(ticket_id)
        return datetime.fromisoformat(row[0])

    def close_ticket(self, ticket_id, left_at, paid):
        with self._db:
            self._db.execute(
                "UPDATE tickets SET left_at = ?, paid = ? WHERE id = ?",
                (left_at.isoformat(), str(paid), ticket_id),
            )

    def count_open(self):
        return self._db.execute(
            "SELECT count(*) FROM tickets WHERE left_at IS NULL"
        ).fetchone()[0]

    def payments(self):
        for (paid,) in self._db.execute(
            "SELECT paid FROM tickets WHERE paid IS NOT NULL ORDER BY id"
        ):
            yield paid
