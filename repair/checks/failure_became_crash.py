"""A call that failed as the failing tests' calls did crashes in another way now."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Raised, Returned, is_programming_error, symptom_of
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """The shortest call of no test whose failure became an exception that a slip of the program makes.

    Where a call that a test makes ends in that exception, the exception is asked for.

    Example: ``width('x2')`` raised ``ValueError`` as in the failing test, and raises ``IndexError`` with the patch.
    """
    asked_for = {symptom_of(each.mine) for each in found.old.made}
    crashed = [
        each
        for each in found.old.departures
        if each.is_accident
        and not each.call.is_made
        and is_programming_error(each.mine)
        and found.fix.has_symptom(each.other)
        and symptom_of(each.mine) not in {symptom_of(each.other), *asked_for}
    ]
    return min(crashed, key=lambda each: (not each.ordinary, len(each.call.source)), default=None)


_MENDED = departed("width('2')", Raised("ValueError", "'2'"), Returned("2"), CallOrigin.MADE)
_CRASH = departed("width('.2')", Raised("ValueError", "'.2'"), Raised("IndexError", "'out of range'", incidental=True))


def _with(*departures: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=departures))


CHECK = Check(
    "failure_became_crash",
    "a call that failed as the failing tests' calls did now crashes in another way",
    find,
    flagged=(_with(_MENDED, _CRASH), _with(_MENDED, replace(_CRASH, ordinary=False))),
    clean=(
        _with(_MENDED),
        _with(_CRASH),  # nobody knows what the failure was
        _with(_MENDED, replace(_CRASH, mine=Raised("IndexError", "'out of range'"))),  # the program raises it
        _with(_MENDED, replace(_CRASH, mine=Returned("2"))),
        _with(_MENDED, replace(_CRASH, other=Returned("2"))),
        _with(_MENDED, replace(_CRASH, mine=Raised("ZeroDivisionError", "'by zero'", incidental=True))),
        _with(replace(_MENDED, mine=Raised("IndexError", "'no such'")), _CRASH),  # the tests ask for it
    ),
)
