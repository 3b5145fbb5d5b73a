from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from .money import ZERO, fmt, money
from .vouchers import VoucherError

SHIPPING = Decimal("4.90")
FREE_SHIPPING_FROM = Decimal("50.00")


@dataclass
class Item:
    sku: str
    price: Decimal
    qty: int = 1
    category: str = "general"

    @property
    def line_total(self):
        return money(self.price) * self.qty


class Cart:
    """The shopping cart of one customer."""

    def __init__(self, today=None):
        self.today = today or date.today()
        self.items = []
        self.vouchers = []      # in the order the customer entered them

    def add(self, sku, price, qty=1, category="general"):
        if qty < 1:
            raise ValueError("quantity must be at least 1")
        for item in self.items:
            if item.sku == sku and item.price == money(price):
                item.qty += qty
                return item
        item = Item(sku, money(price), qty, category)
        self.items.append(item)
        return item

    def remove(self, sku):
        before = len(self.items)
        self.items = [i for i in self.items if i.sku != sku]
        if len(self.items) == before:
            raise KeyError(sku)

    def redeem(self, voucher):
        """Enter a voucher. Each code can be used once per cart."""
        if voucher.is_expired(self.today):
            raise VoucherError(f"{voucher.code} has expired")
        if any(v.code == voucher.code for v in self.vouchers):
            raise VoucherError(f"{voucher.code} is already in use")
        self.vouchers.append(voucher)

    def subtotal(self):
        return sum((i.line_total for i in self.items), ZERO)

    def discounts(self):
        """Return a list of (code, amount), one entry per entered voucher.

        Percentages are taken first, then fixed amounts; within a kind the
        order of entry counts.  The list comes in that order, too.  What a
        voucher is worth is always worked out from the undiscounted goods
        (see Voucher.value_for), but all vouchers together can never take
        off more than the goods cost: the voucher that reaches that limit
        is used in part, and those after it are listed with 0.00.  A voucher
        whose min_spend is not reached is listed with 0.00 as well.
        """
        left = self.subtotal()
        result = []
        for voucher in sorted(self.vouchers, key=lambda v: v.kind != "percent"):
            if self.subtotal() < voucher.min_spend:
                amount = ZERO
            else:
                amount = min(voucher.value_for(self.items), left)
            left -= amount
            result.append((voucher.code, amount))
        return result

    def goods_total(self):
        """Goods minus discounts."""
        return self.subtotal() - sum((a for _, a in self.discounts()), ZERO)

    def shipping(self):
        """Shipping is free from 50 EUR of goods after discounts."""
        if not self.items or self.goods_total() >= FREE_SHIPPING_FROM:
            return ZERO
        return SHIPPING

    def total(self):
        return self.goods_total() + self.shipping()

    def receipt(self):
        lines = [f"{i.qty} x {i.sku}  {fmt(i.line_total)}" for i in self.items]
        for code, amount in self.discounts():
            if amount:
                lines.append(f"{code}  -{fmt(amount)}")
        lines.append(f"shipping  {fmt(self.shipping())}")
        lines.append(f"total  {fmt(self.total())}")
        return "\n".join(lines)
