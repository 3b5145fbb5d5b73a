"""A passing test makes a call itself that now gives something else, and passes all the same."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Returned
from analysis.calls import AgainstOld
from repair.checks.check import FAILING, PASSING, Behaved, Check, departed

_GONE = departed("price('2')", Returned("2"), Returned("3"), CallOrigin.MADE)


def find(found: Behaved) -> Difference | None:
    """The first call of a passing test itself whose visible result changes.

    Example: ``assert price('2')`` holds before and after, and ``price('2')`` gives 3 where it gave 2.
    """
    return next((each for test, each in found.old.recorded if test in found.passing), None)


_FLAGGED = Behaved(AgainstOld(recorded=((PASSING, _GONE),)))

CHECK = Check(
    "noticed_by_tests",
    "{test} passes before and after, and makes a call itself that now gives something else",
    find,
    flagged=(_FLAGGED,),
    clean=(Behaved(), Behaved(AgainstOld(recorded=((FAILING, _GONE),))), replace(_FLAGGED, passing=())),
)
