class ReservationError(Exception):
    """The order is not in the right state for this."""


class OutOfStock(Exception):
    """``missing`` tells how many pieces of which article are lacking."""

    def __init__(self, missing):
        self.missing = dict(missing)
        text = ", ".join(f"{n} x {sku}" for sku, n in self.missing.items())
        super().__init__(f"not enough in stock, missing {text}")
