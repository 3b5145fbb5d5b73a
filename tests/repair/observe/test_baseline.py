"""What counts as failing, passing and flaky, seen over several runs."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, hang_of, run_of

from analysis.errors import TargetError, UsageError
from analysis.facts import (
    CollectionError,
    InvalidRun,
    Limits,
    Outcome,
    Phase,
    RunFault,
    SeenError,
    TestResult,
    TestRun,
)
from repair.observe.baseline import begin_observing, observe, stands_in
from repair.observe.complete_runs import SUSPECT_SECONDS, UNWATCHED, SuiteWatch, complete_run, run_watched
from repair.observe.observation import NothingToMend, ObservationState
from repair.records.task import Baseline

P, F, S = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED


def canned(outcomes, shuffled=None, alone=None, message="assert 1 == 2"):
    """A sandbox whose suite gives ``outcomes``, with others when it is shuffled or when tests run alone."""

    def answer(tests, files, shuffle):
        table = shuffled if shuffle is not None and shuffled else outcomes
        if tests and shuffle is None:
            known = alone or outcomes
            return run_of({t: known[t] for t in known if t in tests or t.split("::")[0] in tests}, message=message)
        return run_of(table)

    return FakeSandbox(answer)


def test_a_file_without_tests_is_no_file_whose_tests_pass():
    with pytest.raises(TargetError, match="pytest collects no test there") as raised:
        seen(FakeSandbox(lambda *_: run_of({})), ("empty.py",))
    assert "empty.py" in str(raised.value)


def seen(sandbox, wanted=(), expect_failure=True):
    return observe(sandbox, wanted, Limits(), 0, expect_failure)


def test_tests_that_fail_each_time_are_to_be_mended_and_the_others_must_stay():
    found = seen(canned({"t::a": F, "t::b": P, "t::c": S}))
    assert isinstance(found, Baseline)
    assert (found.failing, found.passing, found.flaky) == (("t::a",), ("t::b",), ())


def test_an_outcome_that_depends_on_the_order_is_evidence_neither_for_nor_against():
    found = seen(canned({"t::a": F, "t::b": P}, shuffled={"t::a": F, "t::b": F}))
    assert isinstance(found, Baseline)
    assert (found.failing, found.passing, found.flaky) == (("t::a",), (), ("t::b",))


def begun_at_once(sandbox, wanted, watch=UNWATCHED):
    with ThreadPoolExecutor(3) as beside:
        begun = begin_observing(
            sandbox, wanted, Limits(), 0, beside, expect_failure=False, watch=watch, again=False, at_once=True
        )
        return begun.what_all_runs_say()


def test_wanted_tests_that_the_whole_suite_has_are_not_run_alone():
    sandbox = canned({"t.py::a": F, "t.py::b[1]": F, "t.py::c": F, "u.py::d": P})
    found = begun_at_once(sandbox, ("t.py::a", "t.py::b"))
    assert (found.failing, found.passing, found.runs) == (("t.py::a", "t.py::b[1]"), ("u.py::d",), 1)
    assert [tests for tests, _, _ in sandbox.asked] == [()]


def test_wanted_tests_that_the_suite_leaves_out_are_run_alone_and_the_suite_is_not_run_again():
    sandbox = canned({"t.py::a": P}, alone={"u.py::d": F})
    found = begun_at_once(sandbox, ("u.py::d",))
    assert (found.failing, found.passing, found.named_apart) == (("u.py::d",), ("t.py::a",), True)
    assert [tests for tests, _, _ in sandbox.asked][:3] == [(), ("u.py::d",), ("u.py",)]
    assert [tests for tests, _, _ in sandbox.asked].count(()) == 1


def test_wanted_tests_of_a_suite_that_is_too_slow_are_run_alone_and_then_with_those_around_them():
    every = ("t.py::a", "t.py::b", "u.py::c")
    seconds = iter(range(1000))
    late = InvalidRun(RunFault.TIMEOUT, "too slow", running=every[2], collected=every, late=True)
    late = replace(late, partial=run_of({every[0]: F, every[1]: P}).results)

    def answer(tests, files, shuffle):
        return run_of({test: F if test == every[0] else P for test in tests if "::" in test}) if tests else late

    sandbox = FakeSandbox(answer)
    watch = SuiteWatch(lambda: float(next(seconds)), until=20.0)
    found = begun_at_once(sandbox, (every[0],), watch)
    assert (found.failing, found.partial) == ((every[0],), True)
    assert [tests for tests, _, _ in sandbox.asked].count(()) == 1


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        ("test_a.py::test_one", True),
        ("test_a.py::test_one[1-2]", True),
        ("test_a.py::TestIt::test_two", True),
        ("test_a.py::test_three", False),
        ("test_a.py", True),
        ("tests", True),
        ("tests/test_b.py", True),
        ("test_c.py", False),
    ],
)
def test_whether_a_name_may_be_that_of_a_test_is_told_by_the_texts(name, stands):
    texts = {"test_a.py": b"def test_one(): ...\nclass TestIt:\n    def test_two(self): ...\n", "tests/test_b.py": b""}
    assert stands_in(name, texts) is stands


def test_only_the_wanted_failures_are_mended():
    found = seen(canned({"t::a": F, "t::b": F}), ["t::b"])
    assert isinstance(found, Baseline)
    assert found.failing == ("t::b",)


@pytest.mark.parametrize(
    ("sandbox", "wanted", "status"),
    [
        (canned({"t::a": P}), (), "nothing_fails"),
        (canned({"t::a": P}), ("t::a",), "not_reproduced"),
        (canned({"t::a": F}, shuffled={"t::a": P}), (), "flaky"),
        (canned({"t::a": F}, shuffled={"t::a": P}), ("t::a",), "flaky"),
    ],
)
def test_nothing_to_mend_says_why(sandbox, wanted, status):
    found = seen(sandbox, wanted)
    assert isinstance(found, NothingToMend)
    assert found.status == status


def test_what_the_wanted_tests_called_since_their_last_passed_check_is_kept():
    told = (("t::b", (("shop.py", frozenset({4})),)),)

    class Telling(FakeSandbox):
        def run(self, tests, files=(), *, trace=False, **given):
            run = super().run(tests, files, trace=trace, **given)
            return replace(run, line_map=told) if trace == "since check" else run

    sandbox = Telling(lambda tests, *_: run_of(dict.fromkeys(tests or ("t::a", "t::b"), F)))
    found = seen(sandbox, ["t::b"])
    assert isinstance(found, Baseline)
    assert (found.since_check, found.traced.line_map) == (told, ())
    everything = seen(sandbox)
    assert isinstance(everything, Baseline)
    assert everything.since_check == ()


def test_a_suite_without_failures_is_a_baseline_for_a_check():
    found = seen(canned({"t::a": P}), expect_failure=False)
    assert isinstance(found, Baseline)
    assert found.failing == ()


def test_a_failure_that_reads_differently_each_time_is_unsteady():
    found = seen(canned({"t::a": F}, message="assert 3 == 4"))
    assert isinstance(found, Baseline)
    assert found.unsteady == ("t::a",)


def raising(run, test, type_name):
    """The run with this test ended by another exception."""
    raised = (SeenError(type_name, (type_name,), "no", ()),)
    return replace(run, results=tuple(replace(r, exceptions=raised) if r.test == test else r for r in run.results))


@pytest.mark.parametrize(("others", "aside"), [({"t::a": F}, ("t::c",)), ({}, ())])
def test_a_test_that_raises_something_else_alone_is_left_aside_where_others_show_the_fault(others, aside):
    def answer(tests, files, shuffle):
        run = run_of({**others, "t::b": P, "t::c": F} if not tests else {**others, "t::c": F})
        return raising(run, "t::c", "builtins.NameError") if tests else run

    found = seen(FakeSandbox(answer))
    assert isinstance(found, Baseline)
    assert (found.aside, found.flaky) == (aside, aside)
    assert found.failing == (tuple(others) or ("t::c",))
    assert found.unsteady == (() if aside else ("t::c",))
    assert found.lost == tuple(f"left aside: {t} fails in another way when it is run otherwise" for t in aside)


@pytest.mark.parametrize(("lost", "runs"), [("shuffled", 2), ("alone", 2), ("both", 1)])
def test_a_further_run_without_a_result_is_said_and_agrees_with_nothing(lost, runs):
    def answer(tests, files, shuffle):
        kind = "shuffled" if shuffle is not None else "alone" if tests else "first"
        if kind == "first" or lost not in (kind, "both"):
            return run_of({"t::a": F} if tests and shuffle is None else {"t::a": F, "t::b": P})
        return InvalidRun(RunFault.SIGNAL, "died of SIGSEGV")

    found = seen(FakeSandbox(answer))
    assert isinstance(found, Baseline)
    assert (found.failing, found.passing, found.runs) == (("t::a",), ("t::b",), runs)
    assert len(found.lost) == 3 - runs
    assert all("gave no result: died of SIGSEGV" in said for said in found.lost)


def test_a_hanging_test_is_told_apart_and_the_rest_still_runs():
    def answer(tests, files, shuffle):
        if not tests or "t::slow" in tests:
            return hang_of("t::slow", ["t::slow", "t::b"])
        return run_of(dict.fromkeys(tests, P))

    found = seen(FakeSandbox(answer))
    assert isinstance(found, Baseline)
    assert (found.failing, found.passing) == (("t::slow",), ("t::b",))


def test_once_a_test_hangs_the_next_ones_are_waited_for_as_long_as_the_others_let_expect():
    patience = []

    class Watched(FakeSandbox):
        def run(self, tests, files=(), *, limits=None, **more):
            patience.append((limits.test_seconds, limits.stuck_seconds))
            return super().run(tests, files, limits=limits, **more)

    def answer(tests, files, shuffle):
        if "t::slow" in tests or not tests:
            return replace(hang_of("t::slow", ["t::slow", "t::b"]), partial=(passed,))
        return run_of(dict.fromkeys(tests, P))

    passed = TestResult("t::a", P, Phase.CALL, 0.2)
    complete_run(Watched(answer), (), Limits(test_seconds=30.0))
    assert patience == [(30.0, SUSPECT_SECONDS), (30.0, 4.0), (30.0, 4.0)]


class Suspecting(FakeSandbox):
    """Stops ``t::slow`` in each run with a bound of processor time, and else gives what it comes to."""

    def __init__(self, comes_to):
        def answer(tests, files, shuffle):
            bound = self.limits[-1].stuck_seconds
            if "t::slow" in (tests or ALL) and comes_to is Outcome.HANG and not bound:
                return hang_of("t::slow", tests or ALL)
            slow = Outcome.HANG if bound else comes_to
            return run_of({test: slow if test == "t::slow" else P for test in tests or ALL})

        super().__init__(answer)

    @property
    def bounds(self):
        return [(asked, limits.stuck_seconds) for (asked, _, _), limits in zip(self.asked, self.limits, strict=True)]


ALL = ("t::slow", "t::b")


def test_a_test_that_was_stopped_is_looked_at_longer_and_hangs_where_it_does():
    sandbox = Suspecting(Outcome.HANG)
    found = complete_run(sandbox, (), Limits())
    assert (found.outcome("t::slow"), found.outcome("t::b")) == (Outcome.HANG, P)
    assert sandbox.bounds == [((), SUSPECT_SECONDS), (("t::slow",), 0.0)]


def test_a_test_that_is_just_slow_lets_all_be_run_again_without_a_bound():
    sandbox = Suspecting(P)
    found = complete_run(sandbox, (), Limits())
    assert (found.outcome("t::slow"), found.outcome("t::b")) == (P, P)
    assert sandbox.bounds == [((), SUSPECT_SECONDS), (("t::slow",), 0.0), ((), 0.0)]


@pytest.mark.parametrize(
    ("comes_to", "state"), [(Outcome.HANG, ObservationState.AGREED), (P, ObservationState.CONTRADICTED)]
)
def test_work_begins_while_a_test_that_was_stopped_is_looked_at_longer(comes_to, state):
    with ThreadPoolExecutor(3) as beside:
        found = begin_observing(Suspecting(comes_to), (), Limits(), 0, beside, expect_failure=False, again=False)
        assert isinstance(found.basis, Baseline)
        assert found.basis.failing == ("t::slow",)
        assert found.wait() is state
    now = found.base_on_all_runs()
    assert isinstance(now, Baseline)
    assert now.failing == (("t::slow",) if comes_to is Outcome.HANG else ())


@pytest.mark.parametrize(("late", "unseen"), [(False, ()), (True, ("t::c",))])
def test_tests_that_hang_within_their_bound_share_a_run_and_are_left_out_only_where_time_is_up(late, unseen):
    outcomes = {"t::a": Outcome.HANG, "t::b": P, "t::c": P}
    told = tuple(TestResult(test, outcome, Phase.CALL, 0.1) for test, outcome in list(outcomes.items())[:2])
    ended_late = replace(hang_of("t::c", tuple(outcomes)), late=True, partial=told)
    answers = iter([hang_of("t::a", tuple(outcomes)), ended_late if late else run_of(outcomes), run_of({"t::b": P})])
    sandbox = FakeSandbox(lambda *_: next(answers))
    found = run_watched(sandbox, tuple(outcomes), Limits(), SuiteWatch())
    assert [asked for asked, _, _ in sandbox.asked] == [tuple(outcomes)] * 2 + [("t::b",)] * late
    results = {r.test: r.outcome for r in found.run.results}
    assert (results["t::a"], results["t::b"], found.unseen) == (Outcome.HANG, P, unseen)


def test_a_suite_without_tests_cannot_be_tested():
    with pytest.raises(TargetError, match="collects no test"):
        seen(FakeSandbox(lambda *_: run_of({})))


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (RunFault.NO_SUCH_TEST, UsageError),
        (RunFault.USAGE, UsageError),
        (RunFault.SIGNAL, TargetError),
        (RunFault.INCONSISTENT, TargetError),
    ],
)
def test_a_run_without_a_verdict_is_an_error_that_says_so(fault, error):
    with pytest.raises(error, match="what happened"):
        seen(FakeSandbox(lambda *_: InvalidRun(fault, "what happened")), ["t::a"])


@pytest.mark.parametrize(("exception", "status"), [("SyntaxError", "unparseable"), ("ImportError", "environment")])
def test_a_module_that_cannot_be_collected_leaves_nothing_to_patch(exception, status):
    raised = SeenError(f"builtins.{exception}", (exception,), "it says", ())
    broken = TestRun((), (CollectionError("t.py", (raised,), ""),), 2, 0.1)
    found = seen(FakeSandbox(lambda *_: broken))
    assert isinstance(found, NothingToMend)
    assert found.status == status
    assert "it says" in found.message


def test_a_suite_that_does_not_end_leaves_the_files_of_the_wanted_tests():
    def answer(tests, files, shuffle):
        if not tests and shuffle is None:
            return InvalidRun(RunFault.MEMORY, "too much")
        return run_of({"t.py::a": F, "t.py::b": P})

    found = seen(FakeSandbox(answer), ["t.py::a"])
    assert isinstance(found, Baseline)
    assert found.partial


class Ticking(FakeSandbox):
    """Each run takes as many seconds as ``takes`` says, and no more than its limits; the clock is ``now``."""

    def __init__(self, answers, takes):
        super().__init__(answers)
        self.now, self.takes, self.walls = 0.0, takes, []

    def run(self, tests, files=(), *, limits=None, trace=False, shuffle=None):
        self.walls.append((tuple(tests), trace, limits.wall_seconds))
        needed = self.takes(tuple(tests), shuffle)
        self.now += min(needed, limits.wall_seconds)
        answer = super().run(tests, files, limits=limits, trace=trace, shuffle=shuffle)
        if needed > limits.wall_seconds:
            return replace(hang_of("t.py::b", ["t.py::a", "t.py::b", "u.py::c"]), late=True, partial=answer.results[:1])
        return answer


def suite_of_two_files(tests, files, shuffle):
    return run_of({t: F if t == "t.py::a" else P for t in ("t.py::a", "t.py::b", *(() if tests else ("u.py::c",)))})


def watched(sandbox, wanted=(), seconds=30.0):
    return observe(sandbox, wanted, Limits(), 0, watch=SuiteWatch(lambda: sandbox.now, seconds))


FAILING = "b.py::t20"
MANY = [f"{file}.py::t{n:02}" for file in "abc" for n in range(30)]


class Paced(Ticking):
    """Each of many tests takes a second; a run that is ended says which of them had ended until then."""

    def __init__(self, pace=lambda tests: 1.0):
        super().__init__(lambda tests, *_: run_of({t: F if t == FAILING else P for t in tests or MANY}), None)
        self.takes = lambda tests, shuffle: len(tests or MANY) * pace(tests)

    def run(self, tests, files=(), *, limits=None, trace=False, shuffle=None):
        began = self.now
        answer = super().run(tests, files, limits=limits, trace=trace, shuffle=shuffle)
        if isinstance(answer, TestRun):
            return answer
        ended = int(len(tests or MANY) * (self.now - began) / self.takes(tuple(tests), shuffle))
        outcomes = run_of({t: F if t == FAILING else P for t in (tests or MANY)[:ended]})
        return replace(answer, collected=tuple(tests or MANY), partial=outcomes.results, running=(tests or MANY)[ended])


def test_of_a_suite_too_slow_for_the_time_what_is_near_the_wanted_tests_is_left():
    sandbox = Paced()
    found = watched(sandbox, [FAILING], seconds=51.0)
    assert isinstance(found, Baseline)
    assert (found.partial, found.failing) == (True, (FAILING,))
    assert found.passing == tuple(f"b.py::t{n}" for n in range(11, 29) if n != 20)
    assert found.lost == (
        "18 of 90 tests observed, those nearest to the failing ones: "
        "the whole suite takes longer than observing it may (more with --max-seconds)",
    )
    assert sandbox.walls[1] == ((), True, pytest.approx(0.6 * 50))


def test_a_part_that_is_too_slow_as_well_is_made_smaller_once():
    sandbox = Paced(lambda tests: 1.0 if not tests else 4.0)
    found = watched(sandbox, [FAILING], seconds=51.0)
    assert isinstance(found, Baseline)
    assert found.failing == (FAILING,)
    assert 0 < len(found.passing) < 6
    with pytest.raises(TargetError, match="Name fewer tests"):
        watched(Paced(lambda tests: 1.0 if len(tests) in (0, 1) else 100.0), [FAILING, MANY[0], MANY[-1]], seconds=51.0)


def test_a_part_of_which_nothing_ends_leaves_the_wanted_tests_alone():
    class Odd(Paced):
        def run(self, tests, files=(), **given):
            found = super().run(tests, files, **given)
            return replace(found, partial=()) if isinstance(found, InvalidRun) and tests else found

    sandbox = Odd(lambda tests: 1.0 if len(tests) < 2 else 9.0)
    found = watched(sandbox, [FAILING], seconds=51.0)
    assert isinstance(found, Baseline)
    assert (found.failing, found.passing) == ((FAILING,), ())


def test_where_a_run_was_ended_before_any_test_was_the_files_of_the_wanted_tests_are_left():
    def answer(tests, files, shuffle):
        return run_of({t: F if t == "t.py::a" else P for t in ("t.py::a", "t.py::b", *(() if tests else ("u.py::c",)))})

    class Blank(Ticking):
        def run(self, tests, files=(), **given):
            found = super().run(tests, files, **given)
            return found if isinstance(found, TestRun) else replace(found, partial=(), collected=())

    sandbox = Blank(answer, lambda tests, shuffle: 1.0 if tests else 100.0)
    found = watched(sandbox, ["t.py::a"], seconds=100.0)
    assert isinstance(found, Baseline)
    assert (found.partial, found.passing) == (True, ("t.py::b",))
    assert [said.split(",")[0] for said in found.lost] == ["2 of an unknown number of tests observed"]


@pytest.mark.parametrize(("alone", "wall"), [(0.1, 20.0), (9.0, 27.0)])
def test_a_machine_on_which_few_tests_are_slow_is_waited_for(alone, wall):
    class Slow(Ticking):
        def run(self, tests, files=(), **given):
            found = super().run(tests, files, **given)
            return replace(found, seconds=alone) if isinstance(found, TestRun) else found

    sandbox = Slow(suite_of_two_files, lambda tests, shuffle: 10.0)
    found = watched(sandbox, ["t.py::a"], seconds=11.0)
    assert isinstance(found, Baseline)
    assert not found.partial
    assert sandbox.walls[1] == ((), True, wall)


def test_a_suite_too_slow_for_the_time_says_what_to_name_where_nothing_was():
    sandbox = Ticking(suite_of_two_files, lambda tests, shuffle: 100.0)
    with pytest.raises(
        TargetError, match=r"1 of 3 did.*Name the failing tests \(so far t.py::a failed\).*--max-seconds"
    ):
        watched(sandbox)
    assert len(sandbox.walls) == 1
    with pytest.raises(TargetError, match="Name fewer tests"):
        watched(sandbox, ["t.py::a", "t.py::b"])


def test_a_run_whose_whole_time_is_up_blames_no_test():
    late = replace(hang_of("t::b", ["t::a", "t::b"]), late=True)
    sandbox = FakeSandbox(lambda *_: late)
    with pytest.raises(TargetError, match="0 of 2 did"):
        complete_run(sandbox, (), Limits())
    assert len(sandbox.asked) == 1


def test_hangs_that_are_known_are_not_waited_for_again():
    tests = ("t::a", "t::b", "t::c", "t::d")

    def answer(asked, files, shuffle):
        left = [test for test in asked or tests if test != "t::d"]
        return hang_of(left[0], asked or tests) if left and shuffle is None else run_of({"t::d": P})

    sandbox = FakeSandbox(answer)
    found = seen(sandbox, ["t::a", "t::b", "t::c"])
    assert isinstance(found, Baseline)
    assert (found.failing, found.passing) == (("t::a", "t::b", "t::c"), ("t::d",))
    whole = [asked for asked, _, shuffle in sandbox.asked if shuffle is None][4:]
    assert whole == [(), tests, ("t::d",)]


def test_tests_behind_too_many_hangs_are_not_observed_and_that_is_said():
    tests = ("t::a", "t::b", "t::c")
    sandbox = Ticking(lambda asked, files, shuffle: hang_of((asked or tests)[0], asked or tests), lambda *_: 3.0)
    found = watched(sandbox, tests, seconds=8.0)
    assert isinstance(found, Baseline)
    assert (found.failing, found.partial) == (("t::a", "t::b"), True)
    assert found.lost == ("1 test not run, for want of time: others hang",)


def test_where_every_test_hangs_none_is_run_in_another_order():
    sandbox = FakeSandbox(lambda asked, files, shuffle: hang_of("t::a", ["t::a"]))
    found = seen(sandbox)
    assert isinstance(found, Baseline)
    assert found.failing == ("t::a",)
    assert all(shuffle is None for _, _, shuffle in sandbox.asked)


def test_what_a_test_takes_is_the_least_processor_time_of_all_runs():
    spent = iter((0.4, 0.003, 0.002))

    def answer(tests, files, shuffle):
        run = run_of({"t::a": F})
        return replace(run, results=tuple(replace(r, cpu_seconds=next(spent)) for r in run.results))

    found = seen(FakeSandbox(answer))
    assert isinstance(found, Baseline)
    assert [r.cpu_seconds for r in found.outcomes] == [0.002]


def test_where_others_hang_until_time_is_up_the_wanted_tests_are_observed_without_them():
    """The suite's first test hangs; there is no time to run all without it before the wanted one is reached."""

    class Stuck(Paced):
        def run(self, tests, files=(), *, limits=None, trace=False, shuffle=None):
            if tests and MANY[0] not in tests:
                return super().run(tests, files, limits=limits, trace=trace, shuffle=shuffle)
            self.now += 15.0
            passed = run_of(dict.fromkeys(MANY[1:10], P)).results
            return replace(hang_of(MANY[0], MANY), partial=passed)

    found = watched(Stuck(), [FAILING], seconds=16.0)
    assert isinstance(found, Baseline)
    assert (found.partial, found.failing) == (True, (FAILING,))
    assert 0 < len(found.passing) < 30
    assert found.traced.outcome(FAILING) is F


def test_a_test_that_hangs_late_is_not_waited_for_again_where_others_are_wanted():
    def answer(tests, files, shuffle):
        if tests and MANY[40] not in tests:
            return run_of({t: F if t == FAILING else P for t in tests})
        return replace(hang_of(MANY[40], MANY), partial=run_of(dict.fromkeys(MANY[:40], P)).results)

    sandbox = Ticking(answer, lambda tests, shuffle: 20.0 if not tests else 1.0)
    found = watched(sandbox, [FAILING], seconds=51.0)
    assert isinstance(found, Baseline)
    assert (found.partial, found.failing) == (True, (FAILING,))
    assert [tests for tests, *_ in sandbox.walls].count(()) == 1
    assert MANY[40] not in sandbox.walls[2][0]


@pytest.mark.parametrize(
    ("now", "least", "wall"),
    [(0.0, 20.0, 60.0), (55.0, 20.0, 20.0), (100.0, 20.0, 15.0), (116.0, 20.0, 3.0), (121.0, 20.0, 0.0)],
    ids=["its share", "late", "a part of what is left", "hardly anything is left", "nothing is left"],
)
def test_a_run_that_is_late_has_its_least_time_but_never_all_that_is_left(now, least, wall):
    watch = SuiteWatch(lambda: now, 60.0, least, end=120.0)
    assert watch.bound(Limits(wall_seconds=300.0)).wall_seconds == wall


def test_runs_that_are_all_late_end_within_the_time_of_the_command():
    now = 0.0
    for _ in range(50):
        now += SuiteWatch(lambda at=now: at, 6.0, end=12.0).bound(Limits()).wall_seconds
    assert now <= 12.0


def test_a_test_that_hangs_is_told_when_it_does():
    def answer(tests, files, shuffle):
        left = tests or ("t.py::a", "t.py::b")
        return hang_of("t.py::b", left) if "t.py::b" in left else run_of(dict.fromkeys(left, P))

    told = []
    run_watched(FakeSandbox(answer), (), Limits(), SuiteWatch(tell=told.append))
    assert set(told) == {hang_of("t.py::b", ("t.py::b",)).detail}
