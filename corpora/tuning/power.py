"""What a campaign can accept, foretold by formulas that the benchmark's simulations are held against."""

from __future__ import annotations

import functools
import itertools
from bisect import bisect_left
from math import comb, cos, exp, fsum, lgamma, log, pi, sin
from statistics import NormalDist

from corpora.tuning.campaign import TunePlan
from corpora.tuning.decisions import LOOK_PART
from corpora.tuning.evidence import CONFIDENCE, spent_error
from corpora.tuning.tuning_loop import MORE

GAINS, USUAL_TEST = (30, 20, 10), 3
"""Gains in points, and the number of a test, for which a campaign says what it can see."""
BETA, MESH, FLIPS = 0.22, 200, 0.15
"""The ends of the Beta distribution of chances in our benchmark, and the steps in which it is followed. So many of two
attempts at one task differ by it."""
SEEN, MOST_WANTED = 0.8, 5_000
"""What is accepted so often is called visible; so many tasks at most are told as wanted."""


def describe_power(plan: TunePlan) -> str:
    """How many edits of which size the campaign can accept, and how many tasks it would want for small ones."""
    tasks, samples = len(plan.of_share("select")), MORE * plan.samples

    def level(number: int) -> float:
        return LOOK_PART * spent_error(number, plan.error)

    told = []
    for points in GAINS:
        chances = (chance_of_acceptance(points / 100, tasks, level(n), samples) for n in range(1, plan.iterations + 1))
        many = sum(1 for _ in itertools.takewhile(lambda chance: chance >= SEEN, chances))
        told.append(f"{points} points: {f'any of the first {many}' if many else 'none'}")
    least, wanted = GAINS[-1], tasks_wanted(GAINS[-1] / 100, level(USUAL_TEST), samples)
    deleted = chance_of_deletion(plan.margin, tasks, plan.samples)
    return (
        f"{tasks} select tasks. Edits that are accepted in 80 of 100 cases, by what they gain and the number of their "
        f"test: {'; '.join(told)}. {least} points in test {USUAL_TEST} want {wanted} select tasks. The deletion of a "
        f"sentence that does nothing, at a margin of {100 * plan.margin:g} points: {100 * deleted:.0f} of 100 pass"
    )


def chance_of_acceptance(gain: float, tasks: int, level: float, samples: int) -> float:
    """How often the sign test sees a gain, as a share of the tasks, at that level of error.

    It is of tasks like those of our benchmark: half of all attempts succeed, and two attempts at one task differ in 15
    of 100. The gain is spread over all failures. Both arms have so many ``samples`` of each task, and as many tasks
    differ as are expected to.
    """
    wins, losses = _signs_of(gain, samples)
    differing, share = round(tasks * (wins + losses)), wins / (wins + losses)
    return fsum(
        exp(_log_ways(differing, k) + k * log(share) + (differing - k) * log(1 - share))
        for k in range(_wins_needed(differing, level), differing + 1)
    )


def _log_ways(total: int, chosen: int) -> float:
    return lgamma(total + 1) - lgamma(chosen + 1) - lgamma(total - chosen + 1)


@functools.cache
def _wins_needed(total: int, level: float) -> int:
    """The fewest wins among so many tasks that differ which the sign test takes for a gain; more than all, if none."""
    wins, ways, most = total, 1, int(level * 2**60) << total >> 60
    while wins > 0 and ways <= most:
        wins -= 1
        ways += comb(total, wins)
    return wins + 1 if ways > most else wins


@functools.cache
def _signs_of(gain: float, samples: int) -> tuple[float, float]:
    """The chances that a task is won, and that it is lost, over the Beta distribution of our benchmark."""
    won = lost = whole = 0.0
    for number in range(MESH):
        angle = (number + 0.5) * pi / 2 / MESH  # success is its sine squared, so that both ends are resolved
        before = sin(angle) ** 2
        after = before + 2 * gain * (1 - before)
        weight = (sin(angle) * cos(angle)) ** (2 * BETA - 1)
        old, new = (
            [comb(samples, k) * one**k * (1 - one) ** (samples - k) for k in range(samples + 1)]
            for one in (before, min(1.0, after))
        )
        won += weight * sum(old[k] * new[m] for k in range(samples + 1) for m in range(k + 1, samples + 1))
        lost += weight * sum(old[k] * new[m] for k in range(samples + 1) for m in range(k))
        whole += weight
    return won / whole, lost / whole


def tasks_wanted(gain: float, level: float, samples: int) -> int:
    """How many select tasks see such a gain in four of five campaigns, in steps of ten."""
    steps = range(10, MOST_WANTED, 10)
    found = bisect_left(steps, x=True, key=lambda tasks: chance_of_acceptance(gain, tasks, level, samples) >= SEEN)
    return steps[min(found, len(steps) - 1)]


def chance_of_deletion(margin: float, tasks: int, samples: int) -> float:
    """How often a sentence that does nothing passes the test of its deletion, on tasks like those of our benchmark.

    The lower bound has to be above the margin, and the mean above a quarter of it.
    """
    if not tasks:
        return 0.0
    spread, normal = (FLIPS / samples / tasks) ** 0.5, NormalDist()
    needed = max(normal.inv_cdf(CONFIDENCE) * spread - margin, -margin / 4)
    return 1 - normal.cdf(needed / spread)
