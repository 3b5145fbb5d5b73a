"""Summaries and text output of schedules."""
from __future__ import annotations

from decimal import Decimal

from .loan import Instalment, Loan, amortise
from .money import show


def total_interest(rows: list[Instalment]) -> Decimal:
    return sum((row.interest for row in rows), Decimal(0))


def total_paid(rows: list[Instalment]) -> Decimal:
    return sum((row.payment for row in rows), Decimal(0))


def interest_saved(loan: Loan, extra: Decimal) -> Decimal:
    """How much interest overpaying by ``extra`` a month saves."""
    return total_interest(amortise(loan)) - total_interest(amortise(loan, extra))


def by_year(rows: list[Instalment]) -> list[tuple[int, Decimal, Decimal]]:
    """(year, interest, principal) for each started year of the schedule."""
    years: dict[int, list[Decimal]] = {}
    for row in rows:
        year = (row.number - 1) // 12 + 1
        sums = years.setdefault(year, [Decimal(0), Decimal(0)])
        sums[0] += row.interest
        sums[1] += row.principal
    return [(year, i, p) for year, (i, p) in sorted(years.items())]


def as_text(rows: list[Instalment]) -> str:
    lines = [f"{'No':>4} {'Payment':>12} {'Interest':>12} {'Balance':>14}"]
    for row in rows:
        lines.append(
            f"{row.number:>4} {show(row.payment):>12} {show(row.interest):>12} {show(row.balance):>14}"
        )
    return "\n".join(lines)
