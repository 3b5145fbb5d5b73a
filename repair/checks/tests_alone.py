"""Nothing but the tests speaks for the patch, and it changes calls that no test makes."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Raised, Returned, is_truth_value
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed, told_apart
from repair.checks.rival import RivalKind


def find(found: Behaved) -> Difference | None:
    """The most ordinary call that changes and that no test makes, where no other patch that passes does the same.

    A failing call that raised says by itself what is wrong, and where. A wrong value says less: of eleven
    such finds that nothing else spoke for six were wrong (decision 198). Whether anything is written for the patch, or
    stands beside it, is asked elsewhere.

    Example: ``hand_value`` counts one ace too many with ``if``, and with ``while`` it passes all tests. Then it takes
    10 from ``['K', 'Q', '5', 'A']`` twice.
    """
    tested = [each for each in found.old.departures if each.call.is_tested]
    if not tested or any(isinstance(each.other, Raised) for each in tested) or _is_seconded(found):
        return None
    fresh = [each for each in found.old.departures if not each.call.is_tested]
    return min(fresh, key=lambda e: (not e.ordinary, found.fix.has_symptom(e.other), len(e.call.source)), default=None)


def _is_seconded(found: Behaved) -> bool:
    """Whether another patch that passes does the same. That two answer yes or no alike says nothing."""
    others = [each for each in found.credible if each.kind is RivalKind.CANDIDATE]
    return any(not each.differences for each in others) and not any(is_truth_value(each.mine) for each in found.told)


_MENDED = departed("hand_value(['A', 'A', '9'])", Returned("31"), Returned("21"), CallOrigin.MADE)
_FRESH = departed("hand_value(['K', 'Q', '5', 'A'])", Returned("26"), Returned("16"))
_ALONE = Behaved(AgainstOld(departures=(_MENDED, _FRESH)))
_PREDICATE = (
    departed("may('ann')", Returned("True"), Returned("False"), CallOrigin.MADE),
    departed("may('zoe')", Returned("True"), Returned("False")),
)
_APART = replace(_FRESH, other=Returned("26"))

CHECK = Check(
    "tests_alone",
    "nothing but the tests speaks for it, and it changes calls that no test makes",
    find,
    flagged=(
        _ALONE,
        replace(_ALONE, rivals=(told_apart(RivalKind.CANDIDATE, _APART),)),
        replace(_ALONE, rivals=(told_apart(RivalKind.NUMBER), told_apart(RivalKind.MUTANT))),
        Behaved(AgainstOld(departures=_PREDICATE)),
        Behaved(
            AgainstOld(departures=_PREDICATE),
            rivals=(told_apart(RivalKind.CANDIDATE), told_apart(RivalKind.CANDIDATE, _PREDICATE[1])),
        ),
    ),
    clean=(
        Behaved(AgainstOld(departures=(_MENDED,))),
        Behaved(AgainstOld(departures=(_FRESH,))),
        replace(_ALONE, rivals=(told_apart(RivalKind.CANDIDATE),)),
        Behaved(AgainstOld(departures=(replace(_MENDED, other=Raised("KeyError", "'A'")), _FRESH))),
    ),
    other="as before",
)
