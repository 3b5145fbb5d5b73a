"""The program with one more patch: what is not seen there is not taken to be known."""

from __future__ import annotations

import pytest
from fakes.submission import FAILING, HEAD, NEW, OLD, PASSING, PATH, baseline_of, candidate_of

from analysis.facts import InvalidRun, Limits, Outcome, Phase, RunFault, TestId, TestResult, TestRun
from repair.observe.mended import Laid, observe_mended

OTHER = TestId("t.py::test_other")


class Once:
    """A sandbox in which each run of the patched program gives this."""

    def __init__(self, run):
        self._run = run

    def for_purpose(self, _purpose):
        return self

    def run(self, _tests, **_given):
        return self._run


def ran(*tests):
    return TestRun(tuple(TestResult(TestId(t), Outcome.FAILED, Phase.CALL, 0.1) for t in tests), (), 1, 0.1, ())


@pytest.mark.parametrize(
    ("run", "runs"),
    [
        (InvalidRun(RunFault.SIGNAL, "it died"), 1),
        (ran(), 1),
        (ran(OTHER), 2),
    ],
)
def test_who_did_not_fail_again_in_both_runs_was_seen_once_at_most(run, runs):
    before = baseline_of({FAILING: Outcome.FAILED, OTHER: Outcome.FAILED, PASSING: Outcome.PASSED})
    laid = Laid(((PATH, HEAD + OLD),), candidate_of(NEW, OLD), (TestId(FAILING),))
    found = observe_mended(Once(run), before, laid, Limits(), mends_more=True)
    assert found.failing == (OTHER,)
    assert found.runs == runs


@pytest.mark.parametrize(("fails", "failing"), [((OTHER, PASSING), (OTHER, PASSING)), ((OTHER,), (OTHER,))])
def test_what_passed_by_chance_is_run_again_and_fails_now_or_not(fails, failing):
    before = baseline_of({FAILING: Outcome.FAILED, OTHER: Outcome.FAILED, PASSING: Outcome.PASSED})
    laid = Laid(((PATH, HEAD + OLD),), candidate_of(NEW, OLD), (TestId(FAILING),), (TestId(PASSING),))
    run = ran(*fails)
    passed = tuple(TestResult(TestId(t), Outcome.PASSED, Phase.CALL, 0.1) for t in {PASSING} - {*fails})
    run = TestRun((*run.results, *passed), (), 1, 0.1, ())
    found = observe_mended(Once(run), before, laid, Limits(), mends_more=True)
    assert {*found.failing} == {*failing}
    assert (PASSING in found.passing) is (PASSING not in failing)
