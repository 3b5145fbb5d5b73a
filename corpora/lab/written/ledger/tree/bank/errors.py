class BankError(Exception):
    """Base of everything that can go wrong in the bank."""


class UnknownAccount(BankError):
    pass


class InsufficientFunds(BankError):
    pass


class AccountFrozen(BankError):
    pass
