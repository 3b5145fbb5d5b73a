"""A call that was fine now does not end."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Hung, Raised, Returned
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed


def find(found: Behaved) -> Difference | None:
    """A call of no test that gave something, and now does not end though it is given more time.

    Example: ``digits(0)`` returned ``[]``, and with ``while n >= 0`` for ``while n > 0`` it loops.
    """
    hung = [
        each
        for each in found.old.departures
        if not each.call.is_tested and isinstance(each.mine, Hung) and isinstance(each.other, Returned)
    ]
    return min(hung, key=lambda each: len(each.call.source), default=None)


_ENDLESS = departed("digits(0)", Returned("[]"), Hung(1.0))


def _with(departure: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=(departure,)))


CHECK = Check(
    "new_hang",
    "a call that was fine now does not end",
    find,
    flagged=(_with(_ENDLESS),),
    clean=(
        _with(departed("digits(0)", Returned("[]"), Returned("[0]"))),
        _with(replace(_ENDLESS, other=Raised("ValueError", "'0'"))),
        _with(departed("digits(0)", Returned("[]"), Hung(1.0), CallOrigin.LIKE_TEST)),
    ),
)
