"""What counts may claim: intervals, unbiased estimates, paired tests, and when a sample is too small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt

Z95 = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""

LEAST_BUGS = 30
"""Below this many bugs a rate is marked: its interval is wider than a third."""

LEAST_DISCORDANT = 6
"""Fewer pairs that differ cannot reach p < 0.05 in a two-sided exact test, however one-sided they are."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % interval by Wilson (1927), which also holds for shares at 0 and 1."""

    count: int
    total: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share itself; 0 where nothing was counted."""
        return self.count / self.total if self.total else 0.0

    @property
    def small(self) -> bool:
        """Whether the sample is too small for a claim."""
        return self.total < LEAST_BUGS


def rate(count: int, total: int) -> Rate:
    """The share of ``count`` in ``total`` with its interval; nothing counted leaves everything open."""
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share")
    if not total:
        return Rate(0, 0, 0.0, 1.0)
    share, spread = count / total, Z95 * Z95 / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / total + spread / total / 4) / (1 + spread)
    return Rate(count, total, 0.0 if not count else middle - half, 1.0 if count == total else middle + half)


def at_k(attempts: int, successes: int, k: int) -> float:
    """Chance that at least one of ``k`` attempts drawn without replacement is a success (Chen et al., 2021)."""
    if not (0 <= successes <= attempts and 1 <= k <= attempts):
        raise ValueError(f"{k} of {attempts} attempts with {successes} successes cannot be drawn")
    return 1.0 - comb(attempts - successes, k) / comb(attempts, k)


def mean_at_k(tallies: Sequence[tuple[int, int]], k: int) -> float | None:
    """The mean over bugs of (attempts, successes); ``None`` where some bug has fewer attempts than ``k``."""
    if not tallies or any(attempts < k for attempts, _ in tallies):
        return None
    return sum(at_k(attempts, successes, k) for attempts, successes in tallies) / len(tallies)


@dataclass(frozen=True, slots=True)
class Paired:
    """Two methods on the same bugs: how many each alone got, and the two-sided exact p-value (McNemar, 1947)."""

    only_first: int
    only_second: int
    both: int
    neither: int
    p: float

    @property
    def small(self) -> bool:
        """Whether too few pairs differ for any claim."""
        return self.only_first + self.only_second < LEAST_DISCORDANT


def compare_pairs(outcomes: Sequence[tuple[bool, bool]]) -> Paired:
    """McNemar's test in its exact binomial form on pairs of outcomes."""
    first = sum(a and not b for a, b in outcomes)
    second = sum(b and not a for a, b in outcomes)
    both = sum(a and b for a, b in outcomes)
    differing = first + second
    tail = sum(comb(differing, i) for i in range(min(first, second) + 1))
    p = min(1.0, 2 * tail / 2**differing) if differing else 1.0
    return Paired(first, second, both, len(outcomes) - first - second - both, p)
