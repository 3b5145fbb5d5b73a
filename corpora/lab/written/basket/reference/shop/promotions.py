"""Promotions.

Each promotion has a ``discount(lines)`` method, which takes the basket lines
and returns the number of pence to take off.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    product: object
    quantity: int

    @property
    def amount(self):
        return self.product.price * self.quantity


class MultiBuy:
    """Buy ``buy`` of a product and pay only for ``pay`` of them ("3 for 2")."""

    def __init__(self, sku, buy, pay):
        if pay >= buy:
            raise ValueError("pay must be smaller than buy")
        self.sku = sku
        self.buy = buy
        self.pay = pay

    def discount(self, lines):
        total = 0
        for line in lines:
            if line.product.sku == self.sku:
                groups = line.quantity // self.buy
                total += groups * (self.buy - self.pay) * line.product.price
        return total


class MixAndMatch:
    """Any ``size`` items out of a category: the cheapest of each group is free.

    Groups are made from the dearest items down, so with size 3 and items
    at 500, 400, 300, 200, 100, 50 the 300 and the 50 are free.  Items left
    over at the end (fewer than ``size``) get nothing off.
    """

    def __init__(self, category, size):
        if size < 2:
            raise ValueError("size must be at least 2")
        self.category = category
        self.size = size

    def discount(self, lines):
        prices = []
        for line in lines:
            if line.product.category == self.category:
                prices.extend([line.product.price] * line.quantity)
        prices.sort(reverse=True)
        return sum(prices[self.size - 1::self.size])


class PercentOff:
    """Percentage off the rest of the bill, above a minimum spend."""

    def __init__(self, percent, minimum=0):
        if not 0 < percent <= 100:
            raise ValueError("percent must be in (0, 100]")
        self.percent = percent
        self.minimum = minimum

    def discount(self, lines):
        amount = sum(line.amount for line in lines)
        if amount < self.minimum:
            return 0
        return amount * self.percent // 100
