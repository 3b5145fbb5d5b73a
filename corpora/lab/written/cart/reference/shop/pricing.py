"""Price rules. All money is in whole cents."""

FREE_SHIPPING_FROM = 50_00
SHIPPING_FLAT = 4_95

# (minimum quantity, percent off)
DEFAULT_TIERS = [
    (5, 5),
    (10, 10),
    (50, 20),
]


def tier_percent(qty, tiers=DEFAULT_TIERS):
    """Percent off for buying ``qty`` pieces of one product.

    ``tiers`` is a list of ``(min_qty, percent)`` in any order; the tier with
    the highest ``min_qty`` that has been reached counts. 0 if none is.
    """
    for min_qty, percent in sorted(tiers, reverse=True):
        if qty >= min_qty:
            return percent
    return 0


def line_total(price_cents, qty, tiers=DEFAULT_TIERS):
    gross = price_cents * qty
    off = gross * tier_percent(qty, tiers) // 100
    return gross - off


def shipping(subtotal_cents):
    if subtotal_cents == 0 or subtotal_cents >= FREE_SHIPPING_FROM:
        return 0
    return SHIPPING_FLAT


def format_cents(cents):
    sign = "-" if cents < 0 else ""
    cents = abs(cents)
    return f"{sign}{cents // 100}.{cents % 100:02d}"
