"""Screening: does a trial that mends the failing tests break the passing ones that run its function?

What trials of a function broke before is asked first: of many passing tests it is often the same few that fail.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from analysis.facts import Files, FunctionId, InvalidRun, Limits, Outcome, TestId, digest
from analysis.functions import FunctionSpan
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.records.plan import covering_tests
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from repair.trials.trial_router import Selection, TrialRouter, TrialTier

MOST = 3
"""Tests that are asked before all others, for each function: those that failed last."""


class Breakers:
    """For each server and function the tests that failed last, each asked in a fork of its own.

    A test is one of them only where it passes alone on the program as it is. What fails for want of the tests before it
    says nothing. What such a test rejects is asked all tests as well, until that test is the one that fails there.
    Where all of them pass, the test is asked alone no more.
    """

    def __init__(self) -> None:
        self._known: defaultdict[_Place, list[TestId]] = defaultdict(list)
        self._confirmed: set[tuple[_Place, TestId]] = set()
        self._useless: set[tuple[_Place, TestId]] = set()

    def outcome(self, router: TrialRouter, trial: Trial, control: Trial) -> TrialOutcome:
        """The outcome of all tests, or of one of these where that fails. The control is the function as it is."""
        place = (router, trial.function)
        suspected: TestId | None = None
        for test in self._known[place]:
            alone = _run_alone(router, trial, test)
            if alone is not None and alone.state is TrialState.FAILED:
                if (place, test) in self._confirmed:
                    self._put_first(place, test)
                    return alone
                suspected = test
                break
        outcome = next(iter(router.trials([trial])))
        if suspected is not None and outcome.failed == suspected:
            self._confirmed.add((place, suspected))
            self._put_first(place, suspected)
        elif suspected is not None and outcome.state is TrialState.PASSED:
            self._known[place].remove(suspected)
            self._useless.add((place, suspected))
        elif outcome.failed is not None and outcome.state is TrialState.FAILED:
            self._note(place, outcome.failed, control)
        return outcome

    def _note(self, place: _Place, test: TestId, control: Trial) -> None:
        if (place, test) in self._useless:
            return
        if test not in self._known[place]:
            alone = _run_alone(place[0], control, test)
            if alone is None or alone.state is not TrialState.PASSED:
                self._useless.add((place, test))
                return
        self._put_first(place, test)

    def _put_first(self, place: _Place, test: TestId) -> None:
        self._known[place] = [test, *(known for known in self._known[place] if known != test)][:MOST]


_Place = tuple[TrialRouter, FunctionId]


def _run_alone(router: TrialRouter, trial: Trial, test: TestId) -> TrialOutcome | None:
    """The outcome of one test with the trial in; nothing where no warm server runs it."""
    session = router.session(TrialTier.WARM)
    if isinstance(session, InvalidRun) or router.tier_of(trial.function) is not TrialTier.WARM:
        return None
    return next(iter(session.trials([replace(trial, only=(test,))])), None)


MOST_SET_ASIDE = 5
"""Passing tests that are not asked any more, since they fail here with the function as it is. Of further ones the
refusals count: where so many fail, something else is wrong."""

SCREEN_SECONDS = 10.0
LEAST_SECONDS = 2.0

SHARED_SECONDS = 1.5
"""What the passing tests of all suspects may take for one server to run them for each of these."""

HANG_TIMES, LEAST_HANG_SECONDS, LEAST_WHERE_HANGING = 100.0, 0.5, 0.1
"""A test that uses so many times the time that it should need hangs, at least that much, or less where one hung."""

STUCK_TIMES = 20.0
LEAST_STUCK_SECONDS = 0.05
"""A test that uses so many times the time that it should need, and at least that much, is taken to hang at first."""


class Screen:
    """Runs trials against covering tests in the quickest tier that is sound; close it in the end."""

    def __init__(self, sandbox: Sandbox, baseline: Baseline, sources: Files, limits: Limits) -> None:
        self._sandbox = sandbox
        self._baseline = baseline
        self._sources = sources
        self.limits = limits
        self._sessions: dict[tuple[TestId, ...], TrialRouter] = {}
        self._seconds = {r.test: r.seconds for r in baseline.outcomes}
        self._covered: dict[FunctionSpan, tuple[TestId, ...]] = {}
        self._controlled: set[tuple[TrialRouter, FunctionId]] = set()
        self._failing_anyway: set[TestId] = set()
        self._shared: tuple[TestId, ...] = ()
        self._begun: tuple[FunctionSpan, ...] = ()
        self._breakers = Breakers()
        self.wide = not baseline.partial
        """Whether all tests that run a function are known."""

    def widen(self, baseline: Baseline) -> None:
        """Go by this baseline from now on, in which more of the suite was seen. Servers of other tests stay open."""
        self._baseline, self.wide = baseline, not baseline.partial
        self._seconds = {r.test: r.seconds for r in baseline.outcomes}
        self._covered, self._shared = {}, ()
        self.begin(self._begun)

    def begin(self, spans: Sequence[FunctionSpan]) -> None:
        """Start the server of the passing tests that run the first function beside what goes on here.

        Where those that run any of the functions are quick together, one server does for all.
        """
        self._begun = tuple(spans)
        any_of_them = {test for span in spans for test in self._covering_tests(span)}
        if len(spans) > 1 and sum(map(self._seconds_of, any_of_them)) <= SHARED_SECONDS:
            self._shared = self._baseline.in_suite_order(any_of_them)
        tests = self._served_tests(spans[0]) if spans else ()
        if tests:
            self._router(tests).begin()

    def check(self, trial: Trial, span: FunctionSpan) -> TrialOutcome:
        """The trial's outcome over the passing tests that run its function; passed where there are none."""
        outcome = TrialOutcome(trial.digest, TrialState.PASSED)
        text, function = dict(self._sources)[span.function.path][span.start : span.end], span.function
        control = Trial(digest(function.path, function.qualname, text), function, text, "control")
        for router in self._routers(span):
            outcome = self._breakers.outcome(router, trial, control)
            if outcome.state is TrialState.FAILED and self._sets_aside(router, control):
                return self.check(trial, span)
            if outcome.state is not TrialState.PASSED:
                break
        return outcome

    def _sets_aside(self, router: TrialRouter, control: Trial) -> bool:
        """Whether a test fails here with the function as it is, too: then it is not asked any more."""
        if (router, control.function) in self._controlled or router.tier_of(control.function) is TrialTier.COLD:
            return False
        said = next(iter(router.trials([control])), None)
        failed = said.failed if said is not None and said.state is TrialState.FAILED else None
        if failed is None or failed in self._failing_anyway or len(self._failing_anyway) >= MOST_SET_ASIDE:
            self._controlled.add((router, control.function))
            return False
        self._failing_anyway.add(failed)
        for tests in [tests for tests, known in self._sessions.items() if known is router]:
            self._sessions.pop(tests).close()
        self._covered, self._shared = {}, tuple(test for test in self._shared if test != failed)
        return True

    def breaks(self, trial: Trial, span: FunctionSpan) -> str:
        """What of the passing tests that run its function fails with the trial for sure; empty where nothing does."""
        outcome = self.check(trial, span)
        surely = outcome.state is TrialState.FAILED and not outcome.hasty
        return outcome.failed or "a test" if surely else ""

    def router(self, span: FunctionSpan) -> TrialRouter | None:
        """Where the passing tests that run the function are run, but those for which no fork can answer.

        ``None`` where there are none.
        """
        return next(self._routers(span), None)

    def _routers(self, span: FunctionSpan) -> Iterator[TrialRouter]:
        """One for all of these tests or, where some are not fit for a fork, one for the others and one for those."""
        tests = self._served_tests(span)
        if not tests:
            return
        whole = self._router(tests)
        unfit = whole.find_unfit_tests(span.function)
        fit = tuple(test for test in tests if test not in unfit)
        if not unfit or not fit:
            yield whole
            return
        yield self._router(fit)
        own = {*self._covering_tests(span)}
        if any(test in own for test in unfit):
            yield self._router(tuple(test for test in unfit if test in own))

    def _router(self, tests: tuple[TestId, ...]) -> TrialRouter:
        if tests not in self._sessions:
            limits = hasten_limits(trial_limits(self._baseline, self.limits, tests), self._baseline, tests)
            asked = Selection(tests, self._sources, limits, self.limits, passes=True)
            self._sessions[tests] = TrialRouter(self._sandbox, asked)
        return self._sessions[tests]

    def close(self) -> None:
        """End every server."""
        for session in self._sessions.values():
            session.close()

    def _served_tests(self, span: FunctionSpan) -> tuple[TestId, ...]:
        """The tests of the function's server: those that run it, or the quickest of them.

        Others are among them where one server does for several functions.
        """
        quickest = sorted(self._covering_tests(span), key=lambda test: (self._seconds_of(test), test))
        seconds = itertools.accumulate(map(self._seconds_of, quickest))
        in_time = (test for test, total in zip(quickest, seconds, strict=True) if total <= SCREEN_SECONDS)
        own = self._baseline.in_suite_order(in_time)
        return self._shared if own and {*own} <= {*self._shared} else own

    def _covering_tests(self, span: FunctionSpan) -> tuple[TestId, ...]:
        if span not in self._covered:
            line_map, passing = self._baseline.traced.line_map, self._baseline.passing
            fit = tuple(test for test in passing if test not in self._failing_anyway)
            self._covered[span] = covering_tests(line_map, fit, span)
        return self._covered[span]

    def _seconds_of(self, test: TestId) -> float:
        return self._seconds.get(test, 0.0)


def trial_limits(baseline: Baseline, limits: Limits, tests: Sequence[TestId], least: float = LEAST_SECONDS) -> Limits:
    """Time for a trial of these tests: a multiple of what they took, never less than ``least`` seconds."""
    took = {r.test: r.seconds for r in baseline.outcomes if r.outcome is not Outcome.HANG}
    seconds = least + 5.0 * sum(took.get(test, 0.0) for test in tests)
    return replace(limits, test_seconds=seconds, wall_seconds=seconds)


def hasten_limits(limits: Limits, baseline: Baseline, tests: Sequence[TestId]) -> Limits:
    """The limits for trials that are set aside when they use much more time than these tests should need.

    That is what a test took or, where it hangs, what others of its file do. It is processor time where that is known:
    on a busy machine the clock tells many times as much.
    """
    return replace(limits, stuck_seconds=max(LEAST_STUCK_SECONDS, STUCK_TIMES * _seconds_needed(baseline, tests)))


def stop_hangs(limits: Limits, baseline: Baseline, tests: Sequence[TestId]) -> Limits:
    """The limits for trials that count as hanging when they use many more times what these tests should need."""
    least = LEAST_WHERE_HANGING if baseline.hangs else LEAST_HANG_SECONDS
    return replace(limits, stuck_seconds=max(least, HANG_TIMES * _seconds_needed(baseline, tests)))


def _seconds_needed(baseline: Baseline, tests: Sequence[TestId]) -> float:
    """What the hardest of the tests takes of the processor; of one that hangs, what others of its file do."""
    took = {r.test: r.cpu_seconds or r.seconds for r in baseline.outcomes if r.outcome is not Outcome.HANG}
    longest = max((took[test] for test in tests if test in took), default=0.0)
    files = {str(test).partition("::")[0] for test in tests if test not in took}
    beside = [took[test] for test in baseline.passing if test in took and str(test).partition("::")[0] in files]
    return max(longest, median(beside)) if beside else longest
