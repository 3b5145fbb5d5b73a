from dataclasses import dataclass
from datetime import date
from typing import Optional


@dataclass
class Batch:
    """Units of one product that came in together."""
    number: str
    received: date
    units: int
    expires: Optional[date] = None

    def usable(self, on: date) -> bool:
        """The day of expiry itself is still fine."""
        return self.units > 0 and (self.expires is None or on <= self.expires)


class OutOfStock(Exception):
    def __init__(self, sku: str, missing: int):
        super().__init__(f"{sku}: {missing} units missing")
        self.sku = sku
        self.missing = missing
