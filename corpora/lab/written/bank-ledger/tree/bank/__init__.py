from .errors import AccountClosed, LedgerError, LimitExceeded, UnknownAccount
from .ledger import Ledger

__all__ = ["AccountClosed", "Ledger", "LedgerError", "LimitExceeded", "UnknownAccount"]
