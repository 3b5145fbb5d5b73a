"""A call that was fine ends with the patch as the failing tests' calls ended without it."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Behaviour, CallOrigin, Difference, Raised, Returned, symptom_of
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """A call that was fine, and now ends as the failing tests' calls did: in nothing, or in the same exception.

    ``None`` where these ended in several ways, or in some value.

    Example: ``first([])`` raised ``IndexError`` in the failing test. With the patch it does not, and ``first([1])``
    does.
    """
    symptoms = {symptom_of(each.other) for each in found.old.made}
    if len(symptoms) != 1 or "" in symptoms:
        return None
    symptom = symptoms.pop()
    moved = [
        each
        for each in found.old.departures
        if not each.call.is_made and not symptom_of(each.other) and symptom_of(each.mine) == symptom
    ]
    return min(moved, key=lambda each: len(each.call.source), default=None)


_YEARS, _NONE = Returned("items [2017, 2018]"), Returned("items []")
_DOWN = departed("years(2025, 2017, -1)", _NONE, _YEARS, CallOrigin.MADE)
_UP = departed("years(2017, 2025, 1)", _YEARS, _NONE, CallOrigin.LIKE_TEST)


def _with(*departures: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=departures))


def _as(before: Behaviour, after: Behaviour) -> Behaved:
    """Calls of failing tests ended in ``before``; another one does in ``after`` now."""
    return _with(replace(_DOWN, mine=Returned("1"), other=before), replace(_UP, mine=after, other=Returned("2")))


CHECK = Check(
    "moved_failure",
    "a call that was fine ends with this patch as the failing tests' calls ended without it",
    find,
    flagged=(
        _with(_DOWN, _UP),
        _as(Raised("KeyError", "'a'"), Raised("KeyError", "'b'")),
        _as(Returned("None"), Returned("None", left="args ([1],)")),
        _as(Returned("''"), Returned("b''")),
    ),
    clean=(
        _with(_DOWN),
        _with(_UP),  # nobody knows what the failure was
        _with(_DOWN, departed("years(2017, 2025, 1)", _YEARS, _NONE, CallOrigin.MADE)),  # a test looks at it
        _with(_DOWN, replace(_UP, mine=Returned("items [2017]"))),
        _with(_DOWN, replace(_UP, other=_NONE, mine=Returned("None"))),  # it gave nothing before
        _with(replace(_DOWN, other=Returned("5")), _UP),  # a value is no symptom
        _with(_DOWN, departed("years(1)", Raised("KeyError", "'a'"), _YEARS, CallOrigin.MADE), _UP),  # two symptoms
        _as(Returned("0"), Returned("0")),  # zero is a number like others
        _as(Returned("[]!"), Returned("[]")),
    ),
)
