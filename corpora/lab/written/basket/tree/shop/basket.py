from .promotions import Line


class Basket:
    """A shopping basket over a catalogue."""

    def __init__(self, catalog, promotions=()):
        self.catalog = catalog
        self.promotions = list(promotions)
        self._quantities = {}

    def add(self, sku, quantity=1):
        if quantity < 1:
            raise ValueError("quantity must be at least 1")
        self.catalog.get(sku)
        self._quantities[sku] = self._quantities.get(sku, 0) + quantity

    def remove(self, sku, quantity=1):
        have = self._quantities.get(sku, 0)
        if quantity > have:
            raise ValueError(f"only {have} of {sku} in the basket")
        if quantity == have:
            del self._quantities[sku]
        else:
            self._quantities[sku] = have - quantity

    @property
    def lines(self):
        return [Line(self.catalog.get(sku), n) for sku, n in self._quantities.items()]

    def subtotal(self):
        return sum(line.amount for line in self.lines)

    def discount(self):
        lines = self.lines
        off = sum(p.discount(lines) for p in self.promotions)
        return min(off, self.subtotal())

    def total(self):
        return self.subtotal() - self.discount()


def format_pence(amount):
    """
    >>> format_pence(1205)
    '£12.05'
    """
    sign = "-" if amount < 0 else ""
    pounds, pence = divmod(abs(amount), 100)
    return f"{sign}£{pounds}.{pence:02d}"


def receipt(basket):
    rows = []
    for line in basket.lines:
        rows.append(f"{line.quantity} x {line.product.name}: {format_pence(line.amount)}")
    off = basket.discount()
    if off:
        rows.append(f"Savings: {format_pence(-off)}")
    rows.append(f"Total: {format_pence(basket.total())}")
    return "\n".join(rows)
