"""Another program mends what the tests ask for, and leaves alone more of what was no failure."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Raised, Returned
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed, told_apart
from repair.checks.rival import RivalKind, is_narrower, weighed


def _heaviest(found: Behaved) -> tuple[float, Difference] | None:
    written = [each for each in found.credible if each.kind is not RivalKind.KEPT]  # of text that the patch left alone
    narrower = [each for each in written if is_narrower(each, found.fix)]
    every = weighed(narrower, found.fix, found.size)
    return max(((weight, difference) for weight, _, difference in every), key=lambda each: each[0], default=None)


def find(found: Behaved) -> Difference | None:
    """The input that the patch changes and the other program leaves alone.

    Example: a text is cut from 10 letters on. With 12 in place of 10 the tests pass too, and fewer answers change.
    """
    heaviest = _heaviest(found)
    return heaviest[1] if heaviest is not None else None


def strength(found: Behaved) -> float:
    """What that input weighs."""
    heaviest = _heaviest(found)
    return heaviest[0] if heaviest is not None else 0.0


_CUT = replace(departed("cut('a' * 11)", Returned("'a' * 11"), Returned("'aa…'")), old=Returned("'a' * 11"))
_ELSE = replace(departed("cut('b')", Returned("'c'"), Returned("'b'")), old=Returned("'b'"))
_FAILED = departed("cut('')", Raised("IndexError"), Returned("''"), CallOrigin.MADE)

CHECK = Check(
    "narrower_rival",
    "another program passes the same tests, and changes less of what nothing had found fault with",
    find,
    flagged=(Behaved(rivals=(told_apart(RivalKind.NUMBER, _CUT),)),),
    clean=(
        Behaved(rivals=(told_apart(RivalKind.NUMBER, _CUT, _ELSE),)),
        Behaved(rivals=(told_apart(RivalKind.KEPT, _CUT),)),
        Behaved(rivals=(told_apart(RivalKind.NUMBER, replace(_CUT, old=None)),)),
        Behaved(
            AgainstOld(departures=(_FAILED,)),
            rivals=(told_apart(RivalKind.PART, replace(_CUT, old=Raised("IndexError"), other=Raised("IndexError"))),),
        ),
    ),
    strength=strength,
)
