from dataclasses import dataclass
from datetime import date, timedelta
from typing import Optional

LOAN_DAYS = {"book": 21, "dvd": 7, "magazine": 14}


@dataclass(frozen=True)
class Item:
    barcode: str
    title: str
    kind: str = "book"

    @property
    def loan_days(self) -> int:
        return LOAN_DAYS.get(self.kind, 14)


@dataclass
class Loan:
    item: Item
    member: str
    start: date
    renewals: int = 0
    returned: Optional[date] = None

    @property
    def due(self) -> date:
        """Last day on which the item can come back without being late."""
        return self.start + timedelta(days=self.item.loan_days * (self.renewals + 1))

    @property
    def open(self) -> bool:
        return self.returned is None
