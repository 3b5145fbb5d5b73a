from .errors import AccountFrozen, InsufficientFunds


class Account:
    def __init__(self, number: str, owner: str, overdraft: int = 0):
        self.number = number
        self.owner = owner
        self.overdraft = overdraft
        self.balance = 0
        self.frozen = False

    def check_open(self) -> None:
        if self.frozen:
            raise AccountFrozen(self.number)

    def credit(self, cents: int) -> None:
        self.check_open()
        self.balance += cents

    def debit(self, cents: int) -> None:
        self.check_open()
        if self.balance - cents < -self.overdraft:
            raise InsufficientFunds(self.number)
        self.balance -= cents

    def __repr__(self):
        return f"Account({self.number!r}, {self.balance})"
