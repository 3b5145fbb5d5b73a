from decimal import Decimal

from .fees import LOST_TICKET, discounted, minutes_between, parking_fee
from .store import TicketStore


class GarageFull(Exception):
    pass


class Desk:
    """Barrier and pay desk of one garage."""

    def __init__(self, places, store=None):
        self.places = places
        self.store = store or TicketStore()

    def enter(self, plate, now):
        if self.store.count_open() >= self.places:
            raise GarageFull(f"all {self.places} places are taken")
        return self.store.open_ticket(plate, now)

    def quote(self, ticket_id, now, discount=0):
        """What would have to be paid now."""
        minutes = minutes_between(self.store.entered(ticket_id), now)
        return discounted(parking_fee(minutes), discount)

    def leave(self, ticket_id, now, discount=0):
        fee = self.quote(ticket_id, now, discount)
        self.store.close_ticket(ticket_id, now, fee)
        return fee

    def lost_ticket(self, ticket_id, now):
        fee = LOST_TICKET + self.quote(ticket_id, now)
        self.store.close_ticket(ticket_id, now, fee)
        return fee

    def takings(self):
        return sum((Decimal(paid) for paid in self.store.payments()), Decimal("0.00"))
