"""One cold run of the patched program tells several gates, where the suite is quick."""

from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import AFTER, FAILING, PASSING, PATH, baseline_of, submission_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault
from analysis.trials import TrialState
from repair.compare.patched_server import PatchedServer
from repair.gates.controls import Controls
from repair.gates.coverage import Coverage
from repair.gates.fixes import Fixes
from repair.gates.regressions import Regressions
from repair.observe.patched import PatchedRun
from repair.records.verdict import Decision

P, F = Outcome.PASSED, Outcome.FAILED
LINES = tuple((test, ((PATH, frozenset(range(4, 9))),)) for test in (FAILING, PASSING))
QUICK = submission_of()
SLOW = submission_of(baseline=replace(baseline_of(), suite_seconds=30.0))


def asked_by_gates(submission, answer):
    """What the gates that share a run have asked the sandbox, and what they decided."""
    sandbox = FakeSandbox(answer)
    patched = PatchedRun(sandbox, Limits())
    gates = (Fixes(sandbox, Limits(), patched), Regressions(sandbox, Limits(), patched=patched), Coverage(patched))
    decisions = [gate.judge(submission).decision for gate in gates]
    return [tests for tests, _, _ in sandbox.asked], decisions


def test_a_quick_suite_is_run_once_for_all_of_them():
    asked, decisions = asked_by_gates(QUICK, lambda *_: run_of(AFTER, LINES))
    assert asked == [()]
    assert decisions == [Decision.ACCEPT] * 3


def test_a_suite_that_was_run_before_is_not_run_again():
    asked, decisions = asked_by_gates(replace(QUICK, after=run_of(AFTER, LINES)), lambda *_: run_of({}))
    assert not asked
    assert decisions == [Decision.ACCEPT] * 3


def test_a_slow_suite_is_run_for_what_only_it_can_tell():
    asked, decisions = asked_by_gates(SLOW, lambda *_: run_of(AFTER, LINES))
    assert asked == [(FAILING, PASSING), ()]
    assert decisions == [Decision.ACCEPT] * 3


@pytest.mark.parametrize(
    ("run", "fewer", "regressions"),
    [
        (run_of({**AFTER, FAILING: F}), (FAILING,), Decision.REJECT),
        (InvalidRun(RunFault.SIGNAL, "it died"), (FAILING, PASSING), Decision.UNKNOWN),  # so it is without the patch
    ],
)
def test_where_the_suite_does_not_show_the_fix_fewer_tests_are_run(run, fewer, regressions):
    asked, decisions = asked_by_gates(QUICK, lambda tests, *_: run if not tests else run_of({FAILING: P}, LINES))
    assert asked[:2] == [(), fewer]
    assert decisions[:2] == [Decision.ACCEPT, regressions]


def sabotaged(passes, answer=lambda *_: run_of({FAILING: F})):
    """What the controls say where forks of the patched program answer, and which runs were cold."""
    session = FakeSession(passes)
    sandbox = FakeSandbox(answer, QUICK.sources, session)
    evidence = Controls(sandbox, Limits(), PatchedServer(sandbox, Limits())).judge(QUICK)
    return evidence, session, sandbox


def test_a_fork_says_that_a_test_notices_a_sabotage():
    evidence, session, sandbox = sabotaged(lambda trial: False)
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements)["sabotages"] == 1
    assert [trial.only for trial in session.seen] == [(FAILING,)]
    assert not sandbox.asked


@pytest.mark.parametrize("said", [TrialState.PASSED, TrialState.CRASHED, TrialState.INVALID])
def test_that_it_does_not_notice_only_a_cold_run_says(said):
    evidence, session, sandbox = sabotaged(lambda trial: said)
    assert evidence.decision is Decision.ACCEPT
    assert len(session.seen) == 3
    assert [tests for tests, _, _ in sandbox.asked] == [(FAILING,)]
    blind, _, _ = sabotaged(lambda trial: said, lambda *_: run_of({FAILING: P}))
    assert blind.decision is Decision.UNKNOWN
