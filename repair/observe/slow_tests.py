"""Tests that were stopped, and that just take longer than a test may: no function of the program is at fault."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from analysis.errors import OutOfTimeError
from analysis.facts import Limits, Outcome, TestId, TestResult, TestRun
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from repair.records.wording import count_noun, list_names

MOST_NAMED = 3

LONGER = 2.0
"""So many times what a test may take, once more, alone and not traced: tracing alone can make it twice as slow."""

PURPOSE = "tests that may be slow"
"""What these cold starts are counted as."""


def find_slow(sandbox: Sandbox, baseline: Baseline, limits: Limits) -> str:
    """What is said of the failing tests where each was stopped, and each passes in longer time; ``""`` where not so."""
    stopped = {result.test for result in baseline.outcomes if result.outcome is Outcome.HANG}
    if not baseline.failing or not stopped.issuperset(baseline.failing):
        return ""
    longer = replace(limits, test_seconds=LONGER * limits.test_seconds)
    try:
        run = sandbox.for_purpose(PURPOSE).run(baseline.failing, limits=longer)
    except OutOfTimeError:
        return ""
    if not isinstance(run, TestRun) or not _pass(run, baseline.failing):
        return ""
    before_by_test = {result.test: result.seconds for result in baseline.outcomes}
    slowest = max((r for r in run.results if r.test in baseline.failing), key=lambda result: result.seconds)
    before, more = before_by_test[slowest.test], len(baseline.failing) - 1
    others = f"; so it is with {count_noun(more, 'more test')}" if more else ""
    if slowest.seconds < before:
        said = f"{slowest.test} does not always hang: it was stopped after {before:.0f} s"
        return f"{said}, and passed when it was run again, in {slowest.seconds:.0f} s{others}"
    said = f"{slowest.test} is slow, and no loop without end: it was stopped after {before:.0f} s"
    return f"{said}, and passes in {slowest.seconds:.0f} s{others}"


def describe_stopped(baseline: Baseline, after: TestRun | None) -> tuple[str, ...]:
    """What is said of tests that were stopped with the change, or before it where they are not to be mended."""
    stopped = [r for r in baseline.outcomes if r.outcome is Outcome.HANG and r.test not in baseline.failing]
    known = {each.test for each in stopped}
    with_change = [r for r in after.results if r.outcome is Outcome.HANG and r.test not in known] if after else []
    return (*_say_stopped(stopped, "before the change"), *_say_stopped(with_change, "with the change"))


def _say_stopped(stopped: Sequence[TestResult], when: str) -> Iterator[str]:
    if stopped:
        tests = list_names([each.test for each in stopped], "test", MOST_NAMED)
        seconds = max(each.seconds for each in stopped)
        yield f"not known: {tests}, still running after {seconds:.0f} s {when} (more with --max-seconds)"


def _pass(run: TestRun, tests: Collection[TestId]) -> bool:
    return all(run.outcome(test) is Outcome.PASSED for test in tests)
