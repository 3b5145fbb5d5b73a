from decimal import Decimal

from money import Money, quantum


def convert(money, currency, rates):
    """The same value in another currency, rounded once, at the end.

    Goes over the base of the rates; raises NoRate when a rate is missing.
    """
    if money.currency == currency:
        return money
    in_base = Money.of(money.amount / rates.per_base(money.currency), rates.base)
    return Money.of(in_base.amount * rates.per_base(currency), currency)


def total(moneys, currency, rates):
    """Sum of converted amounts."""
    result = Money.of(0, currency)
    for money in moneys:
        result += convert(money, currency, rates)
    return result


def split(money, parts):
    """Divide into ``parts`` amounts that add up; the first ones get the odd cents."""
    if parts < 1:
        raise ValueError("parts must be at least 1")
    unit = quantum(money.currency)
    units = int(money.amount / unit)
    share, rest = divmod(units, parts)
    return [Money((share + (i < rest)) * unit, money.currency) for i in range(parts)]


def with_percent(money, percent):
    """The amount with a percentage put on top (or taken off)."""
    return Money.of(money.amount * (100 + Decimal(str(percent))) / 100, money.currency)
