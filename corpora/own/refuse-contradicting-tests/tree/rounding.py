"""Rounding to whole cents."""

from decimal import ROUND_HALF_EVEN, Decimal


def cents(amount):
    """The amount (text or Decimal) in whole cents; halves go to the even one, as accountants do."""
    return int((Decimal(amount) * 100).quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def total(amounts):
    return sum(map(cents, amounts))
