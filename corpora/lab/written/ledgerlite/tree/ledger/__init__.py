from .accounts import Account
from .bank import Bank
from .errors import InsufficientFunds, LimitExceeded, TransferError, UnknownAccount

__all__ = ["Account", "Bank", "InsufficientFunds", "LimitExceeded", "TransferError", "UnknownAccount"]
