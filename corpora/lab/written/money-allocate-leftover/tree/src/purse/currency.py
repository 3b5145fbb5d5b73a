from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Currency:
    code: str
    digits: int
    symbol: str = ""

    @property
    def unit(self):
        """The smallest unit, e.g. 0.01."""
        return Decimal(1).scaleb(-self.digits)


KNOWN = {
    c.code: c
    for c in [
        Currency("EUR", 2, "€"),
        Currency("USD", 2, "$"),
        Currency("GBP", 2, "£"),
        Currency("JPY", 0, "¥"),
        Currency("KWD", 3),
    ]
}


def currency(code):
    """Look up a currency by its code; a Currency is passed through."""
    if isinstance(code, Currency):
        return code
    try:
        return KNOWN[code.upper()]
    except KeyError:
        raise ValueError(f"unknown currency {code!r}") from None
