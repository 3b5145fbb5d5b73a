"""The patch mends the failing tests' own calls alone: what is like them ends as it did."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Behaviour, CallOrigin, CallResult, Difference, Raised, Returned
from analysis.calls import AgainstOld, Neighbours, Tried
from repair.checks.check import (
    FAILING,
    LEAST_SPARED,
    PASSING,
    THOROUGH,
    Behaved,
    Check,
    ask_as_before,
    departed,
    kept,
    near,
)


def find(found: Behaved) -> CallResult | None:
    """An input like the failing tests' own on which nothing changes, where nothing changes on any input but theirs.

    Three kinds of other inputs that change count as theirs:

    - one that now gets the very answer of a tested one, a constant of the patch: a special case may have some room;
    - one that differs from a tested one in a sign: a function may call itself;
    - one that raises something else, where the tests' calls return.

    ``None`` where another input is mended too, where too few were tried, or where the patch has no constant of its own.

    Example: the patch reads ``if n == 12: return 'dozen'``, and ``name(13)`` to ``name(15)`` are as before.
    """
    around = [each for each in found.old.neighbours if each.test in found.failing]
    spared = [result for each in around for result in each.spared]
    tested = [each for each in found.old.departures if each.call.is_tested]
    constants = {repr(value) for value in found.brought_in}
    fixed = {each.mine for each in tested if _gives(each.mine, constants)}
    unsigned = {each.call.given.replace("-", "") for each in tested}
    moved = [(each.call, each.mine) for each in found.old.departures if not each.call.is_tested]
    moved += [(result.call, result.mine) for each in around for result in each.followed]
    behaviours = [mine for call, mine in moved if call.given.replace("-", "") not in unsigned]
    if all(isinstance(each.mine, Returned) for each in tested):
        behaviours = [mine for mine in behaviours if isinstance(mine, Returned)]
    if not found.brought_in or not tested or any(mine not in fixed for mine in behaviours):
        return None
    return spared[0] if len(spared) >= LEAST_SPARED and found.tried.is_thorough else None


def _gives(behaviour: Behaviour, constants: set[str]) -> bool:
    """Whether the call gives a constant of the patch, and does nothing else."""
    return isinstance(behaviour, Returned) and not behaviour.left and behaviour.value in constants


_REFUSED = Raised("ValueError", "'x'")
_MENDED = departed("price('5.5')", _REFUSED, Returned("550"), CallOrigin.LIKE_TEST)
_FOLLOWING = departed("price('6.5')", _REFUSED, Returned("650"))
_FIXED = departed("price('6.5')", _REFUSED, Returned("550"))
_OTHER_ERROR = departed("price('6.5')", _REFUSED, Raised("TypeError", "'x'"))
_SPARED = tuple(kept(f"price('{n}.6')", _REFUSED) for n in range(4))
_ONLY = Behaved(AgainstOld(departures=(_MENDED,), neighbours=near(*_SPARED)), THOROUGH, brought_in=(550,))


def _when(
    departures: tuple[Difference, ...] = _ONLY.old.departures, neighbours: tuple[Neighbours, ...] = _ONLY.old.neighbours
) -> Behaved:
    return replace(_ONLY, old=AgainstOld(departures=departures, neighbours=neighbours))


CHECK = Check(
    "tested_values_alone",
    "it changes what the failing tests themselves call, and nothing that is like it",
    find,
    flagged=(
        _ONLY,
        _when(departures=(_MENDED, _FIXED)),
        _when(departures=(_MENDED, _OTHER_ERROR)),
        _when(departures=(_MENDED, departed("price('-5.5')", _REFUSED, Returned("650")))),
        replace(_when(neighbours=(*near(*_SPARED[:2]), *near(*_SPARED[2:], test=PASSING))), failing=(PASSING, FAILING)),
    ),
    clean=(
        replace(_ONLY, brought_in=()),
        replace(_ONLY, tried=Tried(30, reaching=7)),
        _when(departures=()),
        _when(departures=(_MENDED, _FOLLOWING)),
        _when(neighbours=()),
        _when(neighbours=near(*_SPARED, followed=(kept("price('6.5')", Returned("650")),))),
        _when(neighbours=near(*_SPARED[:2])),
        _when(neighbours=near(*_SPARED, test=PASSING)),
        _when(departures=(replace(_MENDED, mine=Raised("KeyError", "'x'")), _OTHER_ERROR)),
    ),
    question=ask_as_before,
)
