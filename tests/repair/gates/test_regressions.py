"""Pass-to-pass: no test of the suite is worse off, none is missing, none appears."""

from dataclasses import replace

import pytest
from fakes.bare import bare_target
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import AFTER, BEFORE, FAILING, HEAD, OLD, PASSING, PATH, TESTS, baseline_of, submission_of

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
from repair.gates.regressions import Regressions, count_also_mended, find_broken_by_chance
from repair.observe.complete_runs import SUSPECT_SECONDS
from repair.observe.patched import suite_selection
from repair.records.verdict import Decision, Verdict
from sandbox.sandbox import LocalSandbox

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


@pytest.mark.parametrize(("after", "decision"), [(P, Decision.ACCEPT), (F, Decision.UNKNOWN), (M, Decision.UNKNOWN)])
def test_a_test_that_passes_by_chance_is_a_doubt_where_it_passes_no_more(after, decision):
    before = {**BEFORE, OTHER: P}
    baseline = baseline_of(before).take_for_chance((TestId(OTHER),))
    sandbox = FakeSandbox(lambda tests, files, _: run_of({**AFTER, **({} if after is M else {OTHER: after})}))
    evidence = Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline))
    assert evidence.decision is decision
    assert (OTHER in evidence.claim) is (decision is Decision.UNKNOWN)
    assert find_broken_by_chance(Verdict((evidence,))) == (OTHER if decision is Decision.UNKNOWN else "")


def test_a_test_that_breaks_by_chance_is_told_before_another_that_is_unsteady():
    before = {**BEFORE, OTHER: P, THIRD: P}
    baseline = baseline_of(before).take_for_chance((TestId(OTHER),))
    runs = []

    def answer(tests, files, shuffle):
        runs.append(files)
        failing = {OTHER: F, THIRD: F if len(runs) == 1 else P} if files else {}
        return run_of({**(AFTER if files else before), OTHER: P, THIRD: P, **failing})

    evidence = Regressions(FakeSandbox(answer), Limits()).judge(submission_of(baseline=baseline))
    assert evidence.decision is Decision.UNKNOWN
    assert find_broken_by_chance(Verdict((evidence,))) == OTHER


def test_a_suite_that_is_cut_short_says_nothing_of_a_test_that_passes_by_chance():
    baseline = baseline_of({**BEFORE, OTHER: P}).take_for_chance((TestId(OTHER),))
    cut = InvalidRun(RunFault.TIMEOUT, "the time was up")
    evidence = Regressions(FakeSandbox(lambda tests, files, _: cut), Limits()).judge(submission_of(baseline=baseline))
    assert evidence.decision is Decision.UNKNOWN
    assert find_broken_by_chance(Verdict((evidence,))) == OTHER


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


def rerun(*patched, old=(), alone=P, old_alone=P, seconds=0.1, **given):
    """The verdict where the suite gives these outcomes of two further tests, run after run, and how it was asked.

    ``patched`` are the runs with the patch, ``old`` those without it; after the last of them all tests pass.
    """
    suites = {True: iter(patched), False: iter(old)}

    def answer(tests, files, _):
        if tests:
            return run_of(dict.fromkeys(tests, alone if files else old_alone))
        run = next(suites[bool(files)], {})
        return run if isinstance(run, InvalidRun) else run_of({**AFTER, OTHER: P, THIRD: P, **run})

    baseline = replace(baseline_of({**BEFORE, OTHER: P, THIRD: P}, **given), suite_seconds=seconds)
    sandbox = FakeSandbox(answer)
    evidence = Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline))
    return evidence, [("alone" if tests else "suite", bool(files)) for tests, files, _ in sandbox.asked]


RUNS_IT = ((TestId(OTHER), ((PATH, frozenset({5})),)),)
NEW, OLD_ONE = ("suite", True), ("suite", False)
CUT = InvalidRun(RunFault.SIGNAL, "it was killed")


@pytest.mark.parametrize(("reaches", "line_map"), [("it runs", RUNS_IT), ("it does not run", ())])
def test_a_test_that_fails_without_the_patch_too_is_set_aside(reaches, line_map):
    evidence, asked = rerun({OTHER: F}, {}, {OTHER: F}, old=[{}, {OTHER: F}], line_map=line_map)
    assert evidence.decision is Decision.ACCEPT
    told = f"{OTHER} failed in 2 of 3 runs of the suite with the patch, and in 1 without it; {reaches} the function"
    assert evidence.not_checked == (told,)
    assert evidence.claim == "2 passing tests still pass"
    assert asked == [NEW, ("alone", True), NEW, OLD_ONE, NEW, OLD_ONE]


@pytest.mark.parametrize(("reaches", "line_map"), [("it runs", RUNS_IT), ("it does not run", ())])
def test_a_test_that_fails_in_some_runs_with_the_patch_alone_is_a_doubt(reaches, line_map):
    """That it does not run the function is no proof: another test may have left something that breaks it."""
    evidence, asked = rerun({OTHER: F}, {}, {OTHER: F}, line_map=line_map)
    assert evidence.decision is Decision.UNKNOWN
    told = f"{OTHER} failed in 2 of 9 runs of the suite with the patch, and in none without it; {reaches} the function"
    assert evidence.claim == evidence.witness == told
    assert OTHER in evidence.question
    assert len(asked) == 2 + 2 * 8


@pytest.mark.parametrize(
    ("runs", "alone", "old_alone", "asked"),
    [
        (({OTHER: F},) * 4, P, P, [NEW, ("alone", True), *[NEW, OLD_ONE] * 3]),  # among the others it always fails
        (({OTHER: F},) * 4, F, F, [NEW, ("alone", True), ("alone", False), *[NEW, OLD_ONE] * 3]),
        (({OTHER: F},), F, P, [NEW, *[("alone", True), ("alone", False)] * 3]),  # no second run of the suite
        (({OTHER: S},), P, P, [NEW]),  # it was not run, which is no accident
        (({OTHER: F, THIRD: S},), P, P, [NEW]),
        (({OTHER: F}, {THIRD: S}), P, P, [NEW, ("alone", True), NEW]),
        (({OTHER: F}, {FAILING: F}), P, P, [NEW, ("alone", True), NEW, OLD_ONE][:3]),
    ],
)
def test_what_fails_each_time_with_the_patch_and_never_without_it_is_rejected(runs, alone, old_alone, asked):
    evidence, asking = rerun(*runs, alone=alone, old_alone=old_alone)
    assert evidence.decision is Decision.REJECT
    assert evidence.claim.split(" ")[0] in {test for test, now in runs[-1].items()}
    assert asking == asked


def test_one_regression_is_not_made_up_for_by_a_test_that_is_set_aside():
    evidence, _ = rerun(*[{OTHER: F, THIRD: F}] * 9, old=[{THIRD: F}])
    assert evidence.decision is Decision.REJECT
    assert OTHER in evidence.witness
    assert THIRD not in evidence.witness


def test_a_test_that_first_fails_in_a_later_run_is_held_to_the_same():
    evidence, _ = rerun({OTHER: F}, {THIRD: F}, old=[{OTHER: F}, {THIRD: F}])
    assert evidence.decision is Decision.ACCEPT
    assert [each.split(" ")[0] for each in evidence.not_checked] == [OTHER, THIRD]
    evidence, _ = rerun({OTHER: F}, {THIRD: F}, old=[{OTHER: F}])
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.claim.startswith(THIRD)
    assert OTHER in evidence.not_checked[0]


@pytest.mark.parametrize(("seconds", "rounds"), [(0.1, 8), (2.0, 6), (5.0, 2), (60.0, 1)])
def test_how_often_both_programs_are_run_hangs_on_how_long_the_suite_takes(seconds, rounds):
    evidence, asked = rerun({OTHER: F}, seconds=seconds)
    assert evidence.decision is Decision.UNKNOWN
    assert asked[2:] == [NEW, OLD_ONE] * rounds


def test_a_slow_suite_in_which_it_fails_twice_and_not_without_the_patch_rejects():
    evidence, _ = rerun(*[{OTHER: F}] * 2, seconds=60.0)
    assert evidence.decision is Decision.REJECT


@pytest.mark.parametrize(("patched", "old"), [([{OTHER: F}, CUT], []), ([{OTHER: F}] * 2, [CUT])])
def test_a_further_run_that_is_cut_short_tells_nothing(patched, old):
    evidence, _ = rerun(*patched, old=old)
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.claim.startswith(f"{OTHER} failed in 1 of 1 run")


def test_tests_that_cannot_be_run_alone_are_run_among_the_suite():
    suites = iter([{OTHER: F}])
    sandbox = FakeSandbox(lambda tests, *_: CUT if tests else run_of({**AFTER, OTHER: P, **next(suites, {})}))
    baseline = baseline_of({**BEFORE, OTHER: P})
    assert Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline)).decision is Decision.UNKNOWN


def test_further_runs_give_slow_tests_as_much_time_as_the_first():
    suites = iter([{OTHER: F}])
    baseline = baseline_of({**BEFORE, OTHER: P}, seconds=8.0)
    sandbox = FakeSandbox(lambda tests, *_: run_of({**AFTER, OTHER: P, **({} if tests else next(suites, {}))}))
    Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline))
    assert set(sandbox.limits) == {baseline.relax_limits(Limits())}
    assert baseline.relax_limits(Limits()) != Limits()


@pytest.mark.parametrize("also", [{FAILING: F}, {TestId("test_shop.py::test_more"): P}])
def test_what_else_is_worse_is_not_made_up_for_by_another_unsteady_test(also):
    evidence, asked = rerun({OTHER: F, **also}, {THIRD: F})
    assert evidence.decision is Decision.REJECT
    assert len(asked) == 1


def test_many_that_fail_once_are_a_doubt_as_one_is():
    many = {f"test_shop.py::test_{n}": F for n in range(9)}
    baseline = baseline_of({**BEFORE, **dict.fromkeys(many, P)})
    suites = iter([many])
    passing = {**AFTER, **dict.fromkeys(many, P)}
    sandbox = FakeSandbox(lambda tests, *_: run_of({**passing, **({} if tests else next(suites, {}))}))
    assert Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline)).decision is Decision.UNKNOWN
    assert len(sandbox.asked[1][0]) == 5


def test_the_old_program_is_not_asked_for_tests_that_came_with_the_change():
    """They could not be collected before; where tests are named, naming them ends a run."""
    baseline = baseline_of({**BEFORE, OTHER: P, THIRD: Outcome.ERROR}, failing=[FAILING, THIRD])
    late = tuple(replace(r, phase=Phase.COLLECT) if r.test == THIRD else r for r in baseline.outcomes)
    suites = iter([{OTHER: F}])

    def answer(tests, files, _):
        suite = files and len(tests) > 1
        return run_of({**dict.fromkeys(tests, P), **(next(suites, {}) if suite else {})})

    sandbox = FakeSandbox(answer)
    baseline = replace(baseline, outcomes=late, named_apart=True)
    Regressions(sandbox, Limits()).judge(submission_of(baseline=baseline))
    asked = {bool(files): tests for tests, files, _ in sandbox.asked}
    assert asked == {True: (FAILING, PASSING, OTHER, THIRD), False: (FAILING, PASSING, OTHER)}


def test_a_flaky_test_counts_neither_way():
    assert judged({**AFTER, OTHER: F}, {**BEFORE, OTHER: P}, flaky=[OTHER]).decision is Decision.ACCEPT


def test_a_module_that_can_no_longer_be_collected_is_rejected():
    broken = replace(run_of(AFTER), collection_errors=(CollectionError("test_more.py", (), "ImportError"),))
    evidence = Regressions(FakeSandbox(lambda *_: broken), Limits()).judge(submission_of())
    assert evidence.decision is Decision.REJECT
    assert "test_more.py" in evidence.claim


@pytest.mark.parametrize("fault", list(RunFault))
def test_a_run_without_a_verdict_is_no_pass(fault):
    sandbox = FakeSandbox(lambda _, files, __: InvalidRun(fault, "what happened") if files else run_of(BEFORE))
    assert Regressions(sandbox, Limits()).judge(submission_of()).decision is Decision.REJECT


def test_a_suite_that_is_cut_short_without_the_patch_too_is_a_doubt():
    evidence = Regressions(FakeSandbox(lambda *_: CUT), Limits()).judge(submission_of())
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness
    assert evidence.question


@pytest.mark.parametrize(
    ("again", "decision", "runs"),
    [
        ({FAILING: P, PASSING: P}, Decision.UNKNOWN, 2),
        ({FAILING: F, PASSING: P}, Decision.REJECT, 2),
        ({FAILING: P, PASSING: F}, Decision.REJECT, 8),
    ],
)
def test_a_suite_that_is_cut_short_once_is_a_doubt_where_it_is_not_worse_off_again(again, decision, runs):
    cut = iter([CUT])
    sandbox = FakeSandbox(lambda _, files, __: next(cut, run_of(again)) if files else run_of(BEFORE))
    evidence = Regressions(sandbox, Limits()).judge(submission_of())
    assert evidence.decision is decision
    assert "it was killed" in evidence.claim
    assert bool(evidence.witness and evidence.question) is (decision is Decision.UNKNOWN)
    assert len(sandbox.asked) == runs


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
        ({FAILING: H, PASSING: P}, {}, ()),
        ({FAILING: F, PASSING: P, OTHER: H}, {"failing": (FAILING,)}, (FAILING, PASSING)),
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


def test_a_test_that_hung_and_is_slow_with_the_patch_has_all_its_time():
    """A bound of two seconds told a test of three as one that fails on."""

    def answer(tests, files, _):
        stopped = tests == (OTHER,) and 0 < sandbox.limits[-1].stuck_seconds < 3.0
        return run_of(dict.fromkeys(tests, H if stopped else P))

    sandbox = FakeSandbox(answer)
    evidence = Regressions(sandbox, Limits()).judge(submission_of(baseline=with_other(H, "Hang")))
    assert evidence.decision is Decision.ACCEPT


def test_a_real_test_that_hung_and_works_for_longer_than_a_hang_is_suspected_after(tmp_path):
    slow = "import time\nfrom shop import price\n\ndef test_price(): assert price('2.5') == 2\n"
    slow += "def test_empty(): assert price('') == 0\n"
    slow += f"def test_other():\n    until = time.process_time() + {SUSPECT_SECONDS + 0.3}\n"
    slow += "    while time.process_time() < until: price('2.5')\n"
    (tmp_path / TESTS).write_text(slow)
    (tmp_path / PATH).write_bytes(HEAD + OLD)
    with LocalSandbox(bare_target(tmp_path)) as sandbox:
        evidence = Regressions(sandbox, Limits()).judge(submission_of(baseline=with_other(H, "Hang")))
    assert (evidence.decision, evidence.witness) == (Decision.ACCEPT, "")


@pytest.mark.parametrize(("after", "also"), [(P, 1), (F, 0)])
def test_other_tests_that_pass_with_the_patch_are_counted(after, also):
    evidence = judged({**AFTER, OTHER: after}, {**BEFORE, OTHER: F}, failing=[FAILING])
    assert evidence.decision is Decision.ACCEPT
    assert ("1 other test that failed passes now" in evidence.claim) is bool(also)
    assert count_also_mended(Verdict((evidence,))) == also


def test_without_a_run_of_the_suite_nothing_is_known_to_be_mended_besides():
    assert count_also_mended(Verdict(())) == 0
