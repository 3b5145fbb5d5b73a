"""Fail-to-pass: only a test that is reported as passed, by its exact id, is mended."""

import pytest
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import AFTER, FAILING, baseline_of, submission_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault
from repair.gates.fixes import Fixes
from repair.records.verdict import Decision


def judged(outcomes, **changed):
    sandbox = FakeSandbox(lambda *_: run_of(outcomes))
    return Fixes(sandbox, Limits()).judge(submission_of(**changed))


def test_a_test_that_passes_is_mended():
    evidence = judged({FAILING: Outcome.PASSED})
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements)["mended"] == 1


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not Outcome.PASSED])
def test_whatever_is_not_passed_is_not_mended(outcome):
    evidence = judged({FAILING: outcome})
    assert evidence.decision is Decision.REJECT
    assert outcome.value in evidence.claim


@pytest.mark.parametrize("reported", [{}, {"test_shop.py::test_prices": Outcome.PASSED}])
def test_a_test_that_is_not_reported_has_not_passed(reported):
    evidence = judged(reported)
    assert evidence.decision is Decision.REJECT
    assert "missing" in evidence.claim


def test_a_run_that_reports_a_test_that_nobody_asked_for_is_not_believed():
    evidence = judged({**AFTER, "test_shop.py::test_other": Outcome.PASSED})
    assert evidence.decision is Decision.REJECT
    assert "not asked for" in evidence.claim


def test_one_of_several_left_red_rejects():
    other = "test_shop.py::test_other"
    baseline = baseline_of({FAILING: Outcome.FAILED, other: Outcome.FAILED})
    evidence = judged({FAILING: Outcome.PASSED, other: Outcome.FAILED}, baseline=baseline)
    assert evidence.decision is Decision.REJECT
    assert dict(evidence.measurements) == {"mended": 1, "left": 1}


@pytest.mark.parametrize("fault", list(RunFault))
def test_a_run_without_a_verdict_is_no_pass(fault):
    sandbox = FakeSandbox(lambda *_: InvalidRun(fault, "what happened"))
    evidence = Fixes(sandbox, Limits()).judge(submission_of())
    assert evidence.decision is Decision.REJECT
    assert "what happened" in evidence.claim


def test_nothing_to_mend_is_unknown():
    evidence = judged({}, baseline=baseline_of({"t::a": Outcome.PASSED}))
    assert evidence.decision is Decision.UNKNOWN


def test_failures_that_stay_as_they_are_are_not_passed_over_in_silence():
    outcomes = {"t::a": Outcome.FAILED, "t::b": Outcome.ERROR, "t::c": Outcome.PASSED}
    evidence = judged({}, baseline=baseline_of(outcomes, failing=()))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.claim.startswith("2 tests failed before")


def test_what_the_target_does_not_compile_is_rejected_before_any_run():
    sandbox = FakeSandbox(lambda *_: run_of({FAILING: Outcome.PASSED}), problem="no match statement here")
    evidence = Fixes(sandbox, Limits()).judge(submission_of())
    assert evidence.decision is Decision.REJECT
    assert "no match statement" in evidence.claim
    assert not sandbox.asked


def test_what_is_run_is_byte_for_byte_what_is_judged():
    sandbox = FakeSandbox(lambda *_: run_of({FAILING: Outcome.PASSED}))
    submission = submission_of()
    Fixes(sandbox, Limits()).judge(submission)
    assert sandbox.asked == [((FAILING,), submission.whole, None)]
