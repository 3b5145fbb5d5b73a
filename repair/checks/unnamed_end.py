"""Where the docstring names what stands for nothing, or an exception, the patch ends in another one."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import CallOrigin, Difference, Raised, Returned
from analysis.calls import AgainstOld
from analysis.stated.fact import Gives, Raises, Undecided
from repair.checks.check import Behaved, Check, departed, told_apart, written
from repair.checks.rival import RivalKind
from repair.checks.stated_facts import is_unnamed


def find(found: Behaved) -> Difference | None:
    """A call that ends with the patch as nothing that is written names, and under another program as is written.

    Example: "The first match, or None", and ``first('x')`` gives -1 with the patch, ``None`` with a rival.
    """
    stated = found.fix.stated
    told = [each for rival in found.credible for each in rival.differences]
    changed = [each for each in found.old.departures if not each.call.is_made]
    unnamed = [e for e in (*changed, *told) if is_unnamed(e.mine, stated) and stated.named_by(e.other)]
    return min(unnamed, key=lambda each: (not each.ordinary, len(each.call.source)), default=None)


_OR_NONE = written(Undecided("nothing matches"), Gives("None"), "The first match, or None.", sure=False)
_UNKNOWN = written(Undecided(""), Raises("KeyError"), "Raises KeyError for unknown names.", sure=False)
_MINUS = departed("price(7)", Returned("None"), Returned("-1"))
_TOLD = Behaved(rivals=(told_apart(RivalKind.CANDIDATE, _MINUS),), stated=_OR_NONE)

CHECK = Check(
    "unnamed_end",
    "the docstring names another end than the patch's",
    find,
    flagged=(
        _TOLD,
        Behaved(AgainstOld(departures=(_MINUS,)), stated=_OR_NONE),
        Behaved(
            AgainstOld(departures=(replace(_MINUS, mine=Raised("ValueError"), other=Raised("KeyError")),)),
            stated=_UNKNOWN,
        ),
    ),
    clean=(
        replace(_TOLD, rivals=(told_apart(RivalKind.CANDIDATE, replace(_MINUS, mine=Returned("5"))),)),
        replace(_TOLD, rivals=(told_apart(RivalKind.CANDIDATE, replace(_MINUS, other=Returned("''"))),)),
        replace(_TOLD, stated=_UNKNOWN),
        Behaved(
            AgainstOld(departures=(departed("price(7)", Returned("None"), Returned("-1"), CallOrigin.MADE),)),
            stated=_OR_NONE,
        ),
    ),
    strength=lambda found: 1.0,
)
