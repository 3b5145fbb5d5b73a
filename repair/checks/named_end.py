"""The docstring names the end that the patch gives to calls that failed, although no arguments decide when it comes."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Behaviour, CallOrigin, Raised, Returned
from analysis.calls import AgainstOld
from analysis.stated.fact import Gives, Raises, Undecided
from analysis.stated.function import Stated
from repair.checks.check import Behaved, Support, departed, written
from repair.checks.stated_facts import is_unnamed


def find(found: Behaved) -> str:
    """The words, and where they stand; nothing where some call of a failing test ends as nothing that is written names.

    Example: "The fields of a line; None for a line of another form": ``parse('x')`` raised ``AttributeError`` and gives
    ``None`` with the patch.
    """
    stated = found.fix.stated
    mended = [each for each in found.old.made if _is_unmeant(each.other, stated)]
    if any(is_unnamed(each.mine, stated) for each in mended):
        return ""
    named = [fact for each in mended if (fact := stated.named_by(each.mine)) is not None]
    return stated.cite(named[0]) if named else ""


def _is_unmeant(old: Behaviour, stated: Stated) -> bool:
    """Whether a call ended in an exception that nothing that is written names."""
    return isinstance(old, Raised) and stated.named_by(old) is None


_OR_NONE = written(Undecided("a line of another form"), Gives("None"), "None for a line of another form.", sure=False)
_REFUSES = written(Undecided("nobody knows n"), Raises("KeyError"), "Raises KeyError if nobody knows n.", sure=False)
_NOTHING = departed("price(7)", Raised("AttributeError"), Returned("None"), CallOrigin.MADE)
_MENDED = Behaved(AgainstOld(departures=(_NOTHING,)), stated=_OR_NONE)

SUPPORT = Support(
    "named_end",
    find,
    supported=(
        _MENDED,
        replace(_MENDED, old=AgainstOld(departures=(replace(_NOTHING, mine=Raised("KeyError")),)), stated=_REFUSES),
    ),
    silent=(
        Behaved(AgainstOld(departures=(_NOTHING,))),
        replace(_MENDED, old=AgainstOld(departures=(replace(_NOTHING, mine=Returned("''")),))),
        replace(_MENDED, old=AgainstOld(departures=(replace(_NOTHING, other=Returned("5")),))),
        replace(_MENDED, old=AgainstOld(departures=(_NOTHING, replace(_NOTHING, mine=Returned("-1"))))),
    ),
)
