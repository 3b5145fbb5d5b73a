"""The patch makes a branch superfluous that it leaves alone, and changes calls that nothing had found fault with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from analysis.behaviour import CallOrigin, Difference, Returned
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """The call that changes and is least like the failing tests', where the old function alone needed a branch.

    Example: ``if 10 <= n <= 20: return f'{n}th'`` made eleven to thirteen right. A patch that makes these right further
    down, and ``31th`` of ``31st``, has missed that place.
    """
    if not found.superfluous:
        return None
    changed = [each for each in found.old.departures if not (each.call.is_tested or found.fix.has_symptom(each.other))]
    asked = [each.call.given for each in found.old.made]
    return min(changed, key=lambda each: (not each.ordinary, _likeness(each.call.given, asked)), default=None)


def _likeness(given: str, asked: Sequence[str]) -> tuple[float, int]:
    """How like the likest of these calls it is, from 0 to 1 (Ratcliff and Metzener, 1988); then its length."""
    ratios = (SequenceMatcher(None, given, each, autojunk=False).ratio() for each in asked)
    return round(max(ratios, default=0.0), 1), len(given)


_MENDED = departed("ordinal(111)", Returned("'111st'"), Returned("'111th'"), CallOrigin.MADE)
_SPOILT = departed("ordinal(31)", Returned("'31st'"), Returned("'31th'"))
_ODD = replace(_SPOILT, ordinary=False)


def _with(*departures: Difference, superfluous: tuple[str, ...] = ("if 10 <= n <= 20:",)) -> Behaved:
    return Behaved(AgainstOld(departures=departures), superfluous=superfluous)


CHECK = Check(
    "made_superfluous",
    "the old function needed `{detail}`, the patch leaves it there and does the same without it",
    find,
    flagged=(_with(_MENDED, _SPOILT), _with(_SPOILT), _with(_MENDED, _ODD)),
    clean=(_with(_MENDED), _with(_MENDED, _SPOILT, superfluous=()), _with()),
    strength=lambda found: 1.0,
    detail=lambda found: found.superfluous[0].rstrip(":"),
)
