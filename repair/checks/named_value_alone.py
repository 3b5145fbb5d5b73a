"""The patch changes calls with one value of the failing tests, which it names, and no other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from analysis.behaviour import CallOrigin, CallResult, Raised, Returned
from analysis.calls import AgainstOld, Tried
from repair.checks.check import PASSING, Behaved, Check, ask_as_before, departed, kept, near


def find(found: Behaved) -> CallResult | None:
    """A call like the failing tests' that is as before, where nothing changes but calls with one value of theirs.

    The patch brings that value in: a text of two letters or more, or a number beyond 2.

    Example: the tests fail for ``plural('mouse')``, the patch reads ``if word == 'mouse'``, and ``plural('louse')`` is
    as before.
    """
    if not found.old.made or not found.tried.is_thorough:
        return None
    named = [repr(value) for value in found.brought_in if _is_telling(value)]
    if not any(all(value in each.call.given for each in found.old.departures) for value in named):
        return None
    spared = [result for around in found.old.neighbours if around.test in found.failing for result in around.spared]
    return next((result for result in spared if isinstance(result.mine, Returned)), None)


def _is_telling(value: Any) -> bool:
    """Whether hardly anybody names the value by accident: ``'mouse'`` and 7 are telling, ``'('`` and 2 are not."""
    return len(value) > 1 if isinstance(value, (str, bytes)) else isinstance(value, (int, float)) and abs(value) > 2


_YES, _NO = Returned("True"), Returned("False")
_TWICE = departed("closed('((')", _YES, _NO, CallOrigin.MADE)
_THRICE = kept("closed('(((')", _YES)
_SPECIAL = Behaved(
    AgainstOld(departures=(_TWICE,), neighbours=near(_THRICE)), Tried(30, reaching=8), brought_in=(7, "((")
)
_NUMBER = departed("closed(77)", _YES, _NO, CallOrigin.MADE)

CHECK = Check(
    "named_value_alone",
    "it changes calls with one value of the failing tests, which it names, and no other",
    find,
    flagged=(_SPECIAL, replace(_SPECIAL, old=replace(_SPECIAL.old, departures=(_NUMBER,)), brought_in=(77,))),
    clean=(
        replace(_SPECIAL, brought_in=()),
        replace(_SPECIAL, brought_in=("(",)),
        replace(_SPECIAL, brought_in=("[[",)),
        replace(_SPECIAL, brought_in=(None, (1, 2))),
        replace(_SPECIAL, tried=Tried(30, reaching=7)),
        replace(
            _SPECIAL,
            old=replace(_SPECIAL.old, departures=(_TWICE, departed("closed('(')", _YES, _NO, CallOrigin.MADE))),
        ),
        replace(_SPECIAL, old=replace(_SPECIAL.old, departures=(departed("closed('((')", _YES, _NO),))),
        replace(_SPECIAL, old=replace(_SPECIAL.old, neighbours=near(kept("closed('(((')", Raised("KeyError", "'x'"))))),
        replace(_SPECIAL, old=replace(_SPECIAL.old, neighbours=near(_THRICE, test=PASSING))),
    ),
    question=ask_as_before,
)
