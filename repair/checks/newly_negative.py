"""A result has a number below zero where the old function, and every kept call, has none."""

from __future__ import annotations

import re
from dataclasses import replace

from analysis.behaviour import Behaviour, CallOrigin, Difference, Raised, Returned
from analysis.calls import AgainstOld
from repair.checks.check import Behaved, Check, departed

_NEGATIVE = re.compile(r"(?<![\w.)\]'\"-])-\d")


def find(found: Behaved) -> Difference | None:
    """A call whose numbers were none below zero, and that gives or leaves one now; no argument of it is one.

    Not where a mended call of a failing test has one, too: then that is what the fix is about.

    Example: ``left(3)`` gave 0 and gives -1.
    """
    if any(_has_negative(each.mine) for each in found.old.made):
        return None
    newly = [
        each
        for each in found.old.departures
        if _has_negative(each.mine) and not _has_negative(each.other) and not _NEGATIVE.search(each.call.given)
    ]
    return min(newly, key=lambda each: (not each.ordinary, len(each.call.source)), default=None)


def _has_negative(behaviour: Behaviour) -> bool:
    return isinstance(behaviour, Returned) and bool(_NEGATIVE.search(f"{behaviour.value} {behaviour.left}"))


_BELOW = departed("left(3)", Returned("0"), Returned("-1"))
_ASKED = departed("left(9)", Returned("0"), Returned("-9"), CallOrigin.MADE)


def _with(*departures: Difference) -> Behaved:
    return Behaved(AgainstOld(departures=departures))


CHECK = Check(
    "newly_negative",
    "a number goes below zero that did not before",
    find,
    flagged=(_with(_BELOW), _with(replace(_BELOW, mine=Returned("None", left="args ([-1],)")))),
    clean=(
        _with(replace(_BELOW, other=Returned("-2"))),
        _with(_BELOW, _ASKED),
        _with(departed("left(-3)", Returned("0"), Returned("-1"))),
        _with(replace(_BELOW, mine=Raised("ValueError", "'-1'"))),
        _with(replace(_BELOW, mine=Returned("'2024-1'"))),
    ),
)
