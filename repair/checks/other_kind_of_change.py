"""Ordinary calls that nothing had found fault with change in another way than the failing tests' calls do."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Returned
from analysis.calls import AgainstOld
from analysis.change_kinds import UNKNOWN, kind_of_change
from repair.checks.check import Behaved, Check, departed

LEAST = 2
"""One such call may be an accident of what was tried, and one call of a failing test shows one way of several."""

TELLING = 0.5
"""The share of the changed calls from which on the check weighs all that it can."""


def _unlike(found: Behaved) -> tuple[list[Difference], int]:
    """The calls that change in a way of their own, and how many ordinary calls change at all."""
    made = found.old.made
    kinds = {kind_of_change(each.other, each.mine) for each in made}
    if len(made) < LEAST or UNKNOWN in kinds:
        return [], 0
    changed = [
        e for e in found.old.departures if not e.call.is_tested and e.ordinary and not found.fix.has_symptom(e.other)
    ]
    return [e for e in changed if kind_of_change(e.other, e.mine) not in {*kinds, UNKNOWN}], len(changed)


def find(found: Behaved) -> Difference | None:
    """The shortest call that changes in a way in which no call of a failing test does.

    Example: the failing tests' calls give ``'1.00 kV'`` for ``'1000 V'``. Another one that gave ``'8.10 V'`` gives
    ``'8.1 V'``: a digit less, which nobody asked for.
    """
    unlike, _ = _unlike(found)
    return min(unlike, key=lambda each: len(each.call.source)) if len(unlike) >= LEAST else None


def strength(found: Behaved) -> float:
    """The share of such calls among all ordinary ones that change."""
    unlike, changed = _unlike(found)
    return min(1.0, len(unlike) / changed / TELLING) if len(unlike) >= LEAST else 0.0


_CARRIED = departed("metric(999.9, 'V')", Returned("'1000 V'"), Returned("'1.00 kV'"), CallOrigin.MADE)
_CARRIED_TOO = departed("metric(999999, 'V')", Returned("'1000 kV'"), Returned("'1.00 MV'"), CallOrigin.MADE)
_DIGITS = (
    departed("metric(8.097)", Returned("'8.10'"), Returned("'8.1'")),
    departed("metric(5.0, 'V')", Returned("'5.00 V'"), Returned("'5.0 V'")),
)
_LIKE_IT = departed("metric(999.8, 'V')", Returned("'1000 V'"), Returned("'1.00 kV'"))
_OPAQUE = replace(_CARRIED_TOO, mine=Returned("<Metric>"))


def _with(*departures: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=departures))


CHECK = Check(
    "other_kind_of_change",
    "ordinary calls change in another way than those of the failing tests",
    find,
    flagged=(_with(_CARRIED, _CARRIED_TOO, *_DIGITS), _with(_CARRIED, _CARRIED_TOO, _LIKE_IT, *_DIGITS)),
    clean=(
        _with(_CARRIED, _CARRIED_TOO),
        _with(_CARRIED, _CARRIED_TOO, _LIKE_IT, _LIKE_IT),
        _with(_CARRIED, *_DIGITS),
        _with(*_DIGITS),
        _with(_CARRIED, _CARRIED_TOO, _DIGITS[0]),
        _with(_CARRIED, _OPAQUE, *_DIGITS),
        _with(_CARRIED, _CARRIED_TOO, *(replace(each, ordinary=False) for each in _DIGITS)),
    ),
    strength=strength,
)
