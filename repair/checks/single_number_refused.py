"""The patch refuses the failing tests' own number, and the numbers on both sides of it are taken."""

from __future__ import annotations

import re

from analysis.behaviour import Call, CallOrigin, CallResult, Raised, Returned
from analysis.calls import AgainstOld
from repair.checks.check import FAILING, PASSING, Behaved, Check, ask_as_before, departed, kept

_LONGEST_NUMBER = 50
"""Digits of a number that is looked at."""


def find(found: Behaved) -> CallResult | None:
    """A number next to the failing tests' that is still taken, where no number but theirs is newly refused.

    A fix that refuses a single number between two that it takes is rarely meant: what is out of bounds goes on.

    Example: the test wants ``month(13)`` to raise, and with the patch ``month(14)`` still returns.
    """
    theirs = {_numbers(each.call) for each in found.old.departures if each.call.is_tested}
    if any(_numbers(each.call) not in theirs for each in found.old.departures):
        return None
    return next((result for test, result in found.old.alone if test in found.failing), None)


def _numbers(call: Call) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"-?\d+", call.given) if len(digits) < _LONGEST_NUMBER)


_REFUSED = Raised("ValueError", "'port 0'")
_ZERO = departed("port('0')", Returned("0"), _REFUSED, CallOrigin.LIKE_TEST)
_BELOW = ((FAILING, kept("port('-1')", Returned("-1"))),)

CHECK = Check(
    "single_number_refused",
    "it refuses the failing tests' own number, and the numbers on both sides of it are taken",
    find,
    flagged=(
        Behaved(AgainstOld(departures=(_ZERO,), alone=_BELOW)),
        Behaved(AgainstOld(departures=(_ZERO, departed("port('000')", Returned("0"), _REFUSED)), alone=_BELOW)),
    ),
    clean=(
        Behaved(AgainstOld(departures=(_ZERO,))),
        Behaved(AgainstOld(departures=(_ZERO, departed("port('-5')", Returned("-5"), _REFUSED)), alone=_BELOW)),
        Behaved(AgainstOld(departures=(_ZERO,), alone=_BELOW), failing=(PASSING,)),
    ),
    question=ask_as_before,
)
