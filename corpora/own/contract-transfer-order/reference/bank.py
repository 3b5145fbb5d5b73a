"""Accounts in whole cents."""


class OverdraftError(Exception):
    """There is not enough money."""


class Account:
    """One account with its history."""

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("nothing to deposit")
        self.balance += amount
        self.history.append(("in", amount))

    def withdraw(self, amount):
        if amount <= 0:
            raise ValueError("nothing to withdraw")
        if amount > self.balance:
            raise OverdraftError(f"{self.owner} has only {self.balance}")
        self.balance -= amount
        self.history.append(("out", amount))

    def transfer(self, other, amount):
        """Move money to another account, or leave both as they are."""
        if other is self:
            raise ValueError("both accounts are the same")
        self.withdraw(amount)
        other.deposit(amount)
