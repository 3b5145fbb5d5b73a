"""Stock by product, picked first in, first out."""
from datetime import date

from .batches import Batch, OutOfStock


class Stock:
    def __init__(self) -> None:
        self._batches: dict[str, list[Batch]] = {}

    def receive(self, sku: str, batch: Batch) -> None:
        if batch.units <= 0:
            raise ValueError("a batch needs units")
        known = self._batches.setdefault(sku, [])
        if any(b.number == batch.number for b in known):
            raise ValueError(f"batch {batch.number} is already here")
        known.append(batch)
        known.sort(key=lambda b: b.received)

    def available(self, sku: str, on: date) -> int:
        return sum(b.units for b in self._batches.get(sku, []) if b.usable(on))

    def pick(self, sku: str, quantity: int, on: date) -> list[tuple[str, int]]:
        """Take ``quantity`` units out of the oldest usable batches.

        Returns (batch number, units) in the order of picking. Expired
        batches are passed over. Raises OutOfStock, and takes nothing, when
        there are too few usable units.
        """
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        picks = []
        missing = quantity
        for batch in self._batches.get(sku, []):
            if missing == 0:
                break
            if not batch.usable(on):
                continue
            taken = min(batch.units, missing)
            batch.units -= taken
            missing -= taken
            picks.append((batch.number, taken))
        if missing:
            raise OutOfStock(sku, missing)
        return picks

    def discard_expired(self, on: date) -> list[str]:
        """Throw away expired batches and forget empty ones."""
        gone = []
        for sku, batches in self._batches.items():
            gone += [b.number for b in batches if b.units and not b.usable(on)]
            self._batches[sku] = [b for b in batches if b.usable(on)]
        return gone
