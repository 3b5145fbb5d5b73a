from decimal import Decimal


class NoRate(LookupError):
    pass


class Rates:
    """Rates against one base currency: 1 base = rate units of the other."""

    def __init__(self, base, rates):
        self.base = base
        self._rates = {c: Decimal(str(r)) for c, r in rates.items()}
        self._rates[base] = Decimal(1)

    def per_base(self, currency):
        try:
            return self._rates[currency]
        except KeyError:
            raise NoRate(currency) from None
