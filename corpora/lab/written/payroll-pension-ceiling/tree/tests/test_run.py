from decimal import Decimal

import pytest

from payroll import Employee, Payroll


@pytest.fixture
def ann():
    return Employee(1, "Ann", Decimal(4000))


def test_normal_month(ann):
    slip = Payroll(2024).pay(ann, 1)
    assert slip.gross == Decimal("4000.00")
    assert slip.pension == Decimal("372.00")
    assert slip.net == slip.gross - slip.tax - slip.pension


def test_high_earner_pays_up_to_the_ceiling():
    boss = Employee(2, "Boss", Decimal(100000))
    slip = Payroll(2024).pay(boss, 1)
    assert slip.pension == Decimal("8425.80")


def test_nothing_due_after_the_ceiling():
    run = Payroll(2024)
    boss = Employee(2, "Boss", Decimal(90600))
    run.pay(boss, 1)
    assert run.pay(boss, 2).pension == 0


def test_earned_adds_up(ann):
    run = Payroll(2023)
    run.pay(ann, 1)
    run.pay(ann, 2, bonus=Decimal(500))
    assert run.earned(ann) == Decimal(8500)
    assert run.pension_paid(ann) == Decimal("790.50")


def test_month_cannot_be_paid_twice(ann):
    run = Payroll(2024)
    run.pay(ann, 3)
    with pytest.raises(ValueError):
        run.pay(ann, 3)


def test_unknown_year():
    with pytest.raises(ValueError):
        Payroll(1999)


def test_totals(ann):
    run = Payroll(2024)
    run.pay(ann, 1)
    run.pay(Employee(5, "Bob", Decimal(1000)), 1)
    assert run.totals()["gross"] == Decimal(5000)


def test_payslip_text(ann):
    text = "\n".join(Payroll(2024).pay(ann, 1).lines())
    assert "Ann, month 1" in text
    assert "-372.00" in text
