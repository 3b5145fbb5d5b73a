"""The patch does on some input otherwise than the docstring says."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Raised, Returned, Witness
from analysis.calls import AgainstOld, AnswerPair, CallInput, PlainAnswer
from analysis.stated.fact import Argument, Compares, FactSource, Fixed, Gives, Raises
from repair.checks.check import Behaved, Check, departed, told_apart, written
from repair.checks.rival import RivalKind
from repair.checks.stated_facts import BrokenFact, find_broken

SOURCES = frozenset((FactSource.DOCSTRING, FactSource.CLASS, FactSource.MODULE))


def _find(found: Behaved) -> BrokenFact | None:
    return find_broken(found.fix.stated, found.old, found.told, found.inputs, SOURCES)


def find(found: Behaved) -> Witness | None:
    """The call on which it breaks a fact of the docstring.

    Example: "Raises ValueError if n is negative", and ``price(-1)`` gives -1 with the patch.
    """
    broken = _find(found)
    return broken.witness if broken is not None else None


def strength(found: Behaved) -> float:
    """How sure it is that the docstring says so."""
    broken = _find(found)
    return broken.strength if broken is not None else 0.0


def _ask(witness: Witness) -> str:
    return f"Is the docstring out of date about {witness.call.source}?"


_NEGATIVE = written(
    Compares(Argument("n"), "<", Fixed("0")), Raises("ValueError"), "Raises ValueError if n is negative."
)
_ZERO = written(Compares(Argument("n"), "==", Fixed("0")), Gives("1"), "Returns 1 for zero.", sure=False)
_REFUSED = Raised("ValueError", "'negative'")
_LOST = departed("price(-1)", _REFUSED, Returned("-1"))
_NEW = Behaved(AgainstOld(departures=(_LOST,)), stated=_NEGATIVE)
_ASKED = departed("price(-3)", Returned("3"), Returned("-3"), CallOrigin.MADE)
_MENDED = departed("price(-3)", Returned("-3"), _REFUSED, CallOrigin.MADE)
_SAME = PlainAnswer("a", Returned("-7"))
_LEFT = AnswerPair(CallInput("(-7,)", "{}"), _SAME, _SAME)
_TOLD = replace(departed("price(0)", Returned("1"), Returned("None")), old=Raised("KeyError", "0"))

CHECK = Check(
    "against_docstring",
    "the patch does otherwise than the docstring says",
    find,
    flagged=(
        _NEW,
        Behaved(rivals=(told_apart(RivalKind.CANDIDATE, _TOLD),), stated=_ZERO),
        Behaved(  # the test takes both
            AgainstOld(departures=(replace(_ASKED, mine=Returned("None")),)),
            rivals=(told_apart(RivalKind.CANDIDATE, replace(_ASKED, mine=Returned("None"), other=_REFUSED)),),
            stated=_NEGATIVE,
        ),
        Behaved(AgainstOld(departures=(_MENDED,), answers=(_LEFT,)), stated=_NEGATIVE),  # mended for -3 alone
    ),
    clean=(
        replace(_NEW, old=AgainstOld(departures=(replace(_LOST, mine=Raised("ValueError", "'other'")),))),
        replace(_NEW, old=AgainstOld(departures=(departed("price(1)", Returned("1"), Returned("-1")),))),
        replace(_NEW, old=AgainstOld(departures=(_ASKED, _LOST))),  # a test asks for what the words deny
        replace(_NEW, old=AgainstOld(departures=(_LOST,), answers=(_LEFT,))),  # the program never kept to them
        Behaved(rivals=(told_apart(RivalKind.CANDIDATE, replace(_TOLD, other=Returned("2"))),), stated=_ZERO),
    ),
    question=_ask,
    strength=strength,
)
