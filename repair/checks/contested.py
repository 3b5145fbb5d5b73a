"""No other patch that passes does as this one, and one that is as likely does otherwise."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Difference, Returned
from repair.checks.check import Behaved, Check, departed, told_apart
from repair.checks.rival import RivalKind

STRONG = 0.7
"""A rival is as likely where its difference weighs so much: an ordinary input, another value, an edit of like size."""


def find(found: Behaved) -> Difference | None:
    """The most telling input of such a rival: one reading stands against one, and nothing speaks for either.

    Example: of ``for least, percent in sorted(tiers)`` one patch walks ``reversed(sorted(tiers))``, another moves the
    ``return`` behind the loop. Both pass, and part on ``percent(5)``.
    """
    others = [each for each in found.credible if each.kind is RivalKind.CANDIDATE]
    heaviest = found.heaviest(RivalKind.CANDIDATE)
    if heaviest is None or heaviest[0] < STRONG or not all(each.differences for each in others):
        return None
    return heaviest[2]


_APART = departed("percent(5)", Returned("0"), Returned("5"))
_TESTED = replace(_APART, call=replace(_APART.call, arguments="(60)"), ordinary=False)
_ONE = told_apart(RivalKind.CANDIDATE, _APART)
_OTHER = told_apart(RivalKind.CANDIDATE, replace(_APART, other=Returned("10")))

CHECK = Check(
    "contested",
    "no other patch that passes the same tests does the same, and one that is as likely does otherwise",
    find,
    flagged=(Behaved(rivals=(_ONE,), size=2), Behaved(rivals=(_ONE, _OTHER), size=2)),
    clean=(
        Behaved(),
        Behaved(rivals=(told_apart(RivalKind.CANDIDATE),), size=2),
        Behaved(rivals=(_ONE, told_apart(RivalKind.CANDIDATE)), size=2),
        Behaved(rivals=(replace(_ONE, size=12),), size=2),
        Behaved(rivals=(told_apart(RivalKind.NUMBER, _APART),), size=2),
    ),
    strength=lambda found: 1.0,
)
