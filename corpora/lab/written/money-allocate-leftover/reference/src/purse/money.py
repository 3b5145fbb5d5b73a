"""Amounts of money that never turn into floats."""

from decimal import Decimal, ROUND_DOWN, ROUND_HALF_EVEN
from functools import total_ordering

from .currency import currency


class CurrencyMismatch(TypeError):
    pass


@total_ordering
class Money:
    """An amount in a currency, always rounded to its smallest unit."""

    __slots__ = ("amount", "currency")

    def __init__(self, amount, code):
        if isinstance(amount, float):
            raise TypeError("no floats, please")
        self.currency = currency(code)
        self.amount = Decimal(amount).quantize(
            self.currency.unit, rounding=ROUND_HALF_EVEN
        )

    def __repr__(self):
        return f"Money('{self.amount}', '{self.currency.code}')"

    def __str__(self):
        return f"{self.amount:,} {self.currency.code}"

    def _same(self, other):
        if not isinstance(other, Money) or other.currency != self.currency:
            raise CurrencyMismatch(f"{self!r} and {other!r}")
        return other.amount

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return (self.amount, self.currency) == (other.amount, other.currency)

    def __hash__(self):
        return hash((self.amount, self.currency))

    def __lt__(self, other):
        return self.amount < self._same(other)

    def __add__(self, other):
        return Money(self.amount + self._same(other), self.currency)

    def __sub__(self, other):
        return Money(self.amount - self._same(other), self.currency)

    def __neg__(self):
        return Money(-self.amount, self.currency)

    def __mul__(self, factor):
        if isinstance(factor, float):
            raise TypeError("no floats, please")
        return Money(self.amount * factor, self.currency)

    __rmul__ = __mul__

    def __bool__(self):
        return bool(self.amount)

    def allocate(self, ratios):
        """Split the amount in proportion to `ratios`; nothing gets lost.

        All parts are first rounded towards zero to the smallest unit of the
        currency. The units that are left over then go to the parts one by
        one, in the order given. A part with ratio 0 always gets nothing.
        Refunds (negative amounts) are split in the same way. The list of
        ratios is not changed.

        >>> Money("100", "EUR").allocate([1, 1])
        [Money('50.00', 'EUR'), Money('50.00', 'EUR')]
        """
        if not ratios or sum(ratios) == 0 or any(r < 0 for r in ratios):
            raise ValueError("need at least one positive ratio")
        unit = self.currency.unit
        total = sum(ratios)
        parts = []
        for ratio in ratios:
            part = self.amount * ratio / total
            parts.append(part.quantize(unit, rounding=ROUND_DOWN))
        leftover = self.amount - sum(parts)
        step = unit.copy_sign(self.amount)
        for i, ratio in enumerate(ratios):
            if ratio and leftover:
                parts[i] += step
                leftover -= step
        return [Money(part, self.currency) for part in parts]

    def convert(self, code, rates):
        """Convert with `rates`, the value of one unit of a currency in EUR."""
        target = currency(code)
        in_euro = self.amount * rates[self.currency.code]
        return Money(in_euro / rates[target.code], target)


def total(moneys, code):
    """Sum of amounts that all have this currency."""
    result = Money(0, code)
    for money in moneys:
        result = result + money
    return result
