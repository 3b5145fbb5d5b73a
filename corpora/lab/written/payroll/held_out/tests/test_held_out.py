from decimal import Decimal as D

import pytest

from payroll.slip import year_slip
from payroll.tax import effective_rate, income_tax
from payroll.wages import Employee


@pytest.mark.parametrize("income, expected", [
    (0, "0"),
    (1, "0"),
    (10000, "0"),
    (10001, "0.20"),
    (29999, "3999.80"),
    (30000, "4000"),
    (30001, "4000.40"),
    (50000, "12000"),
    (69999, "19999.60"),
    (70000, "20000"),
    (70001, "20000.45"),
    (80000, "24500"),
    (100000, "33500"),
    (1000000, "438500"),
])
def test_2024(income, expected):
    assert income_tax(income) == D(expected)


def test_negative_income():
    assert income_tax(-5000) == 0


FLAT = [(None, D("0.10"))]
TWO = [(D(100), D("0.10")), (None, D("0.20"))]
FIVE = [(D(10), D("0.1")), (D(20), D("0.2")), (D(30), D("0.3")), (D(40), D("0.4")), (None, D("0.5"))]


@pytest.mark.parametrize("table, income, expected", [
    (FLAT, 50, "5"),
    (FLAT, 0, "0"),
    (FLAT, "0.05", "0.01"),
    (FLAT, "0.25", "0.03"),
    (TWO, 50, "5"),
    (TWO, 100, "10"),
    (TWO, 150, "20"),
    (FIVE, 10, "1"),
    (FIVE, 15, "2"),
    (FIVE, 25, "4.5"),
    (FIVE, 35, "8"),
    (FIVE, 45, "12.5"),
    (FIVE, 100, "40"),
])
def test_other_tables(table, income, expected):
    assert income_tax(income, table) == D(expected)


def test_rounded_once_at_the_end():
    table = [(D("0.04"), D("0.1")), (D("0.08"), D("0.1")), (None, D("0.1"))]
    assert income_tax("0.12", table) == D("0.01")
    thirds = [(D("10.03"), D("0.5")), (D("20.06"), D("0.5")), (None, D("0.5"))]
    assert income_tax("30.08", thirds) == D("15.04")


def test_cents():
    assert income_tax("30000.01") == D("4000.00")
    assert income_tax("10000.03") == D("0.01")


def test_more_income_never_less_net():
    net = [D(i) - income_tax(i) for i in range(0, 120000, 2500)]
    assert net == sorted(net)


def test_default_table_is_not_changed():
    assert [income_tax(80000) for _ in range(3)] == [D(24500)] * 3


def test_effective_rate():
    assert effective_rate(100000) == D("0.335")


def test_slip():
    slip = year_slip(Employee("Bob", D(50), pension=D(0)), [40] * 50)
    assert slip.gross == 100000
    assert slip.tax == D(33500)
    assert slip.net == D(66500)
