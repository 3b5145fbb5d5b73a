"""Coverage spectra: how often failing and passing tests run an element, and what that says about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from analysis.facts import LineMap, TestId

Line = tuple[str, int]
"""A line of a file."""


@dataclass(frozen=True, slots=True)
class SpectrumCounts:
    """Tests that execute an element (``e``) or do not (``n``), failing (``f``) and passing (``p``)."""

    ef: int
    ep: int
    nf: int
    np: int


def ochiai(counts: SpectrumCounts) -> float:
    """Ochiai's coefficient, 0 to 1.

    It comes from Ochiai, "Zoogeographical studies on the soleoid fishes found in Japan and its neighbouring regions"
    (1957). Abreu, Zoeteweij and van Gemund took it for fault localization in "An evaluation of similarity coefficients
    for software fault localization" (PRDC 2006).
    """
    product = (counts.ef + counts.nf) * (counts.ef + counts.ep)
    return counts.ef / math.sqrt(product) if product else 0.0


def dstar(counts: SpectrumCounts, star: int = 2) -> float:
    """D*: unbounded, and infinite for what all failing and no passing tests execute.

    Wong, Debroy, Gao and Li, "The DStar method for effective software fault localization" (IEEE Transactions on
    Reliability, 2014).
    """
    if not counts.ef:
        return 0.0
    others = counts.ep + counts.nf
    return counts.ef**star / others if others else math.inf


def bound_score(score: float) -> float:
    """An unbounded score as a number from 0 to 1, in the same order."""
    return 1.0 if math.isinf(score) else score / (1.0 + score)


def line_counts(
    line_map: LineMap, failing: Collection[TestId], passing: Collection[TestId]
) -> dict[Line, SpectrumCounts]:
    """Counts of each line that at least one of these tests executes. Other tests are left out."""
    wanted_failing, wanted_passing = frozenset(failing), frozenset(passing)
    seen = {test for test, _ in line_map}
    failed, passed = len(wanted_failing & seen), len(wanted_passing & seen)
    ef: Counter[Line] = Counter()
    ep: Counter[Line] = Counter()
    for test, files in line_map:
        counter = ef if test in wanted_failing else ep if test in wanted_passing else None
        if counter is not None:
            counter.update((path, line) for path, lines in files for line in lines)
    return {
        line: SpectrumCounts(ef[line], ep[line], failed - ef[line], passed - ep[line]) for line in ef.keys() | ep.keys()
    }
