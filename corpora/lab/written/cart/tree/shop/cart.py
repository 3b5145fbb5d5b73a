from . import pricing


class Cart:
    def __init__(self, catalog, tiers=None):
        self.catalog = catalog
        self.tiers = pricing.DEFAULT_TIERS if tiers is None else tiers
        self._qty = {}

    def add(self, sku, qty=1):
        if qty < 1:
            raise ValueError("quantity must be at least 1")
        self.catalog.get(sku)  # raises for unknown ones
        self._qty[sku] = self._qty.get(sku, 0) + qty

    def remove(self, sku, qty=None):
        """Take out ``qty`` pieces, or all of them when no quantity is given."""
        if sku not in self._qty:
            raise KeyError(sku)
        if qty is None or qty >= self._qty[sku]:
            del self._qty[sku]
        else:
            self._qty[sku] -= qty

    def quantity(self, sku):
        return self._qty.get(sku, 0)

    def subtotal(self):
        return sum(
            pricing.line_total(self.catalog.get(sku).price_cents, n, self.tiers)
            for sku, n in self._qty.items()
        )

    def total(self):
        sub = self.subtotal()
        return sub + pricing.shipping(sub)

    def receipt(self):
        lines = []
        for sku, n in sorted(self._qty.items()):
            p = self.catalog.get(sku)
            amount = pricing.line_total(p.price_cents, n, self.tiers)
            lines.append(f"{n} x {p.name}: {pricing.format_cents(amount)}")
        lines.append(f"Total: {pricing.format_cents(self.total())}")
        return "\n".join(lines)
