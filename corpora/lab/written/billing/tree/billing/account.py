from datetime import date

from .plans import plan
from .proration import change_charge, days_in_month, remaining_days, share


class Account:
    """A customer with one plan and a list of charges."""

    def __init__(self, owner: str, code: str, start: date):
        self.owner = owner
        self.plan = plan(code)
        self.charges: list[tuple[date, str, int]] = []
        first = share(self.plan.monthly_cents, remaining_days(start), days_in_month(start))
        self._charge(start, f"start {code}", first)

    def _charge(self, on: date, text: str, cents: int) -> None:
        if cents:
            self.charges.append((on, text, cents))

    def change(self, code: str, on: date) -> int:
        """Move to another plan and return what it costs this month."""
        new = plan(code)
        if new == self.plan:
            raise ValueError("that is the plan already")
        cost = change_charge(self.plan, new, on)
        self._charge(on, f"change to {code}", cost)
        self.plan = new
        return cost

    def bill_month(self, on: date) -> None:
        if on.day != 1:
            raise ValueError("bills are made on the first")
        self._charge(on, self.plan.code, self.plan.monthly_cents)

    def total(self) -> int:
        return sum(c for _, _, c in self.charges)
