"""Other programs that pass agree with each other, and none agrees with the patch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.behaviour import Difference, Returned, is_truth_value
from repair.checks.check import Behaved, Check, departed, told_apart
from repair.checks.rival import Rival, RivalKind, likeness, weigh

LIKELY = 0.5
"""A rival has a vote where its edit is at least so likely beside the patch: one of many more nodes has none."""


def find(found: Behaved) -> Difference | None:
    """The most ordinary input on which two others that pass agree against the patch, with which none agrees.

    Programs that different edits of the old function made are witnesses of their own (CodeT: Chen et al., ICLR 2023).
    Those that agree on yes or no are none: half of all programs do, and there are many ways to drop a condition.

    Example: ``total([1, 2])`` gave -3. ``abs(result)`` mends that, and so do ``result += price`` and ``-result``. These
    two agree on ``total([1, -2])``, where the first gives 1.
    """
    voting = [
        each for each in found.credible if each.kind is RivalKind.CANDIDATE and likeness(each, found.size) >= LIKELY
    ]
    if not all(each.differences for each in voting):
        return None
    agreed = [each for each in _agreed(voting) if weigh(each, found.fix) > 0.0 and not each.call.is_tested]
    agreed = [each for each in agreed if not is_truth_value(each.mine)]
    return min(agreed, key=lambda each: (not each.ordinary, len(each.call.source)), default=None)


def _agreed(rivals: Sequence[Rival]) -> list[Difference]:
    """Inputs on which two rivals end alike, where no input is known on which these two do not."""
    found: list[Difference] = []
    for number, one in enumerate(rivals):
        ends = {each.call.identity: each.other for each in one.differences}
        for other in rivals[number + 1 :]:
            both = [each for each in other.differences if each.call.identity in ends]
            if both and all(ends[each.call.identity] == each.other for each in both):
                found += both
    return found


_NEGATIVE = departed("total([1, -2])", Returned("-1"), Returned("1"))
_DENIED = departed("same(1, 2)", Returned("False"), Returned("True"))
_OTHERWISE = replace(_NEGATIVE, other=Returned("0"))


def _with(*rivals: Rival) -> Behaved:
    return Behaved(rivals=rivals, size=2)


_ONE = told_apart(RivalKind.CANDIDATE, _NEGATIVE)
_OTHER = replace(_ONE, label="other")
_CUT_ALIKE = [replace(_NEGATIVE, call=replace(_NEGATIVE.call, exact=f"([1, -2, {n}])")) for n in (3, 4)]

CHECK = Check(
    "outvoted",
    "other patches that pass the same tests agree with each other, and none with this one",
    find,
    flagged=(
        _with(*(replace(each, differences=(replace(_NEGATIVE, old=Returned("1")),)) for each in (_ONE, _OTHER))),
        _with(_ONE, _OTHER),
        _with(_ONE, _OTHER, told_apart(RivalKind.CANDIDATE, _OTHERWISE)),
    ),
    clean=(
        _with(_ONE),
        _with(_ONE, told_apart(RivalKind.CANDIDATE, _OTHERWISE)),
        _with(_ONE, _OTHER, told_apart(RivalKind.CANDIDATE)),
        _with(_ONE, replace(_OTHER, size=40)),
        _with(*(replace(each, differences=(_DENIED,)) for each in (_ONE, _OTHER))),
        _with(*(replace(each, differences=(cut,)) for each, cut in zip((_ONE, _OTHER), _CUT_ALIKE, strict=True))),
        _with(told_apart(RivalKind.NUMBER, _NEGATIVE), told_apart(RivalKind.MUTANT, _NEGATIVE)),
    ),
)
