"""Screening: does a trial that mends the failing tests break the passing ones that run its function?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from analysis.facts import Files, Limits, Outcome, TestId
from analysis.functions import FunctionSpan
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.ladder import Ladder, Selection
from repair.plan import covering_tests
from repair.ports import Sandbox
from repair.task import Baseline

SCREEN_SECONDS = 10.0
LEAST_SECONDS = 2.0

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
        self._sessions: dict[tuple[TestId, ...], Ladder] = {}

    def check(self, trial: Trial, span: FunctionSpan) -> TrialOutcome:
        """The trial's outcome over the passing tests that run its function; passed where there are none."""
        ladder = self.ladder(span)
        return TrialOutcome(trial.digest, TrialState.PASSED) if ladder is None else next(iter(ladder.trials([trial])))

    def ladder(self, span: FunctionSpan) -> Ladder | None:
        """Where the passing tests that run the function are run; ``None`` where there are none."""
        tests = self._quick(covering_tests(self._baseline.traced.line_map, self._baseline.passing, span))
        if tests and tests not in self._sessions:
            limits = hasty(trial_limits(self._baseline, self.limits, tests), self._baseline, tests)
            asked = Selection(tests, self._sources, limits, self.limits, passes=True)
            self._sessions[tests] = Ladder(self._sandbox, asked)
        return self._sessions.get(tests)

    def close(self) -> None:
        """End every server."""
        for session in self._sessions.values():
            session.close()

    def _quick(self, tests: Sequence[TestId]) -> tuple[TestId, ...]:
        took = {r.test: r.seconds for r in self._baseline.outcomes}
        chosen: list[TestId] = []
        total = 0.0
        for test in sorted(tests, key=lambda t: (took.get(t, 0.0), t)):
            total += took.get(test, 0.0)
            if total > SCREEN_SECONDS:
                break
            chosen.append(test)
        return tuple(sorted(chosen))


def trial_limits(baseline: Baseline, limits: Limits, tests: Sequence[TestId], least: float = LEAST_SECONDS) -> Limits:
    """Time for a trial of these tests: a multiple of what they took, never less than ``least`` seconds."""
    took = {r.test: r.seconds for r in baseline.outcomes if r.outcome is not Outcome.HANG}
    seconds = least + 5.0 * sum(took.get(test, 0.0) for test in tests)
    return replace(limits, test_seconds=seconds, wall_seconds=seconds)


def hasty(limits: Limits, baseline: Baseline, tests: Sequence[TestId]) -> Limits:
    """The limits for trials that are set aside when they use much more time than these tests should need."""
    return replace(limits, stuck_seconds=max(LEAST_STUCK_SECONDS, STUCK_TIMES * _needed(baseline, tests)))


def _needed(baseline: Baseline, tests: Sequence[TestId]) -> float:
    """Seconds that each of the tests should need: what it took or, where it hangs, what others of its file do.

    In processor time where that is known: on a busy machine the clock tells many times as much.
    """
    took = {r.test: r.cpu_seconds or r.seconds for r in baseline.outcomes if r.outcome is not Outcome.HANG}
    longest = max((took[test] for test in tests if test in took), default=0.0)
    files = {str(test).partition("::")[0] for test in tests if test not in took}
    beside = [took[test] for test in baseline.passing if test in took and str(test).partition("::")[0] in files]
    return max(longest, median(beside)) if beside else longest
