"""Groups of failing tests: those for which one function can be answerable, the likeliest function first.

One patch changes one function, so failing tests that have no function in common are not mended by one patch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Outcome, Suspect, TestId
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
    covered = {s: _find_covering(s, baseline, localized) for s in localized.suspects}
    left = baseline.failing
    for suspect in localized.suspects:
        tests = tuple(test for test in left if test in covered[suspect])
        if tests:
            left = tuple(test for test in left if test not in tests)
            theirs = tuple(s for s in localized.suspects if any(test in covered[s] for test in tests))
            ordered = (suspect, *(s for s in theirs if s is not suspect))
            yield _group(baseline, localized, tests, ordered)


def describe_left_over(others: Sequence[TestId], mended: int = 0) -> tuple[str, ...]:
    """What is left for a next run, in a sentence, where so many of these tests pass with the answer; none if all do."""
    if len(others) <= mended:
        return ()
    named = ", ".join(others[:5])
    known = f" ({mended} of them pass with this patch)" if mended else ""
    return (f"{count_noun(len(others), 'other failing test')} left for a next run{known}: {named}",)


def _find_covering(suspect: Suspect, baseline: Baseline, localized: Localized) -> Sequence[TestId]:
    span = span_of(localized.index.get(suspect.function.path, ()), suspect.function)
    found = covering_tests(baseline.traced.line_map, baseline.failing, span) if span is not None else ()
    return found or baseline.failing


def _group(baseline: Baseline, localized: Localized, tests: tuple[TestId, ...], suspects: tuple[Suspect, ...]) -> Group:
    diagnoses = tuple(d for d in localized.diagnoses if d.failure.test in tests)
    return Group(
        replace(baseline, failing=tuple(sorted(tests, key=_slowness(baseline)))),
        replace(localized, diagnoses=diagnoses or localized.diagnoses, suspects=suspects),
        tuple(test for test in baseline.failing if test not in tests),
    )


def _slowness(baseline: Baseline) -> Callable[[TestId], float]:
    """By which tests are put in order: how often what they took has to be halved to be little."""
    took = {r.test: math.inf if r.outcome is Outcome.HANG else r.seconds for r in baseline.outcomes}

    def doublings(test: TestId) -> float:
        seconds = took.get(test, 0.0)
        return seconds if math.isinf(seconds) else math.ceil(math.log2(max(1.0, seconds / QUICK_SECONDS)))

    return doublings
