"""Which part of a suite is observed where the whole one takes longer than there is time for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from analysis.facts import InvalidRun, Outcome, TestId

SHARE = 0.6
"""The part takes so much of the time in which the whole did not end, by its pace."""


def nearest_part(late: InvalidRun, wanted: Collection[TestId]) -> tuple[TestId, ...]:
    """The wanted tests, then those around them in their files, then others: six for ten that ended in a run of all.

    ``late`` is that run, which was ended for want of time; tests that hung in it are left out. Nothing, where it does
    not say what there is.
    """
    if not late.partial or not {*wanted} <= {*late.collected}:
        return ()
    most = int(SHARE * len(late.partial))
    gaps = _gaps(late.collected, wanted)
    hung = {r.test for r in late.partial if r.outcome is Outcome.HANG} | ({late.running} if not late.late else set())
    free = [test for test in late.collected if test in wanted or test not in hung]
    near = sorted(free, key=lambda test: (test not in wanted, gaps[test]))
    kept = {*near[: max(most, len(wanted))]}
    return tuple(test for test in late.collected if test in kept)


def _gaps(collected: Sequence[TestId], wanted: Collection[TestId]) -> dict[TestId, tuple[bool, int]]:
    """How far each test stands from the nearest wanted one: whether in another file, and how many tests away."""
    places = [place for place, test in enumerate(collected) if test in wanted]
    files = {_file(collected[place]) for place in places}
    found = {}
    for place, test in enumerate(collected):
        behind = bisect_left(places, place)
        beside = places[max(0, behind - 1) : behind + 1]
        found[test] = (_file(test) not in files, min((abs(place - other) for other in beside), default=0))
    return found


def _file(test: TestId) -> str:
    return test.split("::")[0]
