from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from .tariff import Tariff, fee

GRACE = timedelta(minutes=15)


class TicketError(Exception):
    pass


@dataclass
class Ticket:
    number: int
    plate: str
    entered: datetime
    paid_until: datetime | None = None
    paid: int = 0


class Garage:
    def __init__(self, tariff: Tariff, spaces: int) -> None:
        self.tariff = tariff
        self.spaces = spaces
        self._inside: dict[int, Ticket] = {}
        self._next = 1
        self.revenue = 0

    @property
    def free_spaces(self) -> int:
        return self.spaces - len(self._inside)

    def enter(self, plate: str, when: datetime) -> Ticket:
        if self.free_spaces == 0:
            raise TicketError("garage is full")
        ticket = Ticket(self._next, plate.replace(" ", "").upper(), when)
        self._next += 1
        self._inside[ticket.number] = ticket
        return ticket

    def due(self, number: int, when: datetime) -> int:
        """What is still to pay to leave at ``when``."""
        ticket = self._find(number)
        if ticket.paid_until is not None and when <= ticket.paid_until:
            return 0
        minutes = minutes_between(ticket.entered, when)
        return max(0, fee(self.tariff, minutes) - ticket.paid)

    def pay(self, number: int, when: datetime) -> int:
        amount = self.due(number, when)
        ticket = self._find(number)
        ticket.paid += amount
        ticket.paid_until = when + GRACE
        self.revenue += amount
        return amount

    def leave(self, number: int, when: datetime) -> None:
        if self.due(number, when) > 0:
            raise TicketError("please pay first")
        del self._inside[number]

    def _find(self, number: int) -> Ticket:
        try:
            return self._inside[number]
        except KeyError:
            raise TicketError(f"no ticket {number}") from None


def minutes_between(start: datetime, end: datetime) -> int:
    """Started minutes between two times."""
    seconds = (end - start).total_seconds()
    if seconds < 0:
        raise TicketError("time goes backwards")
    return int(-(-seconds // 60))
