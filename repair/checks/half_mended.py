"""An ordinary call still fails as the failing tests' calls did, and another program that passes mends it."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Raised, Returned, Rung, is_truth_value, rung_between
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed, told_apart
from repair.checks.rival import Rival, RivalKind, weigh


def _heaviest(found: Behaved) -> tuple[float, Difference] | None:
    every = [
        (weigh(each, found.fix), each)
        for rival in found.credible
        if rival.kind is not RivalKind.KEPT  # of text that the patch left alone
        for each in rival.differences
        if each.old is not None
        and rung_between(each.mine, each.old) <= Rung.NEAR
        and found.fix.has_symptom(each.old)
        and not is_truth_value(each.old)
        and not found.fix.has_symptom(each.other)
    ]
    return max(every, key=lambda each: each[0], default=None)


def find(found: Behaved) -> Difference | None:
    """The call that the patch leaves failing.

    Example: ``first([])`` raised ``IndexError`` and does not with the patch; ``first(())`` still does.
    """
    heaviest = _heaviest(found)
    return heaviest[1] if heaviest is not None else None


def strength(found: Behaved) -> float:
    """What that call weighs."""
    heaviest = _heaviest(found)
    return heaviest[0] if heaviest is not None else 0.0


_MENDED = departed("first([])", Raised("IndexError"), Returned("None"), CallOrigin.MADE)
_SAME = departed("same(1, 1)", Returned("False"), Returned("True"), CallOrigin.MADE)
_OTHER = replace(departed("same(1, 2)", Returned("True"), Returned("False")), old=Returned("False"))
_LEFT = replace(departed("first(())", Returned("None"), Raised("IndexError")), old=Raised("IndexError"))


def _with(rival: Rival) -> Behaved:
    return Behaved(AgainstOld(departures=(_MENDED,)), rivals=(rival,))


CHECK = Check(
    "half_mended",
    "an ordinary call still fails as the failing tests' calls did, and another program that passes mends it",
    find,
    flagged=(_with(told_apart(RivalKind.CANDIDATE, _LEFT)),),
    clean=(
        _with(told_apart(RivalKind.CANDIDATE, replace(_LEFT, old=Returned("1"), mine=Returned("1")))),
        _with(told_apart(RivalKind.CANDIDATE, replace(_LEFT, mine=Returned("2")))),
        _with(told_apart(RivalKind.KEPT, _LEFT)),
        Behaved(rivals=(told_apart(RivalKind.CANDIDATE, _LEFT),)),  # nobody knows what the failure was
        Behaved(AgainstOld(departures=(_SAME,)), rivals=(told_apart(RivalKind.CANDIDATE, _OTHER),)),
    ),
    strength=strength,
)
