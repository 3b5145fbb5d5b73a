"""Nothing but the tests speaks for the patch, and it changes calls that no test makes."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import (
    CallOrigin,
    Difference,
    Hung,
    Raised,
    Returned,
    Rung,
    is_unfit,
    rung_between,
)
from analysis.calls import AgainstOld
from analysis.facts import TestId
from repair.checks.check import Behaved, Check, departed, told_apart
from repair.checks.rival import RivalKind

MANY = 3
"""So many tests that a find mends say more than one, where they make so many different calls."""


def find(found: Behaved) -> Difference | None:
    """The most ordinary call that changes and that no test makes.

    A failing call that raised says by itself what is wrong, and where. A wrong value says less, and so does a call that
    could not be repeated: of 27 such finds that nothing else spoke for twelve were wrong. That another find does the
    same says nothing (decision 200); but of three that mended three tests or more none was wrong. What is written for a
    patch, or stands beside it, is asked elsewhere.

    Example: ``hand_value`` counts one ace too many with ``if``, and with ``while`` it passes all tests. Then it takes
    10 from ``['K', 'Q', '5', 'A']`` twice.
    """
    departures = found.old.departures
    tested = [each for each in departures if each.call.is_tested]
    wrong = [each for each in tested if isinstance(each.other, Returned)]
    all_raised = bool(tested) and not wrong
    if all_raised or (len(found.failing) >= MANY and len({each.call.source for each in wrong}) >= MANY):
        return None
    fresh = [each for each in departures if not (each.call.is_tested or is_unfit(each.other))]
    return min(fresh, key=lambda each: _rank(each, found), default=None)


def _rank(each: Difference, found: Behaved) -> tuple[bool, bool, bool, int]:
    """What tells most comes first: ends far apart, an ordinary call, one that nothing had found fault with."""
    alike = rung_between(each.mine, each.other) <= Rung.NEAR
    return alike, not each.ordinary, found.fix.has_symptom(each.other), len(each.call.source)


_MENDED = departed("hand_value(['A', 'A', '9'])", Returned("31"), Returned("21"), CallOrigin.MADE)
_FRESH = departed("hand_value(['K', 'Q', '5', 'A'])", Returned("26"), Returned("16"))
_ALONE = Behaved(AgainstOld(departures=(_MENDED, _FRESH)))
_PREDICATE = (
    departed("may('ann')", Returned("True"), Returned("False"), CallOrigin.MADE),
    departed("may('zoe')", Returned("True"), Returned("False")),
)
_NEAR = departed("hand_value(['K'])", Returned("10.0"), Returned("10"))
_APART = replace(_FRESH, other=Returned("26"))
_SEVERAL = tuple(
    departed(f"hand_value(['A', 'A', '{n}'])", Returned(str(n + 22)), Returned(str(n + 12)), CallOrigin.MADE)
    for n in range(2, 2 + MANY)
)
_MANY_TESTS = tuple(TestId(f"test_hands.py::test_{n}") for n in range(MANY))

CHECK = Check(
    "tests_alone",
    "nothing but the tests speaks for it, and it changes calls that no test makes",
    find,
    flagged=(
        _ALONE,
        replace(_ALONE, rivals=(told_apart(RivalKind.CANDIDATE, _APART),)),
        replace(_ALONE, rivals=(told_apart(RivalKind.NUMBER), told_apart(RivalKind.MUTANT))),
        replace(_ALONE, rivals=(told_apart(RivalKind.CANDIDATE),)),
        Behaved(AgainstOld(departures=_PREDICATE), rivals=(told_apart(RivalKind.CANDIDATE),)),
        Behaved(AgainstOld(departures=(_MENDED, _NEAR, _FRESH))),
        replace(_ALONE, failing=_MANY_TESTS),
        Behaved(AgainstOld(departures=(_FRESH,))),
        Behaved(AgainstOld(departures=(_MENDED, replace(_MENDED, other=Raised("KeyError", "'A'")), _FRESH))),
    ),
    clean=(
        Behaved(AgainstOld(departures=(_MENDED,))),
        Behaved(AgainstOld(departures=(*_SEVERAL, _FRESH)), failing=_MANY_TESTS),
        Behaved(AgainstOld(departures=(replace(_MENDED, other=Raised("KeyError", "'A'")), _FRESH))),
        Behaved(AgainstOld(departures=(replace(_MENDED, other=Hung(1.0)), _FRESH))),
    ),
    other="as before",
)
