"""The whole suite with a patch: which tests that is, and which of them are worse off than in the baseline."""

from __future__ import annotations

from analysis.facts import BROKEN, Outcome, TestId, TestRun
from repair.records.task import Baseline


def suite_selection(baseline: Baseline) -> tuple[TestId, ...]:
    """What to run for the whole suite: everything, or each test that was observed.

    The latter is so where a test hangs that is not ours to mend, and where the suite is too long. It is so too where
    pytest does not collect by itself what was named.
    """
    left = _tests_left_out(baseline)
    hanging = any(r.outcome is Outcome.HANG for r in baseline.outcomes)
    each = hanging or baseline.partial or baseline.named_apart
    return tuple(r.test for r in baseline.outcomes if r.test not in left) if each else ()


def _tests_left_out(baseline: Baseline) -> set[TestId]:
    return {r.test for r in baseline.outcomes if r.outcome is Outcome.HANG} - set(baseline.failing)


def differences(baseline: Baseline, run: TestRun) -> list[str]:
    """One sentence for each test that is worse off than in the baseline, and for each unknown one."""
    now = {r.test: r.outcome for r in run.results}
    known = {r.test: r.outcome for r in baseline.outcomes}
    skip = {*baseline.flaky, *_tests_left_out(baseline)}
    mended = set(baseline.failing)
    uncollected = {e.node for e in baseline.traced.collection_errors}
    worse = [f"{e.node} can no longer be collected" for e in run.collection_errors if e.node not in uncollected]
    for test, before in known.items():
        after = now.get(test, Outcome.MISSING)
        if test in skip or after is Outcome.PASSED or (before, after) == (Outcome.XFAILED, Outcome.XPASSED):
            continue
        if test in mended:
            worse.append(f"{test} is {after.value}")
        elif after is not before and not (before in BROKEN and after in BROKEN):
            worse.append(f"{test} was {before.value} and is now {after.value}")
    worse += [f"{test} was not there before" for test in now if test not in known]
    return worse
