from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def to_money(value: str | int | Decimal) -> Decimal:
    """Convert to a Decimal with exactly two places, halves rounded up."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def show(value: Decimal) -> str:
    return f"{value:,.2f}"
