class TransferError(Exception):
    """Base class of everything that stops a transfer."""


class UnknownAccount(TransferError):
    pass


class InsufficientFunds(TransferError):
    pass


class LimitExceeded(TransferError):
    pass
