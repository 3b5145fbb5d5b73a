"""Differences between a patch and a rival that are nothing to hold against the patch."""

from __future__ import annotations

import ast
import contextlib

from analysis.behaviour import Call, Difference, Raised, are_numbers_near, symptom_of
from analysis.calls import MOST_DEPARTURES, AgainstOld


def brings_back(found: AgainstOld, difference: Difference) -> bool:
    """Whether a rival ends a call as the failing tests' calls ended, where the patch and the old function mend it.

    Example: the failing tests' calls returned ``''`` and return ``'-'`` with the patch. For another call the old
    function and the patch return ``'-'``, and the rival returns ``''``.
    """
    symptoms, mended = {each.other for each in found.made}, {each.mine for each in found.made}
    return is_unchanged(found, difference.call) and difference.other in symptoms and difference.mine in mended


def is_rounding(difference: Difference) -> bool:
    """Whether two programs give the same but for what lies behind the ninth digit, as 0.1 + 0.2 and 0.3 do."""
    return are_numbers_near(difference.mine, difference.other)


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
