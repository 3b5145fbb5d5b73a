"""Groups of failing tests: those for which one function can be answerable, the likeliest function first.

One patch changes one function, so failing tests that have no function in common are not mended by one patch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Outcome, TestId, TestResult
from analysis.functions import span_of
from repair.records.plan import Localized, covering_tests
from repair.records.task import Baseline
from repair.records.wording import count_noun

QUICK_SECONDS = 0.05
"""Tests that took less are alike: what they took is chance."""


@dataclass(frozen=True, slots=True)
class Group:
    """Baseline and diagnosis as far as they concern the tests of the group; ``others`` fail too.

    Its failing tests are in the order in which trials run them: slow ones last, since most trials end at the first.
    """

    baseline: Baseline
    localized: Localized
    others: tuple[TestId, ...] = ()


def groups(baseline: Baseline, localized: Localized) -> Iterator[Group]:
    """The first suspect's tests, then those that are left of the next suspect that runs any, and so on.

    A suspect of which the line map says nothing may be answerable for all.
    """
    covered = {}
    for suspect in localized.suspects:
        span = span_of(localized.index.get(suspect.function.path, ()), suspect.function)
        found = covering_tests(baseline.traced.line_map, baseline.failing, span) if span is not None else ()
        covered[suspect] = found or baseline.failing
    took = {r.test: _count_doublings(r) for r in baseline.outcomes}
    left = baseline.failing
    for suspect in localized.suspects:
        tests = tuple(test for test in left if test in covered[suspect])
        if not tests:
            continue
        left = tuple(test for test in left if test not in tests)
        theirs = (s for s in localized.suspects if s is not suspect and any(test in covered[s] for test in tests))
        diagnoses = tuple(d for d in localized.diagnoses if d.failure.test in tests) or localized.diagnoses
        yield Group(
            replace(baseline, failing=tuple(sorted(tests, key=lambda test: took.get(test, 0.0)))),
            replace(localized, diagnoses=diagnoses, suspects=(suspect, *theirs)),
            tuple(test for test in baseline.failing if test not in tests),
        )


def _count_doublings(result: TestResult) -> float:
    """How often what a test took has to be halved to be little: infinitely often where it hangs."""
    if result.outcome is Outcome.HANG:
        return math.inf
    return math.ceil(math.log2(max(1.0, result.seconds / QUICK_SECONDS)))


def describe_left_over(others: Sequence[TestId], mended: int = 0) -> tuple[str, ...]:
    """What is left for a next run, in a sentence, where so many of these tests pass with the answer; none if all do."""
    if len(others) <= mended:
        return ()
    named = ", ".join(others[:5])
    known = f" ({mended} of them pass with this patch)" if mended else ""
    return (f"{count_noun(len(others), 'other failing test')} left for a next run{known}: {named}",)
