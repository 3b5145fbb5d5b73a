"""Sharing a bill among friends."""

from .money import Money, total


class Bill:
    def __init__(self, code):
        self.code = code
        self.items = []         # (what, price, {name: weight})

    def add(self, what, price, who):
        """Add an item shared by `who`, a list of names or a dict of weights."""
        if not isinstance(who, dict):
            who = {name: 1 for name in who}
        if not who:
            raise ValueError("somebody has to pay")
        self.items.append((what, Money(price, self.code), dict(who)))

    @property
    def total(self):
        return total((price for _, price, _ in self.items), self.code)

    def shares(self):
        """Who has to pay how much, by name."""
        result = {}
        for _, price, who in self.items:
            parts = price.allocate(list(who.values()))
            for name, part in zip(who, parts):
                result[name] = result.get(name, Money(0, self.code)) + part
        return result

    def instalments(self, n):
        """The total in n monthly instalments."""
        if n < 1:
            raise ValueError("at least one instalment")
        return self.total.allocate([1] * n)
