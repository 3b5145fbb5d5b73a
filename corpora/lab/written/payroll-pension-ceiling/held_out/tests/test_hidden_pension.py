from decimal import Decimal

import pytest

from payroll import Employee, Payroll
from payroll.run import PENSION_CEILING, PENSION_RATE
from payroll.tax import money

D = Decimal


def emp(salary, number=7):
    return Employee(number, "X", D(salary))


@pytest.mark.parametrize("year", [2022, 2023, 2024])
def test_single_big_month_every_year(year):
    slip = Payroll(year).pay(emp(200000), 1)
    assert slip.pension == money(PENSION_CEILING[year] * PENSION_RATE)


@pytest.mark.parametrize("salary", ["8000", "10000", "30200", "45300", "50000", "90599", "90600", "90601"])
def test_whole_year_is_the_capped_amount(salary):
    run = Payroll(2024)
    person = emp(salary)
    for month in range(1, 13):
        run.pay(person, month)
    expected = money(min(D(90600), 12 * D(salary)) * PENSION_RATE)
    assert abs(run.pension_paid(person) - expected) <= D("0.06")


def test_crossing_in_second_month():
    run = Payroll(2024)
    person = emp(50000)
    assert run.pay(person, 1).pension == D("4650.00")
    assert run.pay(person, 2).pension == D("3775.80")
    assert run.pay(person, 3).pension == 0
    assert run.pay(person, 4).pension == 0


def test_crossing_with_bonus():
    run = Payroll(2024)
    person = emp(9000)
    for month in range(1, 10):
        assert run.pay(person, month).pension == D("837.00")
    assert run.pay(person, 10, bonus=D(5000)).pension == money(D(9600) * PENSION_RATE)
    assert run.pay(person, 11).pension == 0


def test_never_negative_after_big_month():
    run = Payroll(2024)
    person = emp(100000)
    run.pay(person, 1)
    assert run.pay(person, 2).pension == 0
    assert run.pension_contribution(person, D(100)) == 0


def test_cents_are_kept_in_crossing_month():
    run = Payroll(2024)
    person = emp("45000.55")
    run.pay(person, 1)
    run.pay(person, 2)
    assert run.pay(person, 3).pension == money((D(90600) - D("90001.10")) * PENSION_RATE)


def test_cents_in_normal_month():
    assert Payroll(2024).pay(emp("4333.33"), 1).pension == D("403.00")
    assert Payroll(2024).pay(emp("1234.56"), 1).pension == D("114.81")


def test_exactly_the_ceiling_at_once():
    assert Payroll(2024).pay(emp(90600), 1).pension == D("8425.80")


def test_exactly_the_ceiling_in_two():
    run = Payroll(2024)
    person = emp(45300)
    assert run.pay(person, 1).pension == D("4212.90")
    assert run.pay(person, 2).pension == D("4212.90")
    assert run.pay(person, 3).pension == 0


def test_asking_changes_nothing():
    run = Payroll(2024)
    person = emp(50000)
    run.pay(person, 1)
    first = run.pension_contribution(person, D(50000))
    second = run.pension_contribution(person, D(50000))
    assert first == second == D("3775.80")
    assert run.earned(person) == D(50000)


def test_earned_counts_all_pay():
    run = Payroll(2024)
    person = emp(100000)
    run.pay(person, 1)
    assert run.earned(person) == D(100000)
    run.pay(person, 2)
    assert run.earned(person) == D(200000)


def test_employees_are_separate():
    run = Payroll(2024)
    rich, poor = emp(100000, 1), emp(3000, 2)
    run.pay(rich, 1)
    assert run.pay(poor, 1).pension == D("279.00")


def test_zero_pay():
    assert Payroll(2024).pay(emp(0), 1).pension == 0


def test_net_and_totals_follow():
    run = Payroll(2024)
    person = emp(50000)
    a, b = run.pay(person, 1), run.pay(person, 2)
    assert run.totals()["pension"] == D("8425.80")
    assert b.net - a.net == a.pension - b.pension


def test_years_are_separate():
    person = emp(100000)
    Payroll(2023).pay(person, 1)
    assert Payroll(2024).pay(person, 1).pension == D("8425.80")
