"""Where a suite is slow, tests that are known to run what the failing ones called are run first."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, hang_of, run_of

from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId
from repair.observe.baseline import begin_observing
from repair.observe.complete_runs import UNWATCHED, SuiteObservation
from repair.observe.nearest_first import SuiteRuns, nearest_part

P, F = Outcome.PASSED, Outcome.FAILED
FAILING, FAR, GONE = TestId("a.py::t1"), TestId("b.py::t3"), TestId("b.py::gone")
SUITE = {FAILING: F, "a.py::t2": P, FAR: P, "c.py::t4": P}
LATE = replace(hang_of("c.py::t4", list(SUITE)), late=True)
MISSING = InvalidRun(RunFault.NO_SUCH_TEST, "no such test: b.py::gone")


class Slow(FakeSandbox):
    """The whole suite ends with ``whole`` when ``go`` is set; a part at once, unless it names a test that is gone."""

    def __init__(self, whole):
        self.go, self.whole = threading.Event(), whole
        super().__init__(self._answered)

    def _answered(self, tests, files, shuffle):
        if not tests:
            assert self.go.wait(20)
            return self.whole
        if GONE in tests:
            return MISSING
        return run_of({t: SUITE[t] for t in SUITE if t in tests or t.split("::")[0] in tests})


@pytest.fixture
def beside():
    with ThreadPoolExecutor(2) as pool:
        yield pool


def runs_of(sandbox, beside, touched, patience=0.0):
    alone = SuiteObservation(run_of({FAILING: F}))
    return SuiteRuns(sandbox, alone, Limits(), UNWATCHED, beside, patience, lambda run: touched)


def names_in(seen):
    return {r.test for r in seen.run.results}


def test_they_are_run_with_the_files_of_the_wanted_tests(beside):
    sandbox = Slow(run_of(SUITE))
    runs = runs_of(sandbox, beside, (FAR, FAILING))
    assert names_in(runs.early) == {FAILING, "a.py::t2", FAR}
    assert ("a.py", FAR) in [tests for tests, *_ in sandbox.asked]
    sandbox.go.set()
    assert names_in(runs.wait_for_all()) == set(SUITE)


def test_a_test_that_is_there_no_more_costs_the_other_known_ones_and_no_answer(beside):
    sandbox = Slow(run_of(SUITE))
    runs = runs_of(sandbox, beside, (GONE, FAR))
    assert names_in(runs.early) == {FAILING, "a.py::t2"}
    sandbox.go.set()


def test_a_quick_suite_asks_for_none(beside):
    sandbox = Slow(run_of(SUITE))
    sandbox.go.set()
    alone = SuiteObservation(run_of({FAILING: F}))
    asked = []
    runs = SuiteRuns(sandbox, alone, Limits(), UNWATCHED, beside, 20.0, asked.append)
    assert names_in(runs.early) == set(SUITE)
    assert asked == []


def test_how_many_of_them_a_part_has_is_said(beside):
    ended = run_of({t: SUITE[t] for t in (FAILING, "a.py::t2", FAR)}).results
    sandbox = Slow(replace(LATE, partial=ended))
    runs = runs_of(sandbox, beside, (FAR, TestId("x.py::unknown")))
    sandbox.go.set()
    found = runs.wait_for_all()
    assert found.partial
    assert found.left_out == (
        "3 of 4 tests observed, those nearest to the failing ones, 1 of 1 that are known to run the same functions "
        "among them: the whole suite takes longer than observing it may (more with --max-seconds)",
    )


def test_a_part_by_the_pace_takes_them_before_neighbours():
    collected = tuple(TestId(f"{file}.py::t{n}") for file in "abc" for n in range(10))
    run = replace(hang_of(collected[0], collected), late=True, partial=run_of(dict.fromkeys(collected[:5], P)).results)
    assert nearest_part(run, ("b.py::t5",), ("c.py::t9", "a.py::t0", "a.py::t1")) == (
        "a.py::t0",
        "b.py::t5",
        "c.py::t9",
    )


def test_a_given_part_is_all_that_is_run_and_is_called_a_part(beside):
    sandbox = Slow(run_of(SUITE))
    found = begin_observing(sandbox, (), Limits(), 0, beside, False, part=(FAR,)).what_all_runs_say()
    assert (found.partial, [r.test for r in found.outcomes]) == (True, [FAR])
    assert {tests for tests, *_ in sandbox.asked} == {(FAR,)}
