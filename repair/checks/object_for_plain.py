"""A mended call gives an object of a class where the old function gave text, a number or the like.

A test that compares with ``==`` may take it for the value that it wants, if the object's own ``__eq__`` says so.
"""

from __future__ import annotations

import re
from dataclasses import replace

from analysis.behaviour import Behaviour, CallOrigin, Difference, Returned, Witness, literal_of, symptom_of, type_of
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed

_OBJECT = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*\(\w+=")
"""The picture of an object by its attributes: ``Version(major=1, minor=2)``."""


def find(found: Behaved) -> Difference | None:
    """The shortest such call.

    Example: ``next_version('1.2')`` gives ``Version(major=1, minor=3)`` with the patch, and gave ``'1.1'``.
    """
    strange = [each for each in found.old.made if _is_object(each.mine) and _is_plain(each.other)]
    return min(strange, key=lambda each: len(each.call.source), default=None)


def _is_object(behaviour: Behaviour) -> bool:
    return isinstance(behaviour, Returned) and literal_of(behaviour) is None and bool(_OBJECT.match(behaviour.value))


def _is_plain(behaviour: Behaviour) -> bool:
    """Whether it is a value of a built-in type that stands for something."""
    return bool(type_of(behaviour)) and not symptom_of(behaviour)


def _ask_type(witness: Witness) -> str:
    plain = type_of(witness.other) if isinstance(witness, Difference) else ""
    return f"Should {witness.call.source} give an object, where it gave {plain}?"


_NEXT = departed("following('1.2')", Returned("'1.1'"), Returned("Version(major=1, minor=3)"), CallOrigin.MADE)
_FOUND = Behaved(AgainstOld(departures=(_NEXT,)))

CHECK = Check(
    "object_for_plain",
    "a mended call gives an object, where the old function gave a plain value",
    find,
    flagged=(_FOUND,),
    clean=(
        replace(_FOUND, old=AgainstOld(departures=(replace(_NEXT, mine=Returned("'1.3'")),))),
        replace(_FOUND, old=AgainstOld(departures=(replace(_NEXT, other=Returned("None")),))),
        replace(_FOUND, old=AgainstOld(departures=(replace(_NEXT, other=Returned("Version(major=1, minor=1)")),))),
        replace(_FOUND, old=AgainstOld(departures=(departed("f(1)", Returned("'1'"), Returned("Version(major=1)")),))),
    ),
    question=_ask_type,
    strength=lambda found: 1.0,
)
