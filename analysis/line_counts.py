"""How much work two programs do on the same calls, in executed lines, and when the new one does too much.

Only calls on which both agree say anything: what an old function left out because of its fault, it did not do. And a
fix may need one more loop: growth is a doubt where it is steeper by half an order and clearly more than linear.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

GROSS = 10.0
"""So many times the lines of the old function are gross, on the calls that tests make."""

LEAST_LINES = 1000
"""Fewer lines than these more are never too many."""

STEEP, STEEPER = 1.5, 0.5
"""The new function's order of growth that is a doubt, and by how much it exceeds the old one's."""

ENDED_STEEP = 2.0
"""The same where the new function had to be ended, so that only a lower bound is known."""


@dataclass(frozen=True, slots=True)
class LineCounts:
    """Executed lines of one call; ``own`` are those in the project's files. ``ended``: it was stopped there."""

    lines: int
    own: int
    ended: bool = False


@dataclass(frozen=True, slots=True)
class LineCountsPair:
    """One call of both programs. ``place`` is what grew ``factor`` times, empty for a call as a ``test`` made it."""

    call: str
    old: LineCounts
    new: LineCounts
    agree: bool
    place: str = ""
    factor: int = 1
    test: str = ""

    @property
    def is_unfinished(self) -> bool:
        """Whether the new program alone was ended, so that nobody saw what it would give."""
        return self.new.ended and not self.old.ended


@dataclass(frozen=True, slots=True)
class WorkReport:
    """All calls of tests that were weighed, and series of growing ones; ``failures`` say what was left out."""

    calls: tuple[LineCountsPair, ...] = ()
    series: tuple[tuple[LineCountsPair, ...], ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def agreeing_pairs(self) -> tuple[LineCountsPair, ...]:
        """The calls of tests on which both programs agree."""
        return tuple(call for call in self.calls if call.agree)

    def trust_unfinished(self, tests: Collection[str]) -> WorkReport:
        """The report with unfinished calls taken for agreeing where one of these tests made them.

        These are tests that pass with either program.
        """
        known = (replace(c, agree=True) if c.is_unfinished and c.test in tests else c for c in self.calls)
        return replace(self, calls=tuple(known))


@dataclass(frozen=True, slots=True)
class Excess:
    """Where the new program does too much. ``orders`` say how old and new grow, zero where that is not the point."""

    shown: LineCountsPair
    orders: tuple[float, float] = (0.0, 0.0)


def excess(report: WorkReport) -> Excess | None:
    """The clearest excess of work, ``None`` where there is none."""
    # Lines of the project alone: the fixed price of a library's call is no gross work.
    calls = report.agreeing_pairs
    old, new = sum(call.old.own for call in calls), sum(call.new.own for call in calls)
    if new > GROSS * old and new - old >= LEAST_LINES:
        return Excess(max(calls, key=lambda call: (call.new.own - call.old.own, call.call)))
    return _steep(report.series)


def _steep(series: Sequence[Sequence[LineCountsPair]]) -> Excess | None:
    # How the old function grows, also where the two differ: what it does there is usual for it.
    usual = 0.0
    for row in series:
        ends = zip(row, row[2:], strict=False)
        orders = (_order(first.old.lines, last.old.lines, 4) for first, last in ends if not last.old.ended)
        usual = max([usual, *orders])
    found = [each for row in series for each in _steeper(row, usual)]
    return max(found, key=lambda e: (round(e.orders[1] - e.orders[0], 1), e.shown.new.lines), default=None)


def _steeper(row: Sequence[LineCountsPair], usual: float) -> Iterator[Excess]:
    for place in range(1, len(row)):
        last, before = row[place], row[place - 1]
        if last.is_unfinished and before.agree:
            old = max(usual, _order(before.old.lines, last.old.lines, 2))
            orders = old, _order(before.new.lines, last.new.lines, 2)
            steep, steeper = ENDED_STEEP, 2 * STEEPER
        elif place > 1 and all(each.agree for each in row[place - 2 : place + 1]):
            orders = usual, _order(row[place - 2].new.lines, last.new.lines, 4)
            steep, steeper = STEEP, STEEPER
        else:
            continue
        more = last.new.lines - last.old.lines
        if orders[1] >= steep and orders[1] - orders[0] >= steeper and more >= LEAST_LINES:
            yield Excess(last, orders)


def _order(few: int, many: int, times: int) -> float:
    """The exponent with which the lines grow while the input grows so many times."""
    return math.log(max(many, 1) / max(few, 1), times)
