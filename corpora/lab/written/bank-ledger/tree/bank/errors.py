class LedgerError(Exception):
    """A booking was refused."""


class UnknownAccount(LedgerError):
    pass


class AccountClosed(LedgerError):
    pass


class LimitExceeded(LedgerError):
    pass
