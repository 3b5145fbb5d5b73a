"""Amounts of one currency."""

from fractions import Fraction


class Money:
    """An exact amount; whole numbers may stand for amounts of the same currency."""

    def __init__(self, amount, currency="EUR"):
        self.amount = Fraction(amount)
        self.currency = currency

    def _same(self, other):
        if isinstance(other, int):
            return Money(other, self.currency)
        if isinstance(other, Money) and other.currency == self.currency:
            return other
        return None

    def __add__(self, other):
        same = self._same(other)
        return Money(self.amount + same.amount, self.currency) if same is not None else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        same = self._same(other)
        return Money(self.amount - same.amount, self.currency) if same is not None else NotImplemented

    def __rsub__(self, other):
        same = self._same(other)
        return self - same if same is not None else NotImplemented

    def __mul__(self, factor):
        return Money(self.amount * factor, self.currency)

    def __eq__(self, other):
        same = self._same(other)
        return same is not None and same.amount == self.amount

    def __hash__(self):
        return hash((self.amount, self.currency))

    def __repr__(self):
        return f"Money({float(self.amount):.2f} {self.currency})"
