"""A call that was fine, or was refused on purpose, now ends in an exception that nobody raised."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Behaviour, CallOrigin, Difference, Raised, Returned, is_programming_error, symptom_of
from analysis.calls import AgainstOld
from repair.checks.check import PASSING, Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """A call of no test that gave something, or was refused, and now ends in an exception that nobody raised.

    The exception is one that a slip of the program makes (``is_programming_error``). Two other crashes are left out:

    - what the arguments bring about, such as a division by zero or an unknown key: it may come with any new answer;
    - what a call that a test makes itself ends in now.

    A call was refused where a ``raise`` of the project ended it in another exception than the failing tests' calls.

    Example: ``width(None)`` returned 0, and raises ``TypeError`` with the patch. A text without its last quote was a
    syntax error by name, and is an ``IndexError``.
    """
    asked_for = {symptom_of(each.mine) for _, each in found.old.recorded}
    crashed = [
        each
        for each in found.old.departures
        if each.is_accident
        and not each.call.is_tested
        and is_programming_error(each.mine)
        and _was_well(each.other, found)
        and symptom_of(each.mine) not in asked_for
    ]
    return min(crashed, key=lambda each: len(each.call.source), default=None)


def _was_well(behaviour: Behaviour, found: Behaved) -> bool:
    refused = isinstance(behaviour, Raised) and not behaviour.incidental and not is_programming_error(behaviour)
    return isinstance(behaviour, Returned) or (refused and not found.fix.has_symptom(behaviour))


_YEARS = Returned("items [2017, 2018]")
_CRASH = departed("years(9, 5)", _YEARS, Raised("IndexError", "'list index out of range'", incidental=True))
_ASKED = departed("years(2, 1)", Returned("items []"), Raised("IndexError", "'another'"), CallOrigin.MADE)


def _with(*departures: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=departures))


CHECK = Check(
    "new_crash",
    "a call that was fine, or refused on purpose, now ends in an exception that nobody raised",
    find,
    flagged=(
        _with(_CRASH),
        _with(_ASKED, _CRASH),  # the other one is a call within a test's call
        _with(replace(_CRASH, other=Raised("SyntaxFault", "'no last quote'"))),
    ),
    clean=(
        _with(departed("years(2, 1)", Returned("items []"), _YEARS, CallOrigin.MADE)),
        _with(replace(_CRASH, mine=Raised("IndexError", "'list index out of range'"))),  # the program raises it
        _with(departed("years(9, 5)", _YEARS, _CRASH.mine, CallOrigin.LIKE_TEST)),
        _with(replace(_CRASH, other=Raised("ValueError", "'years'", incidental=True))),  # it was not fine
        _with(replace(_CRASH, mine=Raised("ZeroDivisionError", "'division by zero'", incidental=True))),
        _with(replace(_CRASH, mine=Raised("IndexErrors", "'of ours'", incidental=True))),
        Behaved(AgainstOld(departures=(_ASKED, _CRASH), recorded=((PASSING, _ASKED),))),
    ),
)
