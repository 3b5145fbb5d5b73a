"""A patch that is as likely passes as well and does otherwise, and nothing settles which of the two is meant."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Difference, Returned, is_truth_value
from repair.checks.check import Behaved, Check, departed, told_apart
from repair.checks.rival import RivalKind

STRONG = 0.7
"""A rival is as likely where its difference weighs so much: an ordinary input, another value, an edit of like size."""


def find(found: Behaved) -> Difference | None:
    """The most telling input of such a rival, where no other patch does as this one, or where both answer yes or no.

    Example: of ``for least, percent in sorted(tiers)`` one patch walks ``reversed(sorted(tiers))``, another moves the
    ``return`` behind the loop. Both pass, and part on ``percent(5)``.

    That others do as this one says nothing of a predicate. Any two agree on half of the calls by chance, and there are
    many ways to drop a condition.
    """
    others = [each for each in found.credible if each.kind is RivalKind.CANDIDATE]
    heaviest = found.heaviest(RivalKind.CANDIDATE)
    if heaviest is None or heaviest[0] < STRONG:
        return None
    alone = all(each.differences for each in others)
    return heaviest[2] if alone or is_truth_value(heaviest[2].mine) else None


_APART = departed("percent(5)", Returned("0"), Returned("5"))
_TESTED = replace(_APART, call=replace(_APART.call, arguments="(60)"), ordinary=False)
_DENIED = told_apart(RivalKind.CANDIDATE, departed("same(1, 2)", Returned("False"), Returned("True")))
_ONE = told_apart(RivalKind.CANDIDATE, _APART)
_OTHER = told_apart(RivalKind.CANDIDATE, replace(_APART, other=Returned("10")))

CHECK = Check(
    "contested",
    "a patch that is as likely passes the same tests and does otherwise, and nothing settles which one is meant",
    find,
    flagged=(
        Behaved(rivals=(_ONE,), size=2),
        Behaved(rivals=(_ONE, _OTHER), size=2),
        Behaved(rivals=(_DENIED, told_apart(RivalKind.CANDIDATE)), size=2),
    ),
    clean=(
        Behaved(),
        Behaved(rivals=(told_apart(RivalKind.CANDIDATE),), size=2),
        Behaved(rivals=(_ONE, told_apart(RivalKind.CANDIDATE)), size=2),
        Behaved(rivals=(replace(_ONE, size=12),), size=2),
        Behaved(rivals=(told_apart(RivalKind.NUMBER, _APART),), size=2),
    ),
    strength=lambda found: 1.0,
)
