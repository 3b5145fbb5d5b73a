"""The patch returns something of another kind than the annotation of the result allows."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Returned, Witness
from analysis.calls import AgainstOld
from analysis.stated.fact import Always, FactSource, GivesKind
from repair.checks.check import Behaved, Check, departed, written
from repair.checks.stated_facts import BrokenFact, find_broken

SOURCES = frozenset((FactSource.ANNOTATION,))


def _find(found: Behaved) -> BrokenFact | None:
    return find_broken(found.fix.stated, found.old, found.told, found.inputs, SOURCES)


def find(found: Behaved) -> Witness | None:
    """The call that gives it. Of arguments that annotations leave out nothing is said.

    Example: ``def price(n: int) -> int``, and ``price(7)`` gives ``None`` with the patch.
    """
    broken = _find(found)
    return broken.witness if broken is not None else None


def _ask(witness: Witness) -> str:
    return f"Is the annotation of the result out of date about {witness.call.source}?"


_INT = replace(written(Always(), GivesKind(("int",)), "-> int", FactSource.ANNOTATION), kinds=(("n", ("int",)),))
_NOTHING = departed("price(7)", Returned("7"), Returned("None"))
_FOUND = Behaved(AgainstOld(departures=(_NOTHING,)), stated=_INT)

CHECK = Check(
    "against_annotation",
    "the patch returns another kind than the annotation of the result says",
    find,
    flagged=(_FOUND,),
    clean=(
        replace(_FOUND, old=AgainstOld(departures=(replace(_NOTHING, mine=Returned("8")),))),
        replace(_FOUND, old=AgainstOld(departures=(replace(_NOTHING, mine=Returned("True")),))),
        replace(_FOUND, old=AgainstOld(departures=(departed("price('7')", Returned("7"), Returned("None")),))),
        replace(
            _FOUND,
            old=AgainstOld(
                departures=(departed("price(2)", Returned("2"), Returned("None"), CallOrigin.MADE), _NOTHING)
            ),
        ),
    ),
    question=_ask,
    strength=lambda found: 1.0,
)
