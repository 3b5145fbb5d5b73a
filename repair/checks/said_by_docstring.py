"""What is written of the function speaks for the patch: it keeps to it where the old function or a rival does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from analysis.behaviour import CallOrigin, Raised, Returned
from analysis.calls import AgainstOld
from analysis.stated.fact import Argument, Compares, FactSource, Fixed, Gives, StatedFact
from repair.checks.check import Behaved, Support, departed, told_apart, written
from repair.checks.rival import RivalKind
from repair.checks.stated_facts import find_broken, mended_facts, refuting

BESIDE_A_TEST = 0.5
"""What it counts where a test says the same."""


def _told(found: Behaved) -> Iterator[StatedFact]:
    """Facts that tell the patch from the old function on inputs of no test, and from programs that pass all tests."""
    for each in (*(each for each in found.old.departures if not each.call.is_made), *found.told):
        yield from refuting(each, found.fix.stated)


def find(found: Behaved) -> str:
    """The words, and where they stand; nothing where the patch breaks what is written on another input.

    Example: "Returns 0 for an empty list": ``mean([])`` raised ``ZeroDivisionError`` and gives 0 with the patch.
    """
    stated = found.fix.stated
    if find_broken(stated, found.old, found.told, found.inputs, frozenset(FactSource)) is not None:
        return ""
    fact = next((fact for facts in (_told(found), mended_facts(stated, found.old)) for fact in facts), None)
    return stated.cite(fact) if fact is not None else ""


def strength(found: Behaved) -> float:
    """All of it where the words say more than the tests."""
    return 1.0 if next(_told(found), None) is not None else BESIDE_A_TEST


_ZERO = written(Compares(Argument("n"), "==", Fixed("0")), Gives("1"), "Returns 1 if n is 0.")
_ONE = departed("price(0)", Raised("ZeroDivisionError"), Returned("1"), CallOrigin.MADE)
_ASKED = Behaved(AgainstOld(departures=(_ONE,)), stated=_ZERO)
_BREAKING = departed("price(0)", Returned("1"), Returned("2"))

SUPPORT = Support(
    "said_by_docstring",
    find,
    supported=(
        _ASKED,
        Behaved(rivals=(told_apart(RivalKind.PART, departed("price(0)", Returned("0"), Returned("1"))),), stated=_ZERO),
    ),
    silent=(
        replace(_ASKED, old=AgainstOld(departures=(replace(_ONE, mine=Returned("2")),))),
        replace(_ASKED, old=AgainstOld(departures=(departed("price(3)", Returned("3"), Returned("1")),))),
        Behaved(AgainstOld(departures=(_ONE,))),
        Behaved(rivals=(told_apart(RivalKind.PART, _BREAKING),), stated=_ZERO),
    ),
    strength=strength,
)
