"""Stability: the vouching tests pass again, in other orders."""

import itertools
from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import AFTER, BEFORE, FAILING, PASSING, baseline_of, submission_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId
from analysis.trials import TrialState
from repair.compare.patched_server import PatchedServer
from repair.gates.stability import FORKED_ORDERS, Stability, shuffle_tests
from repair.records.verdict import Decision

P, F = Outcome.PASSED, Outcome.FAILED


def judged(patched, unpatched=None, vouching=(FAILING, PASSING), runs=2):
    """What the gate says where a shuffled run of the patched (unpatched) program gives these outcomes."""

    def answer(tests, files, shuffle):
        assert shuffle is not None
        found = patched if files else unpatched
        return run_of(found) if isinstance(found, dict) else found

    sandbox = FakeSandbox(answer)
    return Stability(sandbox, Limits(), seed=5, runs=runs).judge(submission_of(vouching=vouching)), sandbox


def test_tests_that_pass_in_two_other_orders_are_stable():
    evidence, sandbox = judged(AFTER)
    assert evidence.decision is Decision.ACCEPT
    assert [shuffle for _, _, shuffle in sandbox.asked] == [16, 17]
    assert "2 more times" in evidence.claim


def test_one_other_order_of_the_whole_suite_is_enough_where_no_more_is_asked_for():
    evidence, sandbox = judged(AFTER, runs=1)
    assert evidence.decision is Decision.ACCEPT
    assert sandbox.asked == [((), submission_of().whole, 16)]
    assert "passed once more, in shuffled order, once among the whole suite" in evidence.claim


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not P])
def test_a_mended_test_that_does_not_pass_again_rejects(outcome):
    evidence, _ = judged({**AFTER, FAILING: outcome})
    assert evidence.decision is Decision.REJECT
    assert "seed 16" in evidence.claim


def test_a_passing_test_that_the_patch_makes_depend_on_the_order_rejects():
    evidence, _ = judged({FAILING: P, PASSING: F}, {FAILING: F, PASSING: P})
    assert evidence.decision is Decision.REJECT


def test_a_test_that_depended_on_the_order_before_is_not_the_patchs_doing():
    evidence, _ = judged({FAILING: P, PASSING: F}, {FAILING: F, PASSING: F})
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements)["tests"] == 1
    assert PASSING in evidence.not_checked[0]


@pytest.mark.parametrize(("old", "decision"), [((P, F), Decision.ACCEPT), ((P, P), Decision.REJECT)])
def test_without_the_patch_that_order_is_run_as_often_as_with_it(old, decision):
    runs = iter(old)

    def answer(tests, files, shuffle):
        return run_of({FAILING: P, PASSING: F} if files else {FAILING: F, PASSING: next(runs, F)})

    baseline = replace(baseline_of(), suite_seconds=30.0)
    evidence = Stability(FakeSandbox(answer), Limits(), seed=5).judge(submission_of(baseline=baseline))
    assert evidence.decision is decision


def test_where_every_vouching_test_depends_on_the_order_nothing_is_known():
    evidence, _ = judged({PASSING: F}, {PASSING: F}, vouching=[PASSING])
    assert evidence.decision is Decision.UNKNOWN


@pytest.mark.parametrize(
    ("test", "decision"),
    [(PASSING, Decision.UNKNOWN), (FAILING, Decision.REJECT)],  # what is to be mended has to pass each time
)
def test_a_test_that_passes_when_the_same_order_is_run_again_is_not_steady(test, decision):
    runs = iter([{**AFTER, test: F}])

    def answer(tests, files, shuffle):
        return run_of({FAILING: F, PASSING: P} if not files else next(runs, AFTER))

    sandbox = FakeSandbox(answer)
    evidence = Stability(sandbox, Limits(), seed=5).judge(submission_of())
    assert evidence.decision is decision
    assert ("is not steady" in evidence.claim) is (decision is Decision.UNKNOWN)


def test_the_same_order_again_gives_slow_tests_as_much_time():
    baseline = baseline_of({FAILING: F, PASSING: P}, seconds=8.0)
    sandbox = FakeSandbox(lambda tests, files, _: run_of({FAILING: P, PASSING: F if files else P}))
    Stability(sandbox, Limits(), seed=5).judge(submission_of(baseline=baseline))
    assert [bool(files) for _, files, _ in sandbox.asked] == [True, False, True, False, True]
    assert set(sandbox.limits) == {baseline.relax_limits(Limits())}
    assert baseline.relax_limits(Limits()) != Limits()


OTHER = "test_shop.py::test_other"


@pytest.mark.parametrize(
    ("seconds", "flaky", "decision", "asked"),
    [
        (0.1, [], Decision.UNKNOWN, ()),
        (30.0, [], Decision.ACCEPT, (FAILING, PASSING)),
        (0.1, [OTHER], Decision.ACCEPT, ()),
    ],
)
def test_a_quick_suite_is_shuffled_as_a_whole_once(seconds, flaky, decision, asked):
    """The other test, which does not vouch, fails in another order with the patch alone."""

    def answer(tests, files, shuffle):
        return run_of({FAILING: P, PASSING: P, OTHER: F if files else P})

    sandbox = FakeSandbox(answer)
    baseline = replace(baseline_of({FAILING: F, PASSING: P, OTHER: P}, flaky=flaky), suite_seconds=seconds)
    evidence = Stability(sandbox, Limits(), seed=5, runs=2).judge(submission_of(baseline=baseline))
    assert evidence.decision is decision
    assert sandbox.asked[0][0] == asked
    assert ("among the whole suite" in evidence.claim) is (not asked)
    if decision is Decision.ACCEPT:
        assert sandbox.asked[1][0] == (FAILING, PASSING)
    else:
        assert OTHER in evidence.claim
        assert evidence.witness == evidence.claim
        assert evidence.question


def test_a_vouching_test_that_breaks_among_the_vouching_ones_too_rejects():
    sandbox = FakeSandbox(lambda tests, files, _: run_of({FAILING: P, PASSING: F if files else P, OTHER: P}))
    baseline = replace(baseline_of({FAILING: F, PASSING: P, OTHER: P}), suite_seconds=0.1)
    evidence = Stability(sandbox, Limits(), seed=5).judge(submission_of(baseline=baseline))
    assert evidence.decision is Decision.REJECT
    assert PASSING in evidence.claim


def test_a_test_to_mend_is_named_before_one_that_breaks_without_the_patch_too():
    sandbox = FakeSandbox(lambda *_: run_of({FAILING: F, PASSING: F}))
    evidence = Stability(sandbox, Limits(), seed=5).judge(submission_of(vouching=(PASSING, FAILING)))
    assert evidence.decision is Decision.REJECT
    assert FAILING in evidence.claim


@pytest.mark.parametrize(("alone", "decision"), [(P, Decision.UNKNOWN), (F, Decision.REJECT)])
def test_a_mended_test_that_other_tests_disturb_is_asked_about(alone, decision):
    """It fails among the whole suite; that rejects the patch only where it fails among the vouching tests, too."""
    sandbox = FakeSandbox(lambda tests, files, _: run_of({FAILING: alone if tests else F, PASSING: P, OTHER: P}))
    baseline = replace(baseline_of({FAILING: F, PASSING: P, OTHER: P}), suite_seconds=0.1)
    evidence = Stability(sandbox, Limits(), seed=5).judge(submission_of(baseline=baseline))
    assert evidence.decision is decision
    assert ("without the tests that do not vouch" in evidence.claim) is (decision is Decision.UNKNOWN)
    assert bool(evidence.question) is (decision is Decision.UNKNOWN)


DIED = InvalidRun(RunFault.SIGNAL, "it died")


@pytest.mark.parametrize("patched", [{FAILING: P, PASSING: F}, DIED])
def test_an_order_that_the_tests_do_not_survive_without_the_patch_is_not_the_patchs_doing(patched):
    evidence, sandbox = judged(patched, InvalidRun(RunFault.SIGNAL, "the suite died"))
    assert evidence.decision is Decision.UNKNOWN
    assert "without the patch" in evidence.claim
    assert "the suite died" in evidence.claim
    assert [shuffle for _, _, shuffle in sandbox.asked] == [16, 16]


def test_a_run_that_only_the_patch_makes_end_early_rejects():
    evidence, _ = judged(DIED, {FAILING: F, PASSING: P})
    assert evidence.decision is Decision.REJECT
    assert "it died" in evidence.claim
    assert "seed 16" in evidence.claim


def test_a_run_that_ends_early_once_is_not_steady():
    runs = iter([DIED])
    sandbox = FakeSandbox(lambda tests, files, _: next(runs, run_of(AFTER)) if files else run_of(AFTER))
    evidence = Stability(sandbox, Limits(), seed=5).judge(submission_of())
    assert evidence.decision is Decision.UNKNOWN
    assert "it died" in evidence.claim
    assert "is not steady" in evidence.claim


def test_a_mended_test_that_breaks_is_not_excused_by_a_suite_that_dies():
    evidence, _ = judged({FAILING: F, PASSING: F}, DIED)
    assert evidence.decision is Decision.REJECT


def test_without_a_vouching_test_nothing_is_known():
    evidence, sandbox = judged(AFTER, vouching=())
    assert evidence.decision is Decision.UNKNOWN
    assert not sandbox.asked


def in_forks(passes, patched=AFTER):
    """What the gate says where forks of a warm server answer, and which runs were cold."""
    session = FakeSession(passes)
    sandbox = FakeSandbox(lambda tests, files, shuffle: run_of(patched if files else BEFORE), (), session)
    submission = submission_of()
    sandbox._sources = submission.sources
    gate = Stability(sandbox, Limits(), seed=5, server=PatchedServer(sandbox, Limits()))
    return gate.judge(submission), session, sandbox


def test_forks_say_that_the_tests_pass_in_other_orders():
    evidence, session, sandbox = in_forks(lambda trial: True)
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements) == {"runs": FORKED_ORDERS, "tests": 2}
    assert [sorted(trial.only) for trial in session.seen] == [sorted((FAILING, PASSING))] * FORKED_ORDERS
    assert not sandbox.asked


@pytest.mark.parametrize("said", [TrialState.FAILED, TrialState.TIMEOUT, TrialState.INVALID])
def test_what_forks_do_not_say_is_asked_of_processes_of_their_own(said):
    evidence, _, sandbox = in_forks(lambda trial: said)
    assert evidence.decision is Decision.ACCEPT
    assert [tests for tests, _, _ in sandbox.asked] == [()]
    broken, _, _ = in_forks(lambda trial: said, {**AFTER, FAILING: F})
    assert broken.decision is Decision.REJECT


def test_other_orders_keep_the_tests_of_a_file_together():
    tests = [TestId(f"{file}::test_{n}") for n in range(4) for file in ("a.py", "b.py")]
    orders = {shuffle_tests(tests, seed) for seed in range(8)}
    assert len(orders) > 4
    for order in orders:
        assert sorted(order) == sorted(tests)
        files = [str(test).split("::")[0] for test in order]
        assert sum(one != other for one, other in itertools.pairwise(files)) == 1
