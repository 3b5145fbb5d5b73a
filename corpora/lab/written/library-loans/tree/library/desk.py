"""The loan desk: checking out, renewing and returning."""
from datetime import date

from .fines import fine_for
from .models import Item, Loan

MAX_RENEWALS = 2
BLOCK_AT = 500


class LoanError(Exception):
    pass


class Desk:
    def __init__(self):
        self.loans: list[Loan] = []
        self.paid: dict[str, int] = {}

    def open_loan(self, barcode: str) -> Loan:
        for loan in self.loans:
            if loan.open and loan.item.barcode == barcode:
                return loan
        raise LoanError(f"{barcode} is not on loan")

    def balance(self, member: str, on: date) -> int:
        """Fines of the member minus what was paid."""
        owed = sum(fine_for(l, on) for l in self.loans if l.member == member)
        return owed - self.paid.get(member, 0)

    def check_out(self, item: Item, member: str, on: date) -> Loan:
        if any(l.open and l.item.barcode == item.barcode for l in self.loans):
            raise LoanError(f"{item.barcode} is already on loan")
        if self.balance(member, on) >= BLOCK_AT:
            raise LoanError(f"{member} owes too much")
        loan = Loan(item, member, on)
        self.loans.append(loan)
        return loan

    def renew(self, barcode: str, on: date) -> Loan:
        loan = self.open_loan(barcode)
        if loan.renewals >= MAX_RENEWALS:
            raise LoanError("no renewals left")
        if on > loan.due:
            raise LoanError("overdue items cannot be renewed")
        loan.renewals += 1
        return loan

    def give_back(self, barcode: str, on: date) -> int:
        loan = self.open_loan(barcode)
        loan.returned = on
        return fine_for(loan, on)

    def pay(self, member: str, cents: int) -> None:
        if cents <= 0:
            raise ValueError("payment must be positive")
        self.paid[member] = self.paid.get(member, 0) + cents
