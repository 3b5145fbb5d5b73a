"""Pass-to-pass: no test of the suite is worse off, none is missing, none appears."""

from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import AFTER, BEFORE, FAILING, PASSING, PATH, baseline_of, submission_of

from analysis.facts import (
    CollectionError,
    Frame,
    InvalidRun,
    Limits,
    Outcome,
    Phase,
    RunFault,
    SeenError,
    TestId,
    TestResult,
)
from repair.gates.regressions import Regressions, count_also_mended
from repair.observe.patched import suite_selection
from repair.records.verdict import Decision, Verdict

P, F, E, S, H = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED, Outcome.HANG
X, XP, M = Outcome.XFAILED, Outcome.XPASSED, Outcome.MISSING
OTHER = "test_shop.py::test_other"
THIRD = "test_shop.py::test_third"


def judged(after, before=None, **given):
    baseline = baseline_of(before or BEFORE, **given)
    sandbox = FakeSandbox(lambda tests, files, _: run_of(after if files else before or BEFORE))
    return Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline))


def test_a_suite_in_which_nothing_got_worse_is_accepted():
    evidence = judged(AFTER)
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements)["worse"] == 0


@pytest.mark.parametrize(
    ("before", "after", "decision"),
    [
        (P, F, Decision.REJECT),
        (P, E, Decision.REJECT),
        (P, S, Decision.REJECT),
        (P, X, Decision.REJECT),
        (P, XP, Decision.REJECT),
        (P, M, Decision.REJECT),
        (S, F, Decision.REJECT),
        (S, M, Decision.REJECT),
        (X, F, Decision.REJECT),
        (X, S, Decision.REJECT),
        (S, S, Decision.ACCEPT),
        (S, P, Decision.ACCEPT),
        (X, X, Decision.ACCEPT),
        (X, XP, Decision.ACCEPT),
        (X, P, Decision.ACCEPT),
    ],
)
def test_an_outcome_may_stay_or_turn_better(before, after, decision):
    now = {} if after is M else {OTHER: after}
    evidence = judged({**AFTER, **now}, {**BEFORE, OTHER: before})
    assert evidence.decision is decision
    assert (OTHER in evidence.claim) is (decision is Decision.REJECT)


@pytest.mark.parametrize("after", [S, X, XP, F, M])
def test_a_test_to_mend_has_to_pass(after):
    now = {PASSING: P, **({} if after is M else {FAILING: after})}
    assert judged(now).decision is Decision.REJECT


@pytest.mark.parametrize(("before", "after"), [(F, F), (F, E), (E, F), (F, P)])
def test_a_failure_that_is_not_ours_to_mend_may_stay(before, after):
    evidence = judged({**AFTER, OTHER: after}, {**BEFORE, OTHER: before}, failing=[FAILING])
    assert evidence.decision is Decision.ACCEPT


@pytest.mark.parametrize("after", [S, M])
def test_a_failure_that_is_not_ours_to_mend_may_not_vanish(after):
    now = {} if after is M else {OTHER: after}
    assert judged({**AFTER, **now}, {**BEFORE, OTHER: F}, failing=[FAILING]).decision is Decision.REJECT


def test_a_test_that_appears_is_rejected():
    evidence = judged({**AFTER, OTHER: P})
    assert evidence.decision is Decision.REJECT
    assert "was not there before" in evidence.claim


def rerun(*runs, alone=P, before=P, **given):
    """The verdict where the suite, run one time after another, gives these outcomes of two further tests."""
    suites = iter(runs)

    def answer(tests, files, _):
        if tests and not files:
            return run_of(dict.fromkeys(tests, before))
        return run_of(dict.fromkeys(tests, alone) if tests else {**AFTER, OTHER: P, THIRD: P, **next(suites)})

    baseline = baseline_of({**BEFORE, OTHER: P, THIRD: P}, **given)
    sandbox = FakeSandbox(answer)
    return Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline)), sandbox.asked


def test_a_test_that_fails_once_and_does_not_run_the_function_is_listed():
    evidence, asked = rerun({OTHER: F}, {})
    assert evidence.decision is Decision.ACCEPT
    assert evidence.not_checked == (f"{OTHER}: fails now and then, and does not run the function",)
    assert [tests for tests, *_ in asked] == [(), (OTHER,), ()]
    evidence, _ = rerun({OTHER: F}, {THIRD: F})
    assert [each.partition(": ")[0] for each in evidence.not_checked] == [OTHER, THIRD]


def test_one_that_fails_alone_without_the_patch_too_is_listed():
    for again in ({}, {OTHER: F}):
        evidence, asked = rerun({OTHER: F}, again, alone=F, before=F)
        assert evidence.decision is Decision.ACCEPT
        assert [tests for tests, *_ in asked] == [(), (OTHER,), (OTHER,), ()]


def test_a_second_look_gives_slow_tests_as_much_time_as_the_first():
    suites = iter([{OTHER: F}, {}])
    baseline = baseline_of({**BEFORE, OTHER: P}, seconds=8.0)
    sandbox = FakeSandbox(
        lambda tests, files, _: run_of(
            dict.fromkeys(tests, F) if tests else {**AFTER, OTHER: P, **next(suites)},
        )
    )
    Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline))
    assert [tests for tests, *_ in sandbox.asked] == [(), (OTHER,), (OTHER,), ()]
    assert set(sandbox.limits) == {baseline.relax_limits(Limits())}
    assert baseline.relax_limits(Limits()) != Limits()


def test_one_that_runs_the_function_is_a_doubt():
    evidence, _ = rerun({OTHER: F}, {}, line_map=((TestId(OTHER), ((PATH, frozenset({5})),)),))
    assert evidence.decision is Decision.UNKNOWN
    assert "is not steady" in evidence.claim
    assert evidence.question


@pytest.mark.parametrize(
    ("runs", "alone"),
    [
        (({OTHER: F}, {OTHER: F}), P),  # among the others it always fails
        (({OTHER: F}, {}), F),
        (({OTHER: S}, {}), P),  # it was not run, which is no accident
        (({OTHER: F}, {THIRD: S}), P),
        (({OTHER: F, THIRD: S}, {}), P),
        (({OTHER: F}, {FAILING: F}), P),
    ],
)
def test_what_fails_again_is_rejected(runs, alone):
    evidence, _ = rerun(*runs, alone=alone)
    assert evidence.decision is Decision.REJECT
    assert OTHER in evidence.claim


@pytest.mark.parametrize("also", [{FAILING: F}, {TestId("test_shop.py::test_more"): P}])
def test_what_else_is_worse_is_not_made_up_for_by_another_unsteady_test(also):
    evidence, asked = rerun({OTHER: F, **also}, {THIRD: F})
    assert evidence.decision is Decision.REJECT
    assert len(asked) == 1


def test_many_that_fail_are_no_accident():
    many = {f"test_shop.py::test_{n}": F for n in range(6)}
    baseline = baseline_of({**BEFORE, **dict.fromkeys(many, P)})
    sandbox = FakeSandbox(lambda *_: run_of({**AFTER, **many}))
    assert Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline)).decision is Decision.REJECT
    assert len(sandbox.asked) == 1


def test_a_flaky_test_counts_neither_way():
    assert judged({**AFTER, OTHER: F}, {**BEFORE, OTHER: P}, flaky=[OTHER]).decision is Decision.ACCEPT


def test_a_module_that_can_no_longer_be_collected_is_rejected():
    broken = replace(run_of(AFTER), collection_errors=(CollectionError("test_more.py", (), "ImportError"),))
    evidence = Regressions(FakeSandbox(lambda *_: broken), Limits()).judge(submission_of())
    assert evidence.decision is Decision.REJECT
    assert "test_more.py" in evidence.claim


@pytest.mark.parametrize("fault", list(RunFault))
def test_a_run_without_a_verdict_is_no_pass(fault):
    sandbox = FakeSandbox(lambda *_: InvalidRun(fault, "what happened"))
    assert Regressions(sandbox, Limits()).judge(submission_of()).decision is Decision.REJECT


@pytest.mark.parametrize(
    ("again", "decision"), [({FAILING: P, PASSING: P}, Decision.UNKNOWN), ({FAILING: P, PASSING: F}, Decision.REJECT)]
)
def test_a_suite_that_is_cut_short_once_is_a_doubt_where_it_is_not_worse_off_again(again, decision):
    runs = iter([InvalidRun(RunFault.SIGNAL, "it was killed")])
    sandbox = FakeSandbox(lambda *_: next(runs, run_of(again)))
    evidence = Regressions(sandbox, Limits()).judge(submission_of())
    assert evidence.decision is decision
    assert "it was killed" in evidence.claim
    assert bool(evidence.witness and evidence.question) is (decision is Decision.UNKNOWN)
    assert len(sandbox.asked) == 2


def test_an_empty_set_of_passing_tests_is_unknown():
    evidence = judged({FAILING: P}, {FAILING: F})
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.question


@pytest.mark.parametrize(("mended", "vouching"), [(3, 3), (4, 3), (3, 2), (2, 2), (1, 1)])
def test_where_nothing_passed_before_several_vouching_tests_have_to_be_mended(mended, vouching):
    tests = [f"test_shop.py::test_price[{number}]" for number in range(mended)]
    baseline = baseline_of(dict.fromkeys(tests, F), failing=tests)
    submission = replace(submission_of(baseline=baseline), vouching=tuple(tests[:vouching]))
    evidence = Regressions(FakeSandbox(lambda *_: run_of(dict.fromkeys(tests, P))), Limits()).judge(submission)
    assert evidence.decision is (Decision.ACCEPT if vouching == 3 else Decision.UNKNOWN)


def test_a_part_of_the_suite_is_unknown_and_says_what_was_left_out():
    evidence = judged(AFTER, partial=True)
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.not_checked


def test_a_test_that_hangs_and_is_not_ours_to_mend_is_left_out():
    baseline = baseline_of({**BEFORE, OTHER: H}, failing=[FAILING])
    sandbox = FakeSandbox(lambda tests, *_: run_of(dict.fromkeys(tests, P)))
    evidence = Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline))
    assert sandbox.asked[0][0] == (FAILING, PASSING)
    assert evidence.decision is Decision.ACCEPT


@pytest.mark.parametrize(
    ("outcomes", "given", "selection"),
    [
        (BEFORE, {}, ()),
        (BEFORE, {"partial": True}, (FAILING, PASSING)),
        (BEFORE, {"named_apart": True}, (FAILING, PASSING)),
        ({FAILING: H, PASSING: P}, {}, (FAILING, PASSING)),
    ],
)
def test_the_selection_is_the_suite_or_what_was_seen_of_it(outcomes, given, selection):
    assert suite_selection(replace(baseline_of(outcomes), **given)) == selection


RUN = ((OTHER, (("shop.py", frozenset({4, 5, 7})),)),)


def with_other(outcome, exception, path="shop.py"):
    """A baseline in which another test fails in that file too, and is not to be mended."""
    frame = Frame(path, True, 5, 5, None, None, "price", "price", 4, ())
    bases = ("ConnectionRefusedError", "ConnectionError", "OSError") if "Connection" in exception else (exception,)
    raised = SeenError(exception, bases, "it says", (frame,))
    baseline = baseline_of({**BEFORE, OTHER: outcome}, failing=[FAILING], line_map=RUN if outcome is F else ())
    result = TestResult(OTHER, outcome, Phase.CALL, 0.1, (raised,))
    return replace(baseline, outcomes=(*(r for r in baseline.outcomes if r.test != OTHER), result))


@pytest.mark.parametrize(("after", "decision"), [(F, Decision.UNKNOWN), (E, Decision.UNKNOWN), (P, Decision.ACCEPT)])
def test_a_failure_in_the_function_that_stays_is_a_doubt_with_a_witness(after, decision):
    sandbox = FakeSandbox(lambda *_: run_of({**AFTER, OTHER: after}))
    submission = submission_of(baseline=with_other(F, "AssertionError"))
    evidence = Regressions(sandbox, Limits()).judge(submission)
    assert evidence.decision is decision
    assert (OTHER in evidence.witness) is (decision is Decision.UNKNOWN)


@pytest.mark.parametrize(("aside", "decision"), [((OTHER,), Decision.UNKNOWN), ((), Decision.ACCEPT)])
def test_what_was_left_aside_has_to_pass_among_the_others_all_the_same(aside, decision):
    sandbox = FakeSandbox(lambda *_: run_of({**AFTER, OTHER: F}))
    baseline = replace(with_other(F, "AssertionError"), flaky=(OTHER,), aside=aside)
    assert Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline)).decision is decision


def test_a_failure_that_no_patch_could_answer_is_no_doubt():
    sandbox = FakeSandbox(lambda *_: run_of({**AFTER, OTHER: F}))
    submission = submission_of(baseline=with_other(F, "ConnectionRefusedError"))
    assert Regressions(sandbox, Limits()).judge(submission).decision is Decision.ACCEPT


@pytest.mark.parametrize(("after", "decision"), [(F, Decision.UNKNOWN), (P, Decision.ACCEPT)])
@pytest.mark.parametrize("path", ["shop.py", "elsewhere.py"])
def test_a_test_that_hung_in_the_function_is_run_again(path, after, decision):
    """A patch that only ends the loop of the one test that was named is no fix."""
    sandbox = FakeSandbox(lambda tests, *_: run_of({t: {**AFTER, OTHER: after}[t] for t in tests}))
    submission = submission_of(baseline=with_other(H, "Hang", path))
    evidence = Regressions(sandbox, Limits()).judge(submission)
    assert evidence.decision is (decision if path == "shop.py" else Decision.ACCEPT)


@pytest.mark.parametrize(("after", "also"), [(P, 1), (F, 0)])
def test_other_tests_that_pass_with_the_patch_are_counted(after, also):
    evidence = judged({**AFTER, OTHER: after}, {**BEFORE, OTHER: F}, failing=[FAILING])
    assert evidence.decision is Decision.ACCEPT
    assert ("1 other test that failed passes now" in evidence.claim) is bool(also)
    assert count_also_mended(Verdict((evidence,))) == also


def test_without_a_run_of_the_suite_nothing_is_known_to_be_mended_besides():
    assert count_also_mended(Verdict(())) == 0
