"""Subscriptions and the invoices that follow from them."""
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import count
from typing import List, Optional, Tuple

from .periods import BillingPeriod, add_months
from .plans import Plan


class BillingError(Exception):
    pass


@dataclass(frozen=True)
class InvoiceLine:
    text: str
    amount: Decimal


@dataclass
class Invoice:
    number: int
    customer: str
    lines: List[InvoiceLine] = field(default_factory=list)

    @property
    def total(self):
        return sum((line.amount for line in self.lines), Decimal("0.00"))


@dataclass
class Subscription:
    customer: str
    plan: Plan
    period: BillingPeriod
    seats: int = 1
    cancelled_on: Optional[date] = None
    pending: List[InvoiceLine] = field(default_factory=list)
    # (day, code of the old plan, code of the new plan)
    history: List[Tuple[date, str, str]] = field(default_factory=list)

    def price(self):
        """What one full period costs for all seats."""
        return self.plan.price * self.seats


class BillingEngine:
    def __init__(self):
        self._numbers = count(1)
        self.subscriptions = []
        self.invoices = []

    def subscribe(self, customer, plan, start, seats=1):
        """Start a subscription and invoice its first period at once."""
        if seats < 1:
            raise BillingError("at least one seat is needed")
        period = BillingPeriod(start, add_months(start, plan.interval.months))
        sub = Subscription(customer, plan, period, seats)
        self.subscriptions.append(sub)
        self._invoice(sub)
        return sub

    def change_plan(self, sub, new_plan, on, seats=None):
        """Switch a running subscription to another plan on the day ``on``.

        The unused rest of the current period (``on`` included) is credited at
        what was paid for it, and charged again at the price of the new plan and
        the new number of seats (``None``: the seats stay as they are). Both
        lines wait in ``sub.pending`` for the next invoice, the credit first, and
        the change is noted in ``sub.history``.

        Raises BillingError, and leaves the subscription as it is, if it has been
        cancelled, if ``on`` is outside the current period, or if ``seats`` is
        below one.
        """
        if sub.cancelled_on is not None:
            raise BillingError("subscription is cancelled")
        if not sub.period.contains(on):
            raise BillingError(f"{on} is not in the current period")
        if seats is not None and seats < 1:
            raise BillingError("at least one seat is needed")
        old_code = sub.plan.code
        sub.plan = new_plan
        if seats is not None:
            sub.seats = seats
        credit = sub.period.unused(sub.price(), on)
        sub.pending.append(InvoiceLine(f"Unused time on {sub.plan.name}", -credit))
        charge = sub.period.unused(sub.price(), on)
        sub.pending.append(InvoiceLine(f"Remaining time on {sub.plan.name}", charge))
        sub.history.append((on, old_code, new_plan.code))

    def cancel(self, sub, on):
        """Stop the subscription; the unused rest is paid back as a credit."""
        if sub.cancelled_on is not None:
            raise BillingError("already cancelled")
        if not sub.period.contains(on):
            raise BillingError(f"{on} is not in the current period")
        credit = sub.period.unused(sub.price(), on)
        sub.pending.append(InvoiceLine(f"Unused time on {sub.plan.name}", -credit))
        sub.cancelled_on = on
        return self._invoice(sub, renewal=False)

    def renew(self, sub):
        """Move on to the next period and invoice it, with all pending lines."""
        if sub.cancelled_on is not None:
            raise BillingError("subscription is cancelled")
        start = sub.period.end
        sub.period = BillingPeriod(start, add_months(start, sub.plan.interval.months))
        return self._invoice(sub)

    def _invoice(self, sub, renewal=True):
        lines = list(sub.pending)
        sub.pending.clear()
        if renewal:
            lines.append(InvoiceLine(f"{sub.plan.name} x {sub.seats}", sub.price()))
        invoice = Invoice(next(self._numbers), sub.customer, lines)
        self.invoices.append(invoice)
        return invoice
