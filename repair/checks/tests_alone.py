"""Nothing but the tests speaks for the patch, and it changes calls that no test makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from analysis.behaviour import (
    Call,
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
from repair.records.witness_text import is_odd, is_readable

MOST_COMPARED, MOST_KNOWN = 60, 6
"""Changed calls, and calls of tests, that are held against each other."""

MANY = 3
"""So many tests that a find mends say more than one, where they make so many different calls."""


def find(found: Behaved) -> Difference | None:
    """Of the calls that change and that no test makes, an ordinary one that is least like those of the tests.

    What is like a failing test's call tells no more than that test did. Of 8 wrong finds with a call that shows it, the
    shortest one showed it for three. The one least like the tests' did for five (2026-11-29).

    A failing call that raised says by itself what is wrong, and where. A wrong value says less, and so does a call that
    could not be repeated. Of 27 such finds twelve were wrong. That another find does the
    same says nothing (decision 200); but of three that mended three tests or more none was wrong. What is written for a
    patch, or stands beside it, is asked elsewhere. Answers of a person are no tests here: a find is fitted to them too.

    Where there is none, a call that has a test's arguments and another state is asked about.

    Example: ``hand_value`` counts one ace too many with ``if``, and with ``while`` it passes all tests. Then it takes
    10 from ``['K', 'Q', '5', 'A']`` twice.
    """
    departures = found.old.departures
    tested = [each for each in departures if each.call.is_tested]
    by_tests = [each for each in tested if each.call.test not in found.answers]
    wrong = [each for each in by_tests if isinstance(each.other, Returned)]
    all_raised = bool(by_tests) and not wrong
    mended = set(found.failing) - set(found.answers)
    if all_raised or (len(mended) >= MANY and len({each.call.source for each in wrong}) >= MANY):
        return None
    usable = [each for each in departures if not (each.call.is_made or is_unfit(each.other))]
    fresh = [each for each in usable if not each.call.is_tested] or [e for e in usable if _is_on_objects(e.call)]
    known = [each.call.source for each in tested if each.call.is_made or not any(t.call.is_made for t in tested)]
    first = sorted(fresh, key=lambda each: (*_rank(each, found), len(each.call.source)))[:MOST_COMPARED]
    return min(first, key=lambda each: (*_rank(each, found), _likeness(each.call.source, known)), default=None)


def _is_on_objects(call: Call) -> bool:
    """Whether a state is a part of it, which may be another one than in the test whose arguments it has."""
    return bool(call.context) or "(" in call.arguments[1:]


def _rank(each: Difference, found: Behaved) -> tuple[bool, bool, bool, bool]:
    """What tells most: ends far apart, an ordinary call, one that nothing had found fault with, one soon read."""
    alike = rung_between(each.mine, each.other) <= Rung.NEAR
    strange = not each.ordinary or is_odd(each.call.source)
    return alike, strange, found.fix.has_symptom(each.other), not is_readable(each)


def _likeness(source: str, known: Sequence[str]) -> float:
    """How like the call is to the likest of the known ones, from 0 to 1 (Ratcliff and Metzener, 1988)."""
    return max((SequenceMatcher(None, source, each, False).ratio() for each in known[:MOST_KNOWN]), default=0.0)


_MENDED = departed("hand_value(['A', 'A', '9'])", Returned("31"), Returned("21"), CallOrigin.MADE)
_FRESH = departed("hand_value(['K', 'Q', '5', 'A'])", Returned("26"), Returned("16"))
_ALONE = Behaved(AgainstOld(departures=(_MENDED, _FRESH)))
_LIKE = departed("hand_value(['A', 'A'])", Returned("22"), Returned("12"))
_STATE = replace(_FRESH, call=replace(_FRESH.call, origin=CallOrigin.LIKE_TEST, context="on Table(ace=1)"))
_DEFAULTS = replace(_FRESH, call=replace(_FRESH.call, origin=CallOrigin.LIKE_TEST))
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

_ANSWERED = replace(_MENDED, call=replace(_MENDED.call, test=_MANY_TESTS[1]))

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
        Behaved(AgainstOld(departures=(_MENDED, _LIKE, _FRESH))),
        Behaved(AgainstOld(departures=(_MENDED, _STATE))),
        Behaved(AgainstOld(departures=(*_SEVERAL, _FRESH)), failing=_MANY_TESTS, answers=_MANY_TESTS[1:]),
        Behaved(AgainstOld(departures=(_MENDED, replace(_MENDED, other=Raised("KeyError", "'A'")), _FRESH))),
    ),
    clean=(
        Behaved(AgainstOld(departures=(_MENDED,))),
        Behaved(AgainstOld(departures=(_MENDED, _DEFAULTS))),
        Behaved(AgainstOld(departures=(*_SEVERAL, _FRESH)), failing=_MANY_TESTS),
        Behaved(AgainstOld(departures=(replace(_MENDED, other=Raised("KeyError", "'A'")), _FRESH))),
        Behaved(AgainstOld(departures=(replace(_MENDED, other=Hung(1.0)), _FRESH))),
        Behaved(AgainstOld(departures=(replace(_MENDED, other=Hung(1.0)), _ANSWERED, _FRESH)), answers=_MANY_TESTS[1:]),
    ),
    other="as before",
)
