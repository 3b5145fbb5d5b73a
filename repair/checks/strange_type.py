"""A mended call gives a value of another type than all other calls do."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Behaviour, CallOrigin, Difference, Returned, Witness, type_of
from analysis.calls import AgainstOld, AnswerPair, CallInput, PlainAnswer
from repair.checks.check import Behaved, Check, departed

NUMBERS = frozenset(("int", "float"))
"""Types that may stand for each other."""

LEAST_ANSWERS = 3
"""Other calls that say which type is the usual one."""


def find(found: Behaved) -> Difference | None:
    """A call of a failing test that gives another type now than every call that does not change; nothing is no type.

    Example: ``count('')`` gives ``True`` with the patch, and ``count('3')`` gives 3.
    """
    kept = [each for each in found.old.answers if each.old.digest == each.mine.digest]
    types = found.fix.types
    if len(kept) < LEAST_ANSWERS or len(types) != 1:
        return None
    usual = NUMBERS if types & NUMBERS else types
    strange = [
        each for each in found.old.made if type_of(each.mine) not in ("", "NoneType", type_of(each.other), *usual)
    ]
    return min(strange, key=lambda each: len(each.call.source), default=None)


def _ask_type(witness: Witness) -> str:
    return f"Should {witness.call.source} give {type_of(witness.mine)}, which no other call gives?"


def _kept(number: int, value: Behaviour) -> AnswerPair:
    answer = PlainAnswer(str(number), value)
    return AnswerPair(CallInput(f"({number},)", "{}"), answer, answer)


_TRUE = departed("count('')", Returned("0"), Returned("True"), CallOrigin.MADE)
_STRANGE = Behaved(AgainstOld(departures=(_TRUE,), answers=tuple(_kept(n, Returned(str(n))) for n in range(3))))

CHECK = Check(
    "strange_type",
    "a mended call gives a value of another type than all other calls",
    find,
    flagged=(_STRANGE,),
    clean=(
        replace(_STRANGE, old=replace(_STRANGE.old, departures=(replace(_TRUE, mine=Returned("1")),))),
        replace(_STRANGE, old=replace(_STRANGE.old, departures=(replace(_TRUE, mine=Returned("None")),))),
        replace(_STRANGE, old=replace(_STRANGE.old, answers=_STRANGE.old.answers[:2])),
        replace(_STRANGE, old=replace(_STRANGE.old, answers=(*_STRANGE.old.answers, _kept(9, Returned("'a'"))))),
        replace(_STRANGE, old=replace(_STRANGE.old, departures=())),
        replace(_STRANGE, old=replace(_STRANGE.old, departures=(replace(_TRUE, mine=Returned("1.5")),))),
        replace(_STRANGE, old=replace(_STRANGE.old, departures=(replace(_TRUE, other=Returned("False")),))),
    ),
    question=_ask_type,
    strength=lambda found: 1.0,
)
