"""So much changes around the passing tests' calls that these tests pass by chance."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from analysis.behaviour import Difference, Returned
from analysis.calls import AgainstOld, UnchangedNeighbours
from repair.checks.check import FAILING, PASSING, Behaved, Check, departed

LEAST_TRIED = 3
"""Neighbours of a call below which nothing is known of its surroundings."""

UNLIKELY = 1e-4
"""How improbable it must be that no passing test noticed, had each taken its values at random from around there."""


def find(found: Behaved) -> Difference | None:
    """A neighbour of a passing test's call that changes, where so many do that the tests should have noticed.

    Example: a passing test calls ``step(7)``. ``step`` gives something else for 18 of 20 numbers around 7, not for 7
    itself, and so it is around other passing tests' calls.
    """
    known = [each for each in found.old.surroundings if each.test in found.passing and each.tried >= LEAST_TRIED]
    if prod(1 - each.moved / (each.tried + 1) for each in known) >= UNLIKELY:
        return None
    calls = {each.call for each in known if each.moved}
    changed = [each for each in found.old.departures if each.call.given in calls]
    return min(changed, key=lambda each: len(each.call.source), default=None)


_NINE = departed("metric(9)", Returned("'9.00'"), Returned("'9.0'"))


def _around(count: int, moved: int, *, tried: int = 9, failing: bool = False) -> Behaved:
    """So many calls, of the neighbours of each of which so many change."""
    call = _NINE.call.given if moved else ""
    each = UnchangedNeighbours(FAILING if failing else PASSING, tried, moved, call)
    return Behaved(AgainstOld(departures=(_NINE,), surroundings=(each,) * count))


_HALF = _around(14, 5)

CHECK = Check(
    "chance_passes",
    "it changes so much of what lies around the passing tests' calls that these pass by chance",
    find,
    flagged=(_HALF, _around(88, 1)),  # a half of what lies around each: one to sixteen thousand
    clean=(
        _around(13, 5),
        _around(80, 1),
        _around(99, 0),
        _around(99, 1, tried=2),  # too little is known of each
        _around(99, 5, failing=True),
        replace(_HALF, old=replace(_HALF.old, departures=())),  # no witness
    ),
)
