"""A program that passes the same tests does something else on an input: a check for each kind of rival."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Difference, Raised, Returned
from repair.checks.check import Behaved, Check, departed, told_apart
from repair.checks.rival import RivalKind
from repair.records.witness_text import MODELS_FIX

CLAIMS = {
    RivalKind.CANDIDATE: "another patch passes the same tests, and an input tells it from this one: {detail}",
    RivalKind.PART: "No test asks for {detail}, and an input tells",
    RivalKind.LOOSER: "the tests pass without a restriction of the patch, and more would be mended: {detail}",
    RivalKind.NUMBER: "with another number the tests pass too, and an input tells: {detail}",
    RivalKind.NEIGHBOUR: "a program next to the patch passes the same tests, and an input tells: {detail}",
    RivalKind.MUTANT: "a mutant of what the patch wrote survived the tests, and an input tells: {detail}",
    RivalKind.MODEL: "a model that did not see the patch mends the function otherwise, and an input tells",
    RivalKind.KEPT: "a mutant of what the patch left alone survived the tests, and an input tells: {detail}",
}

OTHERS = {RivalKind.MODEL: MODELS_FIX}
"""What a question calls the other program, where it has a name."""

_TOLD = departed("price('5')", Returned("6"), Returned("5"))
_NEXT_TO_NOTHING = departed("price('5')", Returned("6.0"), Returned("6"))
_ENDLESS = departed("price('5')", Raised("RecursionError"), Returned("5"))


def _check(kind: RivalKind, other: RivalKind) -> Check:
    def find(found: Behaved) -> Difference | None:
        heaviest = found.heaviest(kind)
        return heaviest[2] if heaviest is not None and heaviest[0] > 0 else None

    def strength(found: Behaved) -> float:
        heaviest = found.heaviest(kind)
        return heaviest[0] if heaviest is not None else 0.0

    def detail(found: Behaved) -> str:
        heaviest = found.heaviest(kind)
        return heaviest[1].label if heaviest is not None else ""

    def rivals(*differences: Difference) -> Behaved:
        return Behaved(rivals=(told_apart(kind, *differences),))

    return Check(
        f"told_by_{kind.value}",
        CLAIMS[kind],
        find,
        flagged=(rivals(_TOLD), rivals(_NEXT_TO_NOTHING), rivals(_ENDLESS, _TOLD)),
        clean=(
            Behaved(),
            rivals(),
            Behaved(rivals=(told_apart(other, _TOLD),)),
            rivals(replace(_TOLD, other=_TOLD.mine)),
        ),
        strength=strength,
        detail=detail,
        other=OTHERS.get(kind, ""),
    )


_KINDS = tuple(RivalKind)
CHECKS = tuple(_check(kind, _KINDS[number - 1]) for number, kind in enumerate(_KINDS))
