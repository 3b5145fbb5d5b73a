"""The suite around wanted tests: their files first where all of it is slow."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, hang_of, run_of

from analysis.errors import TargetError
from analysis.facts import InvalidRun, Limits, LineMap, Outcome, RunFault, TestId
from repair.observe.baseline import begin_observing
from repair.observe.complete_runs import UNWATCHED, SuiteObservation, SuiteWatch
from repair.observe.nearest_first import SuiteRuns
from repair.observe.observation import ObservationState
from repair.records.task import Baseline

P, F = Outcome.PASSED, Outcome.FAILED
FAILING = "a.py::t1"
SUITE = {FAILING: F, "a.py::t2": P, "b.py::t3": P}
NEAR = {test: outcome for test, outcome in SUITE.items() if test.startswith("a.py")}
CRASH = InvalidRun(RunFault.MEMORY, "too much")
LATE = replace(hang_of("b.py::t3", list(SUITE)), late=True)


class Slow(FakeSandbox):
    """The whole suite ends with ``whole`` when ``go`` is set; its files end with ``near``, then with ``apart``."""

    def __init__(self, whole, near=None, apart=None):
        self.go = threading.Event()
        self.whole, self.near, self.apart = whole, near or run_of(NEAR), apart
        super().__init__(self._answered)

    def _answered(self, tests, files, shuffle):
        if not tests:
            assert self.go.wait(20)
            return self.whole
        if tests != ("a.py",):
            return run_of({t: SUITE[t] for t in tests})
        before = [asked for asked, *_ in self.asked].count(tests) > 1
        return self.apart if self.apart and before else self.near


@pytest.fixture
def beside():
    with ThreadPoolExecutor(2) as pool:
        yield pool


def runs_of(sandbox, beside, patience=0.0, watch=UNWATCHED):
    return SuiteRuns(sandbox, SuiteObservation(run_of({FAILING: F})), Limits(), watch, beside, patience)


def outcomes(seen):
    return {r.test: r.outcome for r in seen.run.results}


def test_the_files_of_the_wanted_tests_are_there_before_the_whole_suite_is(beside):
    sandbox = Slow(run_of(SUITE))
    runs = runs_of(sandbox, beside)
    assert (outcomes(runs.early), runs.early.partial, runs.is_over()) == (NEAR, True, False)
    sandbox.go.set()
    whole = runs.wait_for_all()
    assert (outcomes(whole), whole.partial, whole.left_out) == (SUITE, False, ())
    assert (whole.other_runs, runs.is_over()) == ((runs.early.run,), True)


def test_a_suite_that_ends_soon_is_all_that_is_run(beside):
    sandbox = Slow(run_of(SUITE))
    sandbox.go.set()
    runs = runs_of(sandbox, beside, patience=20.0)
    assert (outcomes(runs.early), runs.early.partial) == (SUITE, False)
    assert [tests for tests, *_ in sandbox.asked] == [()]


OTHERS = {"b.py::t3": P}
RAN: LineMap = ((TestId(FAILING), (("lib.py", frozenset({1})),)),)


@pytest.mark.parametrize("patience", [0.0, 20.0])
def test_wanted_tests_that_pytest_does_not_collect_by_itself_are_run_apart(beside, patience):
    sandbox = Slow(run_of(OTHERS), near=run_of(NEAR, RAN))
    if patience:
        sandbox.go.set()
    runs = runs_of(sandbox, beside, patience)
    assert runs.early.partial is not bool(patience)
    sandbox.go.set()
    whole = runs.wait_for_all()
    assert outcomes(whole) == {**NEAR, **OTHERS}, "its file is part of the suite"
    assert (whole.run.line_map, whole.named_apart, whole.partial) == (RAN, True, False)
    runs.wait_for_all()
    assert [tests for tests, *_ in sandbox.asked].count(("a.py",)) == (1 if patience else 2)


def test_a_test_that_the_suite_leaves_out_of_a_file_that_it_collects_is_run_alone(beside):
    sandbox = Slow(run_of({"a.py::t2": P, **OTHERS}))
    sandbox.go.set()
    assert outcomes(runs_of(sandbox, beside, 20.0).wait_for_all()) == SUITE
    assert [tests for tests, *_ in sandbox.asked] == [(), (FAILING,)]


def test_where_they_do_not_end_apart_what_is_nearest_has_to_do(beside):
    sandbox = Slow(run_of(OTHERS), apart=CRASH)
    runs = runs_of(sandbox, beside)
    sandbox.go.set()
    assert (outcomes(runs.wait_for_all()), runs.wait_for_all().partial) == (NEAR, True)


@pytest.mark.parametrize(
    ("whole", "said"),
    [
        (LATE, ["2 of 3 tests observed, those nearest to the failing ones"]),
        (replace(LATE, collected=()), ["2 of an unknown number of tests observed, those nearest to the failing ones"]),
        (CRASH, []),
    ],
)
@pytest.mark.parametrize("patience", [0.0, 20.0])
def test_where_the_whole_suite_does_not_end_its_nearest_part_stays(whole, said, patience, beside):
    sandbox = Slow(whole)
    if patience:
        sandbox.go.set()
    runs = runs_of(sandbox, beside, patience)
    sandbox.go.set()
    found = runs.wait_for_all()
    assert (outcomes(found), found.partial) == (NEAR, True)
    assert [text.split(":")[0] for text in found.left_out] == said
    assert [tests for tests, *_ in sandbox.asked].count(("a.py",)) == 1


def test_where_the_files_do_not_run_the_whole_suite_is_waited_for(beside):
    sandbox = Slow(run_of(SUITE), near=CRASH)
    threading.Timer(0.05, sandbox.go.set).start()
    runs = runs_of(sandbox, beside)
    assert (outcomes(runs.early), runs.early.partial, runs.early.other_runs) == (SUITE, False, ())


def test_where_neither_runs_the_problem_of_the_files_is_said(beside):
    sandbox = Slow(LATE, near=CRASH)
    threading.Timer(0.05, sandbox.go.set).start()
    with pytest.raises(TargetError, match="do not run to their end"):
        runs_of(sandbox, beside)


def test_where_the_files_crash_and_the_suite_is_late_a_part_by_its_pace_is_tried(beside):
    ended = run_of({t: SUITE[t] for t in (FAILING, "a.py::t2")}).results
    sandbox = Slow(replace(LATE, partial=ended), near=CRASH)
    threading.Timer(0.05, sandbox.go.set).start()
    runs = runs_of(sandbox, beside)
    assert (list(outcomes(runs.early)), runs.early.partial) == ([FAILING], True)


def test_a_run_of_the_files_that_ends_after_the_suite_counts_for_nothing(beside):
    begun, go = threading.Event(), threading.Event()

    def answer(tests, files, shuffle):
        if tests:
            begun.set()
        assert (go if tests else begun).wait(20)
        return run_of(NEAR if tests else SUITE)

    runs = runs_of(FakeSandbox(answer), beside)
    assert (runs.early.partial, runs.early.other_runs) == (False, ())
    go.set()
    assert runs.wait_for_all().other_runs == ()


def test_files_that_are_too_slow_leave_a_part_of_them_by_their_pace(beside):
    many = {f"a.py::t{n}": F if n == 1 else P for n in range(30)}
    walls = []

    class Paced(Slow):
        def run(self, tests, files=(), *, limits=None, **more):
            walls.append((tuple(tests), limits.wall_seconds))
            return super().run(tests, files, limits=limits, **more)

        def _answered(self, tests, files, shuffle):
            part = "::" in "".join(tests)
            return run_of({t: many[t] for t in tests}) if part else super()._answered(tests, files, shuffle)

    ended = run_of({t: many[t] for t in list(many)[:10]}).results
    sandbox = Paced(CRASH, near=replace(hang_of("a.py::t10", list(many)), late=True, partial=ended))
    runs = runs_of(sandbox, beside, watch=SuiteWatch(lambda: 0.0, 50.0))
    assert list(outcomes(runs.early)) == [f"a.py::t{n}" for n in range(6)]
    assert ("a.py",) in dict(walls)
    assert dict(walls)["a.py",] == pytest.approx(15.0)
    sandbox.go.set()
    assert runs.wait_for_all().partial


def test_a_diagnosis_of_the_nearest_tests_is_not_contradicted_by_all_of_them(beside):
    sandbox = Slow(run_of(SUITE))
    observation = begin_observing(sandbox, (FAILING,), Limits(), 0, beside, patience=0.0)
    first = observation.basis
    assert isinstance(first, Baseline)
    assert (first.partial, first.failing, first.passing) == (True, (FAILING,), ("a.py::t2",))
    assert observation.poll() is ObservationState.FIRST_RUNS
    sandbox.go.set()
    assert observation.wait() is ObservationState.WIDER
    whole = observation.wider_baseline()
    assert isinstance(whole, Baseline)
    assert (whole.partial, whole.failing, whole.passing) == (False, (FAILING,), ("a.py::t2", "b.py::t3"))
    assert whole.runs > first.runs
