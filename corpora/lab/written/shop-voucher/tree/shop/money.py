from decimal import Decimal, ROUND_HALF_UP

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def money(value):
    """Turn a number or string into a Decimal with two places."""
    return Decimal(str(value)).quantize(CENT, rounding=ROUND_HALF_UP)


def percent_of(amount, percent):
    return money(amount * Decimal(str(percent)) / 100)


def fmt(amount, symbol="EUR"):
    return f"{amount:.2f} {symbol}"
