"""A call that the old function refused on purpose is no longer refused."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Raised, Returned
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """A call of no test that ended in an exception which a ``raise`` of the project made, and now gives a value.

    Not where the failing tests' calls ended in the same exception: then it is what the fix is about.

    Example: ``withdraw(-5)`` raised ``ValueError``, and takes money with the patch.
    """
    lost = [
        each
        for each in found.old.departures
        if not each.call.is_tested
        and isinstance(each.other, Raised)
        and not each.other.incidental
        and isinstance(each.mine, Returned)
        and not found.fix.has_symptom(each.other)
    ]
    return min(lost, key=lambda each: (not each.ordinary, len(each.call.source)), default=None)


_LOST = departed("withdraw(-5)", Raised("ValueError", "'negative'"), Returned("None"))
_ASKED = departed("withdraw(0)", Raised("ValueError", "'negative'"), Returned("None"), CallOrigin.MADE)


def _with(*departures: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=departures))


CHECK = Check(
    "lost_refusal",
    "a call that was refused on purpose is no longer refused",
    find,
    flagged=(_with(_LOST), _with(replace(_ASKED, other=Returned("5")), _LOST)),
    clean=(
        _with(_ASKED, _LOST),
        _with(_ASKED),
        _with(replace(_LOST, mine=Raised("KeyError", "5"))),
        _with(replace(_LOST, other=Raised("TypeError", "'x'", incidental=True))),
        _with(replace(_LOST, other=Returned("1"))),
    ),
)
