"""Intervals of shares whose cases are alike within groups."""

from __future__ import annotations

import random
from collections.abc import Sequence

DRAWS = 2000
"""Samples of a bootstrap."""


def clustered_interval(groups: Sequence[tuple[int, int]], seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of a share whose cases come in groups of (count, total) that may be alike within.

    Whole groups are drawn with replacement, and the percentiles taken (cluster bootstrap: Davison and Hinkley, 1997).
    A share of 0 or 1 in every group gives no width: the interval by Wilson is the one to read then.
    """
    filled = [group for group in groups if group[1]]
    if not filled:
        return 0.0, 1.0
    draws = random.Random(seed)
    shares = []
    for _ in range(DRAWS):
        drawn = draws.choices(filled, k=len(filled))
        shares.append(sum(count for count, _ in drawn) / sum(total for _, total in drawn))
    shares.sort()
    return shares[round(0.025 * DRAWS)], shares[round(0.975 * DRAWS) - 1]
