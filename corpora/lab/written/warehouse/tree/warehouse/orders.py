from datetime import date

from .batches import OutOfStock
from .stock import Stock


def fulfil(stock: Stock, order: dict[str, int], on: date):
    """Pick every line that can be picked in full.

    Returns the picks by sku and the units that are short by sku.
    """
    picked, short = {}, {}
    for sku, quantity in order.items():
        try:
            picked[sku] = stock.pick(sku, quantity, on)
        except OutOfStock as problem:
            short[sku] = problem.missing
    return picked, short
