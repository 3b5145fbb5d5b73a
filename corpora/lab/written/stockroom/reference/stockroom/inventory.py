class OutOfStock(Exception):
    def __init__(self, sku, missing):
        super().__init__(f"{missing} x {sku} missing")
        self.sku = sku
        self.missing = missing


class Inventory:
    """Stock by SKU and bin: ``{"bolt": {"A1": 5, "B2": 10}}``."""

    def __init__(self):
        self._stock = {}
        self._reserved = {}

    def put(self, sku, bin_, qty):
        bins = self._stock.setdefault(sku, {})
        bins[bin_] = bins.get(bin_, 0) + qty

    def on_hand(self, sku):
        return sum(self._stock.get(sku, {}).values())

    def bins(self, sku):
        return dict(self._stock.get(sku, {}))

    def reserve(self, order):
        """Set aside everything on the order, fullest bins first.

        Returns the picks as (sku, bin, qty). When any line cannot be met
        OutOfStock is raised and the stock stays as it was.
        """
        if order.number in self._reserved:
            raise ValueError(f"order {order.number} is already reserved")
        stock = {sku: dict(bins) for sku, bins in self._stock.items()}
        picks = []
        for sku, qty in order.lines:
            bins = stock.get(sku, {})
            for bin_ in sorted(bins, key=lambda b: (-bins[b], b)):
                take = min(qty, bins[bin_])
                if take:
                    bins[bin_] -= take
                    picks.append((sku, bin_, take))
                    qty -= take
            if qty:
                raise OutOfStock(sku, qty)
        self._stock = stock
        self._reserved[order.number] = picks
        return picks

    def release(self, number):
        """Give up a reservation, everything goes back to its bin."""
        for sku, bin_, qty in self._reserved.pop(number):
            self.put(sku, bin_, qty)

    def ship(self, number):
        return self._reserved.pop(number)

    def reserved(self, sku):
        return sum(q for picks in self._reserved.values() for s, _, q in picks if s == sku)
