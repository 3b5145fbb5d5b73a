"""The ledger keeps all accounts and a journal of what was booked."""
from __future__ import annotations

from dataclasses import dataclass

from .account import Account
from .errors import BankError, UnknownAccount


@dataclass(frozen=True)
class Entry:
    kind: str
    cents: int
    source: str | None
    target: str | None


class Ledger:
    def __init__(self):
        self._accounts: dict[str, Account] = {}
        self.journal: list[Entry] = []
        self.fees_collected = 0

    def open(self, number: str, owner: str, overdraft: int = 0) -> Account:
        if number in self._accounts:
            raise BankError(f"account {number} exists")
        account = Account(number, owner, overdraft)
        self._accounts[number] = account
        return account

    def account(self, number: str) -> Account:
        try:
            return self._accounts[number]
        except KeyError:
            raise UnknownAccount(number) from None

    def balance(self, number: str) -> int:
        return self.account(number).balance

    def deposit(self, number: str, cents: int) -> None:
        self._check_amount(cents)
        self.account(number).credit(cents)
        self.journal.append(Entry("deposit", cents, None, number))

    def withdraw(self, number: str, cents: int) -> None:
        self._check_amount(cents)
        self.account(number).debit(cents)
        self.journal.append(Entry("withdraw", cents, number, None))

    def transfer(self, source: str, target: str, cents: int, fee: int = 0) -> None:
        """Move money between two accounts; ``source`` pays the fee on top.

        Either everything is booked, or a BankError is raised and nothing
        at all has changed.
        """
        self._check_amount(cents)
        if source == target:
            raise BankError("source and target are the same")
        self.account(source).debit(cents + fee)
        self.fees_collected += fee
        self.account(target).credit(cents)
        self.journal.append(Entry("transfer", cents, source, target))

    def statement(self, number: str) -> list[str]:
        self.account(number)
        lines = []
        for e in self.journal:
            if e.target == number:
                lines.append(f"+{e.cents} {e.kind}")
            elif e.source == number:
                lines.append(f"-{e.cents} {e.kind}")
        return lines

    def total(self) -> int:
        """All money in the bank, fees included."""
        return sum(a.balance for a in self._accounts.values()) + self.fees_collected

    @staticmethod
    def _check_amount(cents: int) -> None:
        if cents <= 0:
            raise BankError("amount must be positive")
