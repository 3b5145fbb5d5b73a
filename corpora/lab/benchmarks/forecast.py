"""Whether earlier fixes of a project say of which family the next one is: histories walked forward by date.

Of each fix that is one edit of ours the memory is asked first, and told then. It is the product's own: the ledger, its
back-off and its bounds. Nothing is run: the family of a fix is known from its trees, and its failure from the commit's
message and tests. What a run knows beside that (exception, relation of got to wanted) is empty here.

A *gain* is the mean of how much likelier, in natural logarithms, the fix is than by the learned order alone. In the
first control the fixes of a history have changed places, so that none belongs to its failure. A project's liking for
a family is left to them. In the second one families are drawn by the learned order, so that nothing is left.
"""

from __future__ import annotations

import datetime
import math
import random
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.facts import FailureClass
from corpora.lab.learning.changes import small_change
from corpora.lab.learning.learn import Learning, learn
from corpora.lab.learning.seen import Seen
from corpora.mining.repository import Repository
from repair.front.run_inputs import LEARNED, order_named
from repair.memory.ledger import FILE, LedgerEntry, RunLedger
from repair.memory.prediction import factors_of
from repair.memory.signature import FailureSignature, shape_of
from transforms.enumerate.order import Order

ROUNDS = 10
"""Draws of each control."""

KEY = b"forecast" * 4
Shares = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class HistoryFix:
    """A fix of a history: its day, what failed, and the families that give it; the likeliest first."""

    project: str
    day: int
    signature: FailureSignature
    families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """One fix as it was foretold: its logarithm, and whether the likeliest family was one of its own; both twice."""

    project: str
    gain: float
    is_first: bool
    is_first_without: bool


def fixes_of(root: Path, keep: Path | None, order: Order, listen: Callable[[str], None]) -> list[HistoryFix]:
    """The fixes of a history that are one edit of ours, the oldest first."""
    _, each = learn([root], Learning(keep=keep), listen)
    (learned,) = each.values()
    made = {fix.commit: fix for fix in learned.made}
    found = []
    with Repository(root) as repository:
        for commit in reversed(repository.commits_named(list(made))):
            change, fix = small_change(repository, commit), made[commit.id]
            assert change is not None, "it was seen as a small change"
            day = datetime.date.fromisoformat(commit.date).toordinal() - datetime.date(1970, 1, 1).toordinal()
            shape = shape_of(change.before, change.span.function)
            like = FailureSignature(fix.failure_class.value, fix.subclass, shape=shape)
            found.append(HistoryFix(root.name, day, like, _families(fix, order)))
    return sorted(found, key=lambda one: one.day)


def _families(fix: Seen, order: Order) -> tuple[str, ...]:
    shares = order.family_shares(fix.failure_class, fix.subclass)
    return tuple(sorted({way.family for way in fix.ways}, key=lambda family: -shares.get(family, 0.0)))


def forecasts(fixes: Sequence[HistoryFix], order: Order, *, of_all: bool) -> list[Forecast]:
    """Each fix as those before it foretell it: those of its own project, or ``of_all`` of them."""
    found = []
    with tempfile.TemporaryDirectory(prefix="forecast-") as folder:
        ledgers = {name: RunLedger(Path(folder, FILE), KEY, name) for name in {fix.project for fix in fixes}}
        for number, fix in enumerate(fixes):
            base = _base(order, fix)
            tallies = ledgers[fix.project].tallies(fix.signature, fix.day, of_all=of_all)
            found.append(_forecast(fix, base, factors_of(base, tallies)))
            run = f"run-{number:06d}"
            row = LedgerEntry(run, 1, fix.day, fix.signature, "search", fix.families[0], "certified")
            ledgers[fix.project].add([row])
    return found


def _base(order: Order, fix: HistoryFix) -> Shares:
    return order.family_shares(FailureClass(fix.signature.failure_class), fix.signature.subclass)


def _forecast(fix: HistoryFix, base: Shares, factors: Shares) -> Forecast:
    told = {family: share * factors.get(family, 1.0) for family, share in base.items()}
    likely = sum(told[family] for family in fix.families) / sum(told.values())
    gain = math.log(likely / sum(base[family] for family in fix.families))
    first, usual = (max(shares, key=lambda family: shares[family]) in fix.families for shares in (told, base))
    return Forecast(fix.project, gain, first, usual)


def exchange(fixes: Sequence[HistoryFix], order: Order, source: random.Random) -> list[HistoryFix]:
    """The same fixes, each project's families dealt out anew among them."""
    dealt: dict[str, list[tuple[str, ...]]] = {}
    for fix in fixes:
        dealt.setdefault(fix.project, []).append(fix.families)
    for each in dealt.values():
        source.shuffle(each)
    return [replace(fix, families=dealt[fix.project].pop()) for fix in fixes]


def draw(fixes: Sequence[HistoryFix], order: Order, source: random.Random) -> list[HistoryFix]:
    """The same failures, each mended by a family that is drawn by the order."""
    drawn = []
    for fix in fixes:
        base = _base(order, fix)
        drawn.append(replace(fix, families=(source.choices(list(base), list(base.values()))[0],)))
    return drawn


CONTROLS = {"exchanged": exchange, "drawn": draw}


def forecast_figures(roots: Sequence[Path], keep: Path | None, listen: Callable[[str], None]) -> dict[str, Any]:
    """For each history how many fixes it has, the gain by its own and by all, and that of both controls."""
    order = order_named(LEARNED, Path())
    fixes = [fix for root in roots for fix in fixes_of(root, keep, order, listen)]
    fixes.sort(key=lambda fix: fix.day)
    found: dict[str, Any] = {root.name: {"fixes": sum(fix.project == root.name for fix in fixes)} for root in roots}
    for of_all in (False, True):
        kind = "all" if of_all else "own"
        _enter(found, f"gain_{kind}", [forecasts(fixes, order, of_all=of_all)])
        for name, change in CONTROLS.items():
            changed = [change(fixes, order, random.Random(number)) for number in range(ROUNDS)]
            _enter(found, f"{name}_{kind}", [forecasts(each, order, of_all=of_all) for each in changed])
    for name in [key for key in next(iter(found.values()), {}) if key.startswith(("gain", *CONTROLS))]:
        found[f"gaining, {name}"] = sum(found[root.name].get(name, 0.0) > 0 for root in roots)
    own = forecasts(fixes, order, of_all=False)
    found["first family, with the memory and without"] = (
        sum(each.is_first for each in own),
        sum(each.is_first_without for each in own),
    )
    return found


def _enter(found: dict[str, Any], name: str, rounds: Sequence[Sequence[Forecast]]) -> None:
    """Each history's mean gain over all of its fixes and rounds, under that name."""
    gains: dict[str, list[float]] = {}
    for each in (one for told in rounds for one in told):
        gains.setdefault(each.project, []).append(each.gain)
    for project, values in gains.items():
        found[project][name] = round(statistics.fmean(values), 4)
