"""The monthly payroll run and its books."""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal

from .tax import bonus_withholding, money, monthly_withholding

PENSION_RATE = Decimal("0.093")

PENSION_CEILING = {
    2022: Decimal(84600),
    2023: Decimal(87600),
    2024: Decimal(90600),
}


@dataclass(frozen=True)
class Payslip:
    employee: str
    month: int
    gross: Decimal
    tax: Decimal
    pension: Decimal

    @property
    def net(self):
        return self.gross - self.tax - self.pension

    def lines(self):
        yield f"{self.employee}, month {self.month}"
        yield f"  gross   {self.gross:>12}"
        yield f"  tax     {-self.tax:>12}"
        yield f"  pension {-self.pension:>12}"
        yield f"  net     {self.net:>12}"


class Payroll:
    """Payroll of one year. Months have to be paid in order."""

    def __init__(self, year):
        if year not in PENSION_CEILING:
            raise ValueError(f"no pension ceiling known for {year}")
        self.year = year
        self._earned = defaultdict(Decimal)
        self._slips = defaultdict(list)

    @property
    def ceiling(self):
        return PENSION_CEILING[self.year]

    def earned(self, employee):
        """Gross pay of the employee in this year so far."""
        return self._earned.get(employee.number, Decimal(0))

    def pension_contribution(self, employee, gross):
        """Employee's part of the pension contribution for a month's gross pay.

        Only pay up to the ceiling of the year is pensionable. The ceiling is
        for the whole year, counted from January on: once the pay of the year
        has reached it, nothing more is due. The amount is rounded to cents.
        Asking does not change anything, `pay` keeps the books.
        """
        ceiling = self.ceiling
        earned = self.earned(employee)
        if earned >= ceiling:
            return Decimal("0.00")
        pensionable = min(gross, ceiling - earned)
        return money(pensionable * PENSION_RATE)

    def pay(self, employee, month, bonus=Decimal(0)):
        """Pay a month's salary (and a bonus) and return the payslip."""
        if not 1 <= month <= 12:
            raise ValueError("month must be 1..12")
        if bonus < 0:
            raise ValueError("bonus must not be negative")
        slips = self._slips[employee.number]
        if slips and slips[-1].month >= month:
            raise ValueError(f"month {month} is already paid")
        gross = employee.salary + bonus
        tax = monthly_withholding(
            employee.salary, employee.tax_class, employee.children
        )
        if bonus:
            tax += bonus_withholding(
                employee.salary, bonus, employee.tax_class, employee.children
            )
        slip = Payslip(
            employee=employee.name,
            month=month,
            gross=money(gross),
            tax=money(tax),
            pension=self.pension_contribution(employee, gross),
        )
        self._earned[employee.number] += gross
        slips.append(slip)
        return slip

    def slips(self, employee):
        return list(self._slips.get(employee.number, ()))

    def pension_paid(self, employee):
        """All pension contributions of the year so far."""
        return sum((s.pension for s in self.slips(employee)), Decimal("0.00"))

    def totals(self):
        """Totals of the run over all employees: gross, tax and pension."""
        result = {"gross": Decimal(0), "tax": Decimal(0), "pension": Decimal(0)}
        for slips in self._slips.values():
            for slip in slips:
                result["gross"] += slip.gross
                result["tax"] += slip.tax
                result["pension"] += slip.pension
        return result
