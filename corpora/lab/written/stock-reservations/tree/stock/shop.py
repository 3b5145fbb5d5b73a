from dataclasses import dataclass, field

from .errors import OutOfStock


@dataclass
class Order:
    number: str
    lines: list = field(default_factory=list)
    wrapped: set = field(default_factory=set)   # indexes of gift lines

    def add(self, sku, quantity=1, gift=False):
        if gift:
            self.wrapped.add(len(self.lines))
        self.lines.append((sku, quantity))
        return self


class Shop:
    """Takes orders; ``notify`` is called with (order number, text)."""

    def __init__(self, inventory, notify=lambda number, text: None):
        self.inventory = inventory
        self.notify = notify
        self.gift_reservations = set()

    def place(self, order):
        """True if the order has been accepted."""
        try:
            ids = self.inventory.reserve_order(order.number, order.lines)
        except OutOfStock as exc:
            self.notify(order.number, str(exc))
            return False
        self.gift_reservations.update(ids[i] for i in order.wrapped)
        self.notify(order.number, f"{len(ids)} lines reserved")
        return True

    def dispatch(self, number):
        self.inventory.ship(number)
        self.notify(number, "shipped")
