"""A call that was fine turns the other way round than the failing tests' calls do."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Raised, Returned
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """A call of no failing test that ended as the mended calls end now, and ends as these did.

    Example: the failing tests' calls said ``True`` and say ``False`` with the patch. Another one said ``False``, and
    says ``True``: a permission too many.
    """
    ways = {(each.other, each.mine) for each in found.old.made}
    turned = [each for each in found.old.departures if not each.call.is_tested and (each.mine, each.other) in ways]
    return min(turned, key=lambda each: (not each.ordinary, len(each.call.source)), default=None)


_YES, _NO = Returned("True"), Returned("False")
_MENDED = departed("may('root')", _YES, _NO, CallOrigin.MADE)
_TURNED = departed("may('guest')", _NO, _YES)


def _with(*departures: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=departures))


CHECK = Check(
    "turned_back",
    "a call turns the other way round than the failing tests' calls do",
    find,
    flagged=(_with(_MENDED, _TURNED),),
    clean=(
        _with(_MENDED),
        _with(_TURNED),
        _with(_MENDED, replace(_TURNED, mine=_NO, other=_YES)),
        _with(_MENDED, replace(_TURNED, mine=Raised("KeyError", "1"))),
    ),
)
