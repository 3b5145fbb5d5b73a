"""Which passing tests a trial is screened by, and where they run."""

from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import baseline_of

from analysis.facts import Limits, Outcome, digest
from analysis.functions import functions_of
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.trials.screening import SHARED_SECONDS, Screen

SOURCE = b"def one():\n    return 1\n\n\ndef two():\n    return 2\n\n\ndef three():\n    return 3\n"
ONE, TWO, THREE = functions_of("lib.py", SOURCE)
A, B, C, D = (f"test_lib.py::test_{letter}" for letter in "abcd")
RUN_BY = {A: (1, 2), B: (1, 2, 5, 6), C: (5, 6), D: (5, 6)}


class Served(FakeSession):
    """A session with these tests. It hinders functions whose ``unfit`` tests are among them."""

    def __init__(self, tests, unfit, passes):
        super().__init__(passes if callable(passes) else lambda trial: passes)
        self.tests, self.hinders = tests, tuple(test for test in tests if test in unfit)

    def hindrance(self, function):
        return "they write: needs a cold run" if self.hinders else ""

    def find_unfit_tests(self, function):
        return self.hinders


def screen_of(unfit=(), seconds=0.01, cold=Outcome.PASSED, passes=True):
    """A screen, the sessions that it opens, and the sandbox that runs the rest cold."""
    sessions = []

    def opened(tests, files):
        sessions.append(Served(tests, unfit, passes))
        return sessions[-1]

    line_map = tuple((test, (("lib.py", frozenset(lines)),)) for test, lines in RUN_BY.items())
    baseline = baseline_of(dict.fromkeys(RUN_BY, Outcome.PASSED), line_map=line_map, seconds=seconds)
    sandbox = FakeSandbox(lambda tests, *_: run_of(dict.fromkeys(tests, cold)), (("lib.py", SOURCE),), opened)
    return Screen(sandbox, baseline, (("lib.py", SOURCE),), Limits()), sessions, sandbox


def trial_of(span):
    text = SOURCE[span.start : span.end]
    return Trial(digest(text), span.function, text, "")


def test_a_trial_is_screened_by_the_passing_tests_that_run_its_function():
    screen, sessions, _ = screen_of()
    assert screen.check(trial_of(TWO), TWO).state is TrialState.PASSED
    assert [session.tests for session in sessions] == [(B, C, D)]
    assert screen.check(trial_of(THREE), THREE).state is TrialState.PASSED
    assert screen.router(THREE) is None
    assert len(sessions) == 1


@pytest.mark.parametrize(
    ("seconds", "served"), [(SHARED_SECONDS / 4, [(A, B, C, D)]), (SHARED_SECONDS / 3, [(A, B), (B, C, D)])]
)
def test_one_server_does_for_all_suspects_whose_tests_are_quick_together(seconds, served):
    screen, sessions, _ = screen_of(seconds=seconds)
    screen.begin([ONE, TWO, THREE])
    for span in (ONE, TWO, THREE):
        assert screen.check(trial_of(span), span).state is TrialState.PASSED
    assert [session.tests for session in sessions] == served
    screen.close()
    assert all(session.closed for session in sessions)


def test_tests_that_are_seen_later_screen_too():
    screen, sessions, _ = screen_of()
    whole = screen._baseline
    near = replace(whole, passing=(A, B), partial=True)
    screen.widen(near)
    screen.begin([ONE, TWO])
    assert not screen.wide
    assert screen.check(trial_of(TWO), TWO).state is TrialState.PASSED
    screen.widen(whole)
    assert screen.wide
    assert screen.check(trial_of(TWO), TWO).state is TrialState.PASSED
    assert [session.tests for session in sessions] == [(A, B), (A, B, C, D)]
    screen.close()
    assert all(session.closed for session in sessions)


def test_a_lone_suspect_shares_with_none():
    screen, sessions, _ = screen_of()
    screen.begin([])
    screen.begin([ONE])
    assert screen.check(trial_of(ONE), ONE).state is TrialState.PASSED
    assert [session.tests for session in sessions] == [(A, B)]


@pytest.mark.parametrize(("cold", "state"), [(Outcome.PASSED, TrialState.PASSED), (Outcome.FAILED, TrialState.FAILED)])
def test_only_tests_that_are_not_fit_for_a_fork_run_cold_and_last(cold, state):
    screen, sessions, sandbox = screen_of(unfit=(C,), cold=cold)
    outcome = screen.check(trial_of(TWO), TWO)
    assert outcome.state is state
    assert [session.tests for session in sessions][:2] == [(B, C, D), (B, D)]
    assert [tests for tests, *_ in sandbox.asked] == [(C,)]
    router = screen.router(TWO)
    assert router is not None
    assert not router.why(TWO.function)


def test_what_fails_in_a_fork_is_not_run_cold():
    screen, _, sandbox = screen_of(unfit=(C,), passes=lambda trial: trial.label == "control")
    assert screen.check(trial_of(TWO), TWO).state is TrialState.FAILED
    assert sandbox.asked == []


def test_where_no_test_is_fit_for_a_fork_all_run_cold():
    screen, _, sandbox = screen_of(unfit=(A, B))
    assert screen.check(trial_of(ONE), ONE).tier == "cold"
    assert [tests for tests, *_ in sandbox.asked] == [(A, B)]


def test_an_unfit_test_of_another_suspect_is_not_run():
    screen, _, sandbox = screen_of(unfit=(D,))
    screen.begin([ONE, TWO])
    assert screen.check(trial_of(ONE), ONE).state is TrialState.PASSED
    assert sandbox.asked == []
    assert screen.check(trial_of(TWO), TWO).state is TrialState.PASSED
    assert [tests for tests, *_ in sandbox.asked] == [(D,)]


def test_the_test_that_failed_last_is_asked_first_and_alone():
    def fails(trial):
        return TrialOutcome(trial.digest, TrialState.FAILED, C)

    screen, sessions, _ = screen_of(passes=lambda trial: (trial.label == "control" and not trial.only) or fails(trial))
    for _ in range(3):
        assert screen.check(trial_of(TWO), TWO).failed == C
    assert [(t.label, t.only) for t in sessions[0].seen] == [
        ("", ()), ("control", (C,)), ("control", ()), ("", ()), ("", ())
    ], "the control fails alone as well, so C says nothing by itself"  # fmt: skip
    screen, sessions, _ = screen_of(passes=lambda trial: trial.label == "control" or fails(trial))
    for _ in range(3):
        assert screen.check(trial_of(TWO), TWO).failed == C
    assert [(t.label, t.only) for t in sessions[0].seen] == [
        ("", ()), ("control", (C,)), ("control", ()), ("", (C,)), ("", ()), ("", (C,))
    ]  # fmt: skip


def test_a_test_that_fails_here_with_the_function_as_it_is_too_is_not_asked_any_more():
    """It passes in the suite behind another one alone, say: then it says nothing of any patch."""

    def passes(trial):
        return TrialOutcome(trial.digest, TrialState.FAILED, C) if C in sessions[-1].tests else True

    screen, sessions, _ = screen_of(passes=passes)
    for span in (TWO, ONE, TWO):
        assert screen.check(trial_of(span), span).state is TrialState.PASSED
    assert [session.tests for session in sessions] == [(B, C, D), (B, D), (A, B)]


def test_tests_are_run_in_the_order_of_the_suite_since_some_pass_only_behind_others():
    screen, sessions, _ = screen_of()
    suite = screen._baseline
    screen.widen(replace(suite, outcomes=tuple(reversed(suite.outcomes))))
    assert screen.check(trial_of(TWO), TWO).state is TrialState.PASSED
    assert sessions[0].tests == (D, C, B)


def test_tests_that_take_too_long_are_left_to_the_gates():
    screen, sessions, _ = screen_of(seconds=6.0)
    assert screen.check(trial_of(TWO), TWO).state is TrialState.PASSED
    assert [session.tests for session in sessions] == [(B,)]
