from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Optional

from .money import ZERO, money, percent_of


class VoucherError(Exception):
    """The voucher cannot be redeemed."""


@dataclass(frozen=True)
class Voucher:
    code: str
    min_spend: Decimal = ZERO          # goods subtotal needed, before any discount
    category: Optional[str] = None     # None: every item counts
    valid_until: Optional[date] = None  # last valid day

    kind = "none"

    def is_expired(self, today):
        return self.valid_until is not None and today > self.valid_until

    def eligible(self, items):
        """The part of the goods value this voucher may be used for."""
        return sum(
            (item.line_total for item in items
             if self.category is None or item.category == self.category),
            ZERO,
        )

    def value_for(self, items):
        """What the voucher is worth for these items, looked at alone."""
        raise NotImplementedError


@dataclass(frozen=True)
class PercentVoucher(Voucher):
    percent: Decimal = Decimal("0")

    kind = "percent"

    def value_for(self, items):
        return percent_of(self.eligible(items), self.percent)


@dataclass(frozen=True)
class FixedVoucher(Voucher):
    amount: Decimal = ZERO

    kind = "fixed"

    def value_for(self, items):
        return min(money(self.amount), self.eligible(items))
