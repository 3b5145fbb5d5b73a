"""Income tax: marginal brackets on the yearly income."""

from decimal import Decimal, ROUND_HALF_UP

from .employee import TaxClass

CENT = Decimal("0.01")

# (upper limit of the bracket, rate); None means no upper limit
BRACKETS = [
    (Decimal(12000), Decimal("0")),
    (Decimal(30000), Decimal("0.15")),
    (Decimal(60000), Decimal("0.30")),
    (None, Decimal("0.42")),
]

CHILD_ALLOWANCE = Decimal(1200)


def money(value):
    """Round to cents, half up."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def bracket_tax(income, brackets=BRACKETS):
    """Tax on a yearly income; every slice is taxed with its own rate."""
    tax = Decimal(0)
    lower = Decimal(0)
    for upper, rate in brackets:
        if upper is None or income <= upper:
            tax += (income - lower) * rate
            break
        tax += (upper - lower) * rate
        lower = upper
    return money(tax)


def yearly_tax(income, tax_class, children=0):
    """Tax with allowances. Married people are taxed on two halves."""
    taxable = max(Decimal(0), income - children * CHILD_ALLOWANCE)
    if tax_class is TaxClass.MARRIED:
        return 2 * bracket_tax(taxable / 2)
    return bracket_tax(taxable)


def monthly_withholding(gross, tax_class, children=0):
    """A twelfth of the tax on twelve times the month's pay."""
    return money(yearly_tax(gross * 12, tax_class, children) / 12)


def bonus_withholding(salary, bonus, tax_class, children=0):
    """What a one-off payment adds to the tax of the year."""
    base = salary * 12
    with_bonus = yearly_tax(base + bonus, tax_class, children)
    return with_bonus - yearly_tax(base, tax_class, children)
