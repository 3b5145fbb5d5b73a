"""Stock and reservations in a sqlite database."""
import sqlite3
import time

from .errors import OutOfStock, ReservationError

SCHEMA = """
CREATE TABLE IF NOT EXISTS article (
    sku TEXT PRIMARY KEY,
    on_hand INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS reservation (
    id INTEGER PRIMARY KEY,
    order_no TEXT NOT NULL,
    sku TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    expires REAL NOT NULL,
    status TEXT NOT NULL DEFAULT 'open'
);
"""


class Inventory:
    """Keeps count of what lies in the warehouse and what is promised.

    A reservation holds its pieces until it is shipped, cancelled or ``ttl``
    seconds old.  Available is what is on hand and not held.
    """

    def __init__(self, path=":memory:", ttl=900, now=time.time):
        self.ttl = ttl
        self._now = now
        self.conn = sqlite3.connect(path)
        self.conn.executescript(SCHEMA)

    # -- stock --------------------------------------------------------------

    def receive(self, sku, quantity):
        """Goods come in."""
        self._require_quantity(quantity)
        with self.conn:
            self.conn.execute(
                "INSERT INTO article VALUES (?, ?) "
                "ON CONFLICT (sku) DO UPDATE SET on_hand = on_hand + excluded.on_hand",
                (sku, quantity),
            )

    def on_hand(self, sku):
        row = self.conn.execute("SELECT on_hand FROM article WHERE sku = ?", (sku,)).fetchone()
        return row[0] if row else 0

    def reserved(self, sku):
        row = self.conn.execute(
            "SELECT COALESCE(SUM(quantity), 0) FROM reservation "
            "WHERE sku = ? AND status = 'open' AND expires > ?",
            (sku, self._now()),
        ).fetchone()
        return row[0]

    def available(self, sku):
        return self.on_hand(sku) - self.reserved(sku)

    # -- orders -------------------------------------------------------------

    def reserve_order(self, order_no, lines):
        """Reserve everything on an order or nothing at all.

        ``lines`` are (sku, quantity) pairs; an article may be on several
        lines (say, one of them gift-wrapped), and each line becomes a
        reservation of its own.  Returns the ids of the reservations in the
        order of the lines.

        Raises OutOfStock if what is available does not suffice for the whole
        order, with all articles that are lacking, and ReservationError if the
        order number has been used before.
        """
        if self.reservations(order_no):
            raise ReservationError(f"order {order_no} exists already")
        missing = {}
        for sku, quantity in lines:
            self._require_quantity(quantity)
            available = self.available(sku)
            if quantity > available:
                missing[sku] = quantity - available
        if missing:
            raise OutOfStock(missing)
        ids = []
        expires = self._now() + self.ttl
        with self.conn:
            for sku, quantity in lines:
                ids.append(self._insert(order_no, sku, quantity, expires))
        return ids

    def reservations(self, order_no):
        """(sku, quantity, status) of every line of an order."""
        return self.conn.execute(
            "SELECT sku, quantity, status FROM reservation WHERE order_no = ? ORDER BY id",
            (order_no,),
        ).fetchall()

    def cancel(self, order_no):
        """Give back what is still held for an order; the number of lines."""
        with self.conn:
            cursor = self.conn.execute(
                "UPDATE reservation SET status = 'cancelled' "
                "WHERE order_no = ? AND status = 'open'",
                (order_no,),
            )
        return cursor.rowcount

    def ship(self, order_no):
        """The goods of an order leave the warehouse."""
        rows = self.conn.execute(
            "SELECT sku, quantity, expires FROM reservation "
            "WHERE order_no = ? AND status = 'open'",
            (order_no,),
        ).fetchall()
        if not rows:
            raise ReservationError(f"nothing reserved for order {order_no}")
        if any(expires <= self._now() for _, _, expires in rows):
            raise ReservationError(f"reservation of order {order_no} has expired")
        with self.conn:
            for sku, quantity, _ in rows:
                self.conn.execute(
                    "UPDATE article SET on_hand = on_hand - ? WHERE sku = ?", (quantity, sku))
            self.conn.execute(
                "UPDATE reservation SET status = 'shipped' "
                "WHERE order_no = ? AND status = 'open'",
                (order_no,),
            )

    # -- internals ----------------------------------------------------------

    def _insert(self, order_no, sku, quantity, expires):
        return self.conn.execute(
            "INSERT INTO reservation (order_no, sku, quantity, expires) VALUES (?, ?, ?, ?)",
            (order_no, sku, quantity, expires),
        ).lastrowid

    @staticmethod
    def _require_quantity(quantity):
        if quantity < 1:
            raise ValueError("quantity must be at least 1")
