"""Nothing but the tests speaks for the patch, and it changes calls that no test makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from analysis.behaviour import (
    Behaviour,
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
from repair.checks.check import PASSING, Behaved, Check, departed, told_apart
from repair.checks.rival import RivalKind
from repair.records.witness_text import is_odd, is_readable

MOST_COMPARED, MOST_KNOWN = 60, 6
"""Changed calls, and calls of tests, that are held against each other."""

MOST_LETTERS = 160
"""What is looked at of the text of each."""

MANY = 3
"""So many tests that a find mends say more than one, where they make so many different calls."""


def find(found: Behaved) -> Difference | None:
    """Of the changed calls that no test makes, an ordinary one that is least like the changed calls of tests.

    What is like a failing test's call tells no more than that test did. Of 8 wrong finds with a call that shows it, the
    shortest one showed it for three. The one least like the tests' did for five (2026-11-29).

    A failing call that raised says by itself what is wrong, and where. A wrong value says less, and so does a call that
    could not be repeated. Of 27 such finds twelve were wrong. That another find does the same says nothing (decision
    200); but of three that mended three tests or more none was wrong. What is written for a patch, or stands beside it,
    is asked elsewhere. Answers of a person are no tests here: a find is fitted to them too.

    Where there is none, a call that has a test's arguments and another state is asked about.

    Example: ``hand_value`` counts one ace too many with ``if``, and with ``while`` it passes all tests. Then it takes
    10 from ``['K', 'Q', '5', 'A']`` twice.
    """
    departures = found.old.departures
    mended = set(found.failing) - set(found.answers)
    by_tests = [each for each in departures if each.call.is_made and each.call.test in mended]
    wrong = [each for each in by_tests if isinstance(each.other, Returned)]
    all_raised = bool(by_tests) and not wrong
    if all_raised or (len(mended) >= MANY and len({each.call.identity for each in wrong}) >= MANY):
        return None
    usable = [each for each in departures if not (each.call.is_made or is_unfit(each.other))]
    fresh = [each for each in usable if not each.call.is_tested] or [e for e in usable if _is_on_objects(e.call)]
    if not fresh:
        return None
    least = min(_rank(each, found) for each in fresh)
    first = sorted((e for e in fresh if _rank(e, found) == least), key=lambda each: len(each.call.source))
    known = [each.call.source for each in departures if each.call.is_made]
    alike = _Likeness(known[:MOST_KNOWN])
    return min(first[:MOST_COMPARED], key=lambda each: alike.of(each.call.source))


def _is_on_objects(call: Call) -> bool:
    """Whether a state is a part of it, which may be another one than in the test whose arguments it has."""
    return bool(call.context) or re.search(r"\w\(", call.arguments) is not None


def _rank(each: Difference, found: Behaved) -> tuple[bool, bool, bool, bool]:
    """What tells most: ends far apart, an ordinary call, one that nothing had found fault with, one soon read."""
    alike = rung_between(each.mine, each.other) <= Rung.NEAR
    strange = not each.ordinary or is_odd(each.call.source)
    return alike, strange, found.fix.has_symptom(each.other), not is_readable(each)


class _Likeness:
    """How like a call is to the likest of the known ones, from 0 to 1 (Ratcliff and Metzener, 1988)."""

    def __init__(self, known: Sequence[str]) -> None:
        self._known = [SequenceMatcher(None, "", each[:MOST_LETTERS], False) for each in dict.fromkeys(known)]

    def of(self, source: str) -> float:
        """The likeness of their first letters."""
        found = 0.0
        for each in self._known:
            each.set_seq1(source[:MOST_LETTERS])
            if each.quick_ratio() > found:
                found = max(found, each.ratio())
        return found


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
_MANY_TESTS = tuple(TestId(f"test_hands.py::test_{n}") for n in range(MANY))


def _made_by(test: TestId, source: str, old: Behaviour) -> Difference:
    change = departed(source, old, Returned("12"), CallOrigin.MADE)
    return replace(change, call=replace(change.call, test=test))


_SEVERAL = tuple(_made_by(test, f"hand_value(['A', '{n}'])", Returned("22")) for n, test in enumerate(_MANY_TESTS))
_ALIKE = tuple(_made_by(test, "hand_value(['A'])", Returned("22")) for test in _MANY_TESTS)
_OF_PASSING = _made_by(PASSING, "hand_value(['B'])", Raised("KeyError", "'B'"))
_STATE_RAISED = replace(_STATE, other=Raised("KeyError", "'A'"))
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
        Behaved(AgainstOld(departures=(*_ALIKE, _STATE, _FRESH)), failing=_MANY_TESTS),
        Behaved(AgainstOld(departures=(_OF_PASSING, _FRESH))),
        Behaved(AgainstOld(departures=(_STATE_RAISED, _FRESH))),
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
