"""What pairs of outcomes may claim: an exact sign test, e-values, spent error, and a bootstrap over projects.

The unit is the task: the mean of its samples with the edit, less the mean without it. Samples of a task are never
counted as if they were tasks, and tasks of a project stay together.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, comb, fsum, pi
from random import Random

RESAMPLES = 400
CONFIDENCE = 0.90
"""One-sided: the bounds leave a tenth on their side."""


@dataclass(frozen=True, slots=True)
class TaskPair:
    """One task under both prompts: mean scores over the same seeds."""

    task: str
    project: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """What the edit gains on this task."""
        return self.after - self.before


def count_signs(pairs: Iterable[TaskPair]) -> tuple[int, int]:
    """How many tasks the edit wins, and how many it loses."""
    signs = [pair.difference for pair in pairs]
    return sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)


def sign_test(wins: int, losses: int) -> float:
    """Chance of so many wins or more among the tasks that differ, if the edit does nothing (one-sided, exact)."""
    total = wins + losses
    return float(sum(comb(total, k) for k in range(wins, total + 1)) / 2**total)


def e_value(wins: int, losses: int) -> float:
    """The evidence for an edit that wins, which may be looked at after every task.

    It is the mean likelihood ratio over all shares of wins from one half to one, each as likely as any other. Under an
    edit that does nothing it exceeds ``x`` at any time with a chance of at most ``1/x`` (Ville's inequality).
    """
    total = wins + losses
    tail = sum(comb(total + 1, k) for k in range(wins + 1))
    return float(tail / ((total + 1) * comb(total, wins)))


def spent_error(number: int, whole: float = 0.05) -> float:
    """The error that the A/B test of this number, from 1 on, may spend: all of them together spend ``whole``."""
    return whole * 6 / (pi * number) ** 2


@functools.cache
def early_chance(threshold: float, tasks: int) -> float:
    """The chance that the e-value of an edit that does nothing reaches the threshold at any of so many differing tasks.

    It is exact: the walk of wins and losses is followed step by step.
    """
    reached, walks = 0.0, {0: 1.0}
    for total in range(1, tasks + 1):
        stepped: dict[int, float] = {}
        for wins, chance in walks.items():
            for after in (wins, wins + 1):
                stepped[after] = stepped.get(after, 0.0) + chance / 2
        reached += sum(chance for wins, chance in stepped.items() if e_value(wins, total - wins) >= threshold)
        walks = {wins: chance for wins, chance in stepped.items() if e_value(wins, total - wins) < threshold}
    return reached


@functools.cache
def early_threshold(error: float, tasks: int) -> float:
    """The least e-value, from 8 on in steps of a tenth, that an edit which does nothing reaches with such a chance."""
    threshold = 8.0
    while early_chance(threshold, tasks) > error:
        threshold *= 1.1
    return threshold


def mean_difference(pairs: Sequence[TaskPair]) -> float:
    """The mean gain of a task; 0 without tasks."""
    return fsum(pair.difference for pair in pairs) / len(pairs) if pairs else 0.0


def bounds(pairs: Sequence[TaskPair], rng: Random, resamples: int = RESAMPLES) -> tuple[float, float]:
    """The lower and the upper bound of the mean gain, each one-sided at 90 %; whole projects are drawn anew.

    With fewer than two projects nothing is known of other ones: the bounds are -2 and 2, the ends of all gains.
    """
    projects: dict[str, list[float]] = defaultdict(list)
    for pair in pairs:
        projects[pair.project].append(pair.difference)
    if len(projects) < 2:
        return -2.0, 2.0
    sums = [(fsum(found), len(found)) for _, found in sorted(projects.items())]
    means = []
    for _ in range(resamples):
        drawn = rng.choices(sums, k=len(sums))
        means.append(fsum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    place = ceil(len(means) * (1 - CONFIDENCE)) - 1
    return means[place], means[-1 - place]
