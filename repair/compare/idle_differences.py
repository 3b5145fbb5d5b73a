"""Differences between a patch and a rival that are nothing to hold against the patch."""

from __future__ import annotations

import ast
import contextlib
import re
from math import isclose

from analysis.behaviour import Behaviour, Call, Difference, Raised, Returned, symptom_of
from analysis.calls import MOST_DEPARTURES, AgainstOld

_POINT = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+))(?![\w.])")
"""Splits a text so that every other piece is a number with a point."""


def brings_back(found: AgainstOld, difference: Difference) -> bool:
    """Whether a rival ends a call as the failing tests' calls ended, where the patch and the old function mend it.

    Example: the failing tests' calls returned ``''`` and return ``'-'`` with the patch. For another call the old
    function and the patch return ``'-'``, and the rival returns ``''``.
    """
    symptoms, mended = {each.other for each in found.made}, {each.mine for each in found.made}
    return is_unchanged(found, difference.call) and difference.other in symptoms and difference.mine in mended


def is_rounding(difference: Difference) -> bool:
    """Whether two programs give the same but for what lies behind the ninth digit of numbers with a point.

    Example: 0.30000000000000004 and 0.3 differ by rounding, 0.3 and 0.31 do not.
    """
    if type(difference.mine) is not type(difference.other):
        return False
    one, other = _text_of(difference.mine), _text_of(difference.other)
    if one is None or other is None or one == other:
        return False
    ours, theirs = _POINT.split(one), _POINT.split(other)
    return len(ours) == len(theirs) and all(
        a == b or (n % 2 == 1 and isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12))
        for n, (a, b) in enumerate(zip(ours, theirs, strict=True))
    )


def _text_of(behaviour: Behaviour) -> str | None:
    """All that can be seen of how a call ended; ``None`` where a part of it was left out."""
    match behaviour:
        case Returned(value, True, left):
            text = f"{value} {left}"
        case Raised(name, message, True, left):
            text = f"{name} {message} {left}"
        case _:
            return None
    return None if "…" in text else text


def is_incidental_crash(found: AgainstOld, difference: Difference) -> bool:
    """Whether patch and old function, or patch and rival, end a call in an exception that nobody raised on purpose.

    It must not be the exception in which the mended calls of the tests ended. What another program does with such a
    call is nothing to hold against the patch.

    Example: ``area(None)`` raises ``TypeError`` before and after the patch, and a mutant returns 0.
    """
    symptoms = {symptom_of(each.other) for each in found.made}
    crashes = difference.is_accident and symptom_of(difference.mine) not in symptoms
    return crashes and (isinstance(difference.other, Raised) or is_unchanged(found, difference.call))


def is_unchanged(found: AgainstOld, call: Call) -> bool:
    """Whether the patch is known to do with the call what the old function did: both give 2 for ``f(1)``.

    It is not known where ``found`` lists as many departures as it has room for: there may be more.
    """
    return len(found.departures) < MOST_DEPARTURES and found.departure(call) is None


def keeps_old_message(found: AgainstOld, difference: Difference) -> bool:
    """Whether patch and rival raise the same exception, and the patch alone says in it what the old function said.

    Tests that wait for another kind of exception ask for no other message.

    Example: ``KeyError('no unit')`` was raised, a test asks for ``ValueError``, and the patch raises
    ``ValueError('no unit')``. A rival raises ``ValueError('')``.
    """
    departure = found.departure(difference.call)
    old = departure.other if departure is not None else None
    if departure is None and is_unchanged(found, difference.call):
        old = difference.mine
    match difference.mine, difference.other, old:
        case Raised(mine, whole=True, left=""), Raised(other, left=""), Raised() if mine == other:
            return _words_of(old) == _words_of(difference.mine)
    return False


def _words_of(raised: Raised) -> str:
    """What an exception says; a ``KeyError`` shows its one argument as a program writes it."""
    said = raised.message
    for _ in range(2 if raised.type == "KeyError" else 1):
        with contextlib.suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            said = str(ast.literal_eval(said))
    return said
