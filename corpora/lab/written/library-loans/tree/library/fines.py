"""Fine rules. All amounts are in cents."""
from dataclasses import dataclass
from datetime import date

from .models import Loan


@dataclass(frozen=True)
class FineRule:
    per_day: int
    grace_days: int
    cap: int


RULES = {
    "book": FineRule(per_day=20, grace_days=3, cap=1000),
    "dvd": FineRule(per_day=100, grace_days=1, cap=1500),
    "magazine": FineRule(per_day=10, grace_days=0, cap=300),
}
DEFAULT_RULE = FineRule(per_day=20, grace_days=0, cap=500)


def rule_for(kind: str) -> FineRule:
    return RULES.get(kind, DEFAULT_RULE)


def late_days(loan: Loan, on: date) -> int:
    """Days past the due date, never negative.

    A loan that came back stops the clock on its return date.
    """
    end = loan.returned or on
    return max(0, (end - loan.due).days)


def fine_for(loan: Loan, on: date) -> int:
    """The fine that is owed for ``loan`` on the day ``on``.

    Coming back up to ``grace_days`` late costs nothing. After the grace
    period every late day counts, the days of grace included, up to the cap.
    """
    rule = rule_for(loan.item.kind)
    days = late_days(loan, on)
    if days < rule.grace_days:
        return 0
    return min(days * rule.per_day, rule.cap)
