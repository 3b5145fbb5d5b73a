from dataclasses import dataclass
from datetime import date
from enum import Enum, auto
from typing import Optional

# a member owing more than this (in cents) may not borrow
MAX_DEBT = 1000


class Status(Enum):
    AVAILABLE = auto()
    ON_LOAN = auto()
    ON_HOLD_SHELF = auto()


@dataclass
class Member:
    id: str
    name: str = ""
    debt: int = 0

    @property
    def blocked(self):
        return self.debt > MAX_DEBT


@dataclass
class Copy:
    barcode: str
    title: str
    status: Status = Status.AVAILABLE
    held_for: Optional[str] = None      # member id, while on the hold shelf
    pickup_by: Optional[date] = None


@dataclass
class Loan:
    barcode: str
    member: str
    due: date
    renewals: int = 0


@dataclass
class Receipt:
    barcode: str
    fine: int
    held_for: Optional[str] = None
