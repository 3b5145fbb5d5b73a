from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

DIGITS = {"EUR": 2, "USD": 2, "CHF": 2, "JPY": 0, "KWD": 3}


def quantum(currency: str) -> Decimal:
    """Smallest amount of a currency: 0.01 for EUR, 1 for JPY."""
    return Decimal(1).scaleb(-DIGITS[currency])


@dataclass(frozen=True)
class Money:
    amount: Decimal
    currency: str

    @classmethod
    def of(cls, amount, currency):
        """Money rounded half up to the currency's digits."""
        if currency not in DIGITS:
            raise ValueError(f"unknown currency {currency!r}")
        value = Decimal(str(amount)).quantize(quantum(currency), ROUND_HALF_UP)
        return cls(value, currency)

    def __add__(self, other):
        if other.currency != self.currency:
            raise ValueError("different currencies")
        return Money(self.amount + other.amount, self.currency)

    def __str__(self):
        return f"{self.amount:,} {self.currency}"
