from .currency import Currency, currency
from .money import Money

__all__ = ["Currency", "Money", "currency"]
