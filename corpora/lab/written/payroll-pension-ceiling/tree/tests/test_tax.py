from decimal import Decimal

import pytest

from payroll import TaxClass
from payroll.tax import bracket_tax, bonus_withholding, monthly_withholding, yearly_tax


@pytest.mark.parametrize("income, tax", [
    (0, "0.00"),
    (12000, "0.00"),
    (30000, "2700.00"),
    (45000, "7200.00"),
    (100000, "28500.00"),
])
def test_brackets(income, tax):
    assert bracket_tax(Decimal(income)) == Decimal(tax)


def test_married_split():
    assert yearly_tax(Decimal(60000), TaxClass.MARRIED) == Decimal("5400.00")


def test_children_lower_the_tax():
    assert yearly_tax(Decimal(31200), TaxClass.SINGLE, 1) == Decimal("2700.00")


def test_monthly_withholding():
    assert monthly_withholding(Decimal(2500), TaxClass.SINGLE) == Decimal("225.00")


def test_bonus_is_taxed_on_top():
    assert bonus_withholding(Decimal(2500), Decimal(1000), TaxClass.SINGLE) == Decimal("300.00")
