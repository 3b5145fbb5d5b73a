"""Behaviours, calls, differences and comparisons from the texts by which people speak of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from analysis.behaviour import (
    Behaviour,
    Call,
    CallOrigin,
    CallResult,
    Difference,
    Ended,
    Hung,
    Raised,
    Returned,
)
from analysis.calls import AgainstOld, AgainstRivals, Comparison, Tried
from analysis.facts import Digest, TestId


def behaviour(text: str, *, accident: bool = False) -> Behaviour:
    """``returns 5, leaves args ([],)``, ``raises KeyError('a')``, ``does not end within 1 s``, ``ends: signal 11``."""
    deed, _, left = text.partition(", leaves ")
    whole = not deed.endswith("…")
    if raised := re.match(r"raises ([\w.]+)(?:\((.*?)\)?)?\Z", deed, re.DOTALL):
        return Raised(raised[1], raised[2] or "", whole, left, incidental=accident)
    if hung := re.match(r"does not end within (\S+) s", deed):
        return Hung(float(hung[1]))
    if deed.startswith("ends"):
        return Ended(deed)
    assert deed.startswith("returns "), deed
    return Returned(deed.removeprefix("returns "), whole, left, incidental=accident)


def call(source: str, origin: CallOrigin = CallOrigin.GENERATED, test: TestId | None = None) -> Call:
    """A call, of which the text is all."""
    plain, _, context = source.partition(" on ")
    name, bracket, rest = plain.partition("(")
    return Call(name, bracket + rest, f"on {context}" if context else "", origin, test, instance=context)


def differs(
    source: str,
    mine: str,
    other: str,
    *,
    reached: bool = True,
    accident: bool = False,
    tested: bool = False,
    made: bool = False,
    test: str = "",
) -> Difference:
    """A call on which the candidate does ``mine``."""
    origin = CallOrigin.MADE if made else CallOrigin.LIKE_TEST if tested else CallOrigin.GENERATED
    whose = call(source, origin, TestId(test) if test else None)
    return Difference(whose, behaviour(mine, accident=accident), behaviour(other), reached)


def result(source: str, mine: str) -> CallResult:
    """A call and what the candidate does."""
    return CallResult(call(source), behaviour(mine))


def comparison(
    inputs: int = 0,
    differences: Iterable[tuple[str, Difference]] = (),
    failures: tuple[str, ...] = (),
    *,
    reaching: int = 0,
    touching: int = 0,
    unknown: Iterable[str] = (),
    **against_old: Any,
) -> Comparison:
    """A comparison with rivals, each by its digest; ``against_old`` are fields of the one with the old function."""
    rivals = AgainstRivals(tuple((Digest(d), each) for d, each in differences), frozenset(map(Digest, unknown)))
    return Comparison(Tried(inputs, reaching, touching, failures), AgainstOld(**against_old), rivals)


def changed(
    difference: Difference,
    *,
    source: str = "",
    mine: str = "",
    other: str = "",
    origin: CallOrigin | None = None,
    accident: bool | None = None,
) -> Difference:
    """The difference with another call, other behaviours or another origin of the call."""
    was = difference.is_accident if accident is None else accident
    ours = behaviour(mine, accident=was) if mine else difference.mine
    if accident is not None and isinstance(ours, Returned | Raised):
        ours = replace(ours, incidental=accident)
    before = difference.call
    whose = call(source or before.source, origin or before.origin, before.test)
    return Difference(whose, ours, behaviour(other) if other else difference.other, difference.reached)
