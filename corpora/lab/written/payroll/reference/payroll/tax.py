"""Progressive income tax.

A table is a list of (limit, rate): the rate holds for the part of the income
above the previous limit up to this one.  The last limit is None.
"""
from decimal import Decimal

from .money import money

TABLE_2024 = [
    (Decimal(10000), Decimal("0")),
    (Decimal(30000), Decimal("0.20")),
    (Decimal(70000), Decimal("0.40")),
    (None, Decimal("0.45")),
]


def income_tax(income, table=TABLE_2024) -> Decimal:
    """Tax of a year's income, rounded to cents at the end."""
    income = Decimal(income)
    tax = Decimal(0)
    lower = Decimal(0)
    for limit, rate in table:
        if income <= lower:
            break
        upper = income if limit is None else min(income, limit)
        tax += (upper - lower) * rate
        lower = upper
    return money(tax)


def marginal_rate(income, table=TABLE_2024) -> Decimal:
    """Rate for the next unit of income."""
    for limit, rate in table:
        if limit is None or Decimal(income) < limit:
            return rate
    return table[-1][1]


def effective_rate(income, table=TABLE_2024) -> Decimal:
    income = Decimal(income)
    if income <= 0:
        return Decimal(0)
    return (income_tax(income, table) / income).quantize(Decimal("0.0001"))
