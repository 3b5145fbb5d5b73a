from datetime import date

from .accounts import Account
from .errors import InsufficientFunds, LimitExceeded, TransferError, UnknownAccount


class Bank:
    def __init__(self, fee: int = 0):
        self.fee = fee
        self._accounts: dict[str, Account] = {}

    def open(self, number: str, owner: str, **options) -> Account:
        if number in self._accounts:
            raise TransferError(f"account {number} exists")
        account = Account(number, owner, **options)
        self._accounts[number] = account
        return account

    def get(self, number: str) -> Account:
        try:
            return self._accounts[number]
        except KeyError:
            raise UnknownAccount(number) from None

    def deposit(self, number: str, amount: int, day: date) -> None:
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.get(number).record(day, amount, "deposit")

    def withdraw(self, number: str, amount: int, day: date) -> None:
        if amount <= 0:
            raise ValueError("amount must be positive")
        account = self.get(number)
        if amount > account.available:
            raise InsufficientFunds(number)
        account.record(day, -amount, "cash")

    def transfer(self, source: str, target: str, amount: int, day: date) -> None:
        """Move ``amount`` cents from one account to another.

        The sender also pays the bank's fee. The daily limit is on the amounts
        sent, not on the fee. Nothing is booked when anything is wrong.
        """
        if amount <= 0:
            raise ValueError("amount must be positive")
        if source == target:
            raise TransferError("source and target are the same account")
        sender = self.get(source)
        receiver = self.get(target)
        if amount + self.fee > sender.available:
            raise InsufficientFunds(source)
        if sender.daily_limit is not None:
            if sender.sent_on(day) + amount > sender.daily_limit:
                raise LimitExceeded(source)
        sender.record(day, -amount, "transfer", target)
        receiver.record(day, amount, "transfer", source)
        if self.fee:
            sender.record(day, -self.fee, "fee")

    def total(self) -> int:
        return sum(account.balance for account in self._accounts.values())
