"""What is measured of a patch's behaviour whether or not there is a doubt: before it is judged, and by the gate."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

from analysis.behaviour import is_truth_value
from analysis.siblings import taken_out_of_line
from repair.checks.check import Behaved
from repair.checks.rival import RivalKind, is_narrower, modesty

MUCH = 0.5
"""A larger share of calls that change counts as this one: few of the patches that weights are learned on have it."""

TELLING = 0.2
"""How strong a doubt about another patch is at least that settles what is said of that one, too."""


def measure(known: Behaved) -> Iterator[tuple[str, float]]:
    """The features that every patch has, each from 0 to 1."""
    tried, old = known.tried, known.old
    fresh = [each for each in old.departures if not each.call.is_tested and each.ordinary]
    harmless = [each for each in fresh if not known.fix.has_symptom(each.other)]
    around = [(each.tried, each.moved) for each in old.surroundings if each.test in known.passing]
    near = sum(tried for tried, _ in around)
    yield "changed_share", min(MUCH, len(harmless) / tried.reaching) if tried.reaching else 0.0
    yield "near_changed", min(MUCH, sum(moved for _, moved in around) / near) if near else 0.0
    yield "reaching", _on_scale(tried.reaching, 8)
    yield "size", _on_scale(known.size, 6)
    yield "vouching", _on_scale(known.vouching, 6)
    yield "failing", _on_scale(len(known.failing), 3)
    others = [each for each in known.credible if each.kind is RivalKind.CANDIDATE]
    agreeing = sum(not each.differences for each in others)
    yes_or_no = any(is_truth_value(each.mine) for each in known.told)  # then any two agree half of the time
    yield "rivals_agreeing", 0.0 if yes_or_no else _on_scale(agreeing, 4)
    likely = [each for each in known.credible if each.size <= known.size]
    yield "narrower", _on_scale(sum(is_narrower(each, known.fix) for each in likely), 4)
    beside = taken_out_of_line(known.before, known.after, known.siblings)
    yield "unlike_beside", float(beside is not None)
    yield "wider", _on_scale(sum(modesty(each, known.fix) < 1 for each in likely), 4)


def _on_scale(count: int, doublings: int) -> float:
    """The logarithm of a count, 1 for so many doublings."""
    return min(1.0, log2(1 + count) / doublings)
