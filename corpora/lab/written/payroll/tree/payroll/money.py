from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def money(value) -> Decimal:
    """Round to cents, halves up."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def show(value) -> str:
    return f"{money(value):,}"
