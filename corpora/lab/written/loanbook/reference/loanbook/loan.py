"""Fixed-rate loans with level monthly payments."""
from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from .money import to_money


class LoanError(ValueError):
    """The loan's terms make no sense."""


@dataclass(frozen=True)
class Loan:
    principal: Decimal
    annual_rate: Decimal  # in percent, e.g. Decimal("4.5")
    months: int

    def __post_init__(self) -> None:
        if self.principal <= 0:
            raise LoanError("principal must be positive")
        if self.annual_rate < 0:
            raise LoanError("rate must not be negative")
        if self.months < 1:
            raise LoanError("a loan runs for at least one month")

    @property
    def monthly_rate(self) -> Decimal:
        return self.annual_rate / 100 / 12

    @property
    def payment(self) -> Decimal:
        """The level monthly payment, rounded to the cent."""
        if self.annual_rate == 0:
            return to_money(self.principal / self.months)
        rate = self.monthly_rate
        return to_money(self.principal * rate / (1 - (1 + rate) ** -self.months))


@dataclass(frozen=True)
class Instalment:
    number: int
    payment: Decimal
    interest: Decimal
    principal: Decimal
    balance: Decimal


def amortise(loan: Loan, extra: Decimal = Decimal(0)) -> list[Instalment]:
    """Build the repayment schedule of a loan.

    Every month the interest on what is still owed is rounded to the cent, and
    the borrower pays the level payment plus ``extra``; what exceeds the
    interest reduces the balance.  Nobody ever pays more than what is owed,
    and the loan is always cleared by its last month: whatever rounding has
    left over goes into the last instalment.  The schedule ends with the
    instalment that brings the balance to zero.
    """
    if extra < 0:
        raise LoanError("extra must not be negative")
    balance = to_money(loan.principal)
    rows: list[Instalment] = []
    for number in range(1, loan.months + 1):
        interest = to_money(balance * loan.monthly_rate)
        payment = loan.payment + extra
        if number == loan.months or payment > balance + interest:
            payment = balance + interest
        principal = payment - interest
        balance -= principal
        rows.append(Instalment(number, payment, interest, principal, balance))
        if balance <= 0:
            break
    return rows
