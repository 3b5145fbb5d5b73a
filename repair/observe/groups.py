"""Groups of failing tests: those for which one function can be answerable, the likeliest function first.

One patch changes one function, so failing tests that have no function in common are not mended by one patch. Tests that
share their likeliest function may still have several causes, since many tests run what is common to all. Such a group
is divided where each of its tests, taken by itself, points elsewhere. To divide too much costs little: what mends the
tests of another group too is found out before a patch is judged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Diagnosis, FunctionId, Outcome, Phase, Suspect, TestId, TestResult
from analysis.functions import span_of
from repair.records.plan import Localized, covering_tests
from repair.records.task import Baseline
from repair.records.wording import count_noun

QUICK_SECONDS = 0.05
"""Tests that took less are alike: what they took is chance."""

PLAINLY_MORE = 1.25
"""A function is plainly more suspicious than another one with so many times its suspiciousness."""

MOST_APART = 60
"""Of more failing tests than these it is not asked where each of them points."""

Localize = Callable[[Collection[TestId]], Localized]
"""What some of the failing tests say by themselves."""


@dataclass(frozen=True, slots=True)
class Group:
    """Baseline and diagnosis as far as they concern the tests of the group; ``others`` fail too.

    Its failing tests are in the order in which trials run them, since most trials end at the first. Slow ones come
    last, and of equally slow ones those that run much: they may need several fixes.
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
    left = baseline.failing
    for suspect in localized.suspects:
        tests = tuple(test for test in left if test in covered[suspect])
        if not tests:
            continue
        left = tuple(test for test in left if test not in tests)
        theirs = (s for s in localized.suspects if s is not suspect and any(test in covered[s] for test in tests))
        yield _group(baseline, replace(localized, suspects=(suspect, *theirs)), tests)


def groups_by_cause(baseline: Baseline, localized: Localized, localize: Localize) -> list[Group]:
    """The groups, divided where their tests point to several functions; what hides other failures comes first.

    One group stays as it is found. Of several each has the suspects that its own tests speak of. A test that was still
    running when its time was up comes behind those that ended: it may be slow, and it runs nearly everything.
    """
    found = [part for group in groups(baseline, localized) for part in _without_hangs(group, baseline, localize)]
    divided = [tests for group in found for tests in _divide(group, localize)]
    if len(divided) < 2:
        return found
    several = [_group(baseline, localize(tests), tests) for tests in divided]
    return sorted(several, key=_hides_nothing)


def _without_hangs(group: Group, baseline: Baseline, localize: Localize) -> list[Group]:
    """The group, or its tests that came to an end, and those that did not."""
    hung = {each.test for each in baseline.outcomes if each.outcome is Outcome.HANG}
    own = group.baseline.failing
    parts = [tuple(test for test in own if (test in hung) == late) for late in (False, True)]
    return [_group(baseline, localize(tests), tests) for tests in parts] if all(parts) else [group]


def restrict_group(baseline: Baseline, tests: Collection[TestId], localize: Localize) -> Group:
    """The group of these failing tests alone, with the suspects that they speak of."""
    return _group(baseline, localize(tests), tuple(test for test in baseline.failing if test in tests))


def _group(baseline: Baseline, localized: Localized, tests: Sequence[TestId]) -> Group:
    took = {r.test: _count_doublings(r) for r in baseline.outcomes}
    runs = {test: sum(len(lines) for _, lines in files) for test, files in baseline.traced.line_map if test in tests}
    asks = {test: (took.get(test, 0.0), _is_document(test), runs.get(test, math.inf)) for test in tests}
    diagnoses = tuple(d for d in localized.diagnoses if d.failure.test in tests) or localized.diagnoses
    return Group(
        replace(baseline, failing=tuple(sorted(tests, key=lambda test: asks[test]))),
        replace(localized, diagnoses=diagnoses),
        tuple(test for test in baseline.failing if test not in tests),
    )


def _divide(group: Group, localize: Localize) -> list[tuple[TestId, ...]]:
    """The tests of the group, by the function to which each points by itself.

    All in one where they are too many, or where one of them points to no other function than the group does.
    """
    tests = group.baseline.failing
    common = group.localized.suspects[0].function
    if not 1 < len(tests) <= MOST_APART:
        return [tests]
    apart: dict[FunctionId, list[TestId]] = {}
    for test in tests:
        suspects = localize([test]).suspects
        if not suspects or not _points_elsewhere(suspects, common):
            return [tests]
        apart.setdefault(suspects[0].function, []).append(test)
    return [tuple(theirs) for theirs in apart.values()]


def _points_elsewhere(suspects: Sequence[Suspect], common: FunctionId) -> bool:
    """Whether the first suspect is plainly more suspicious than the function that is common to the group."""
    shared = next((s.suspiciousness for s in suspects if s.function == common), 0.0)
    return suspects[0].function != common and suspects[0].suspiciousness >= PLAINLY_MORE * shared


def _hides_nothing(group: Group) -> bool:
    """Whether its tests came to be run: a set-up that fails hides what the test itself would say."""
    return not any(_is_before_call(diagnosis) for diagnosis in group.localized.diagnoses)


def _is_before_call(diagnosis: Diagnosis) -> bool:
    return diagnosis.failure.phase in (Phase.COLLECT, Phase.SETUP)


def _is_document(test: TestId) -> bool:
    """Whether a test is all examples of a text, which ends at the first that fails: the others are not seen."""
    return not test.partition("::")[0].endswith(".py")


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
