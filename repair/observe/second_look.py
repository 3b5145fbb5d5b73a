"""Tests that newly fail with a patch, run again on both programs: is it the patch, or do they fail now and then?

A test that does not run the patched function can be broken by it: another test leaves something, or a thread does, or a
process. So what decides is how often it fails, with the patch and without it, among the whole suite in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from analysis.facts import BROKEN, Files, InvalidRun, Limits, Outcome, Phase, TestId, TestRun
from repair.observe.patched import WorseOff, differences, suite_selection
from repair.records.ports import Sandbox, Submission
from repair.records.task import Baseline
from repair.records.wording import count_noun

LOOK_SECONDS = 30.0
"""What running tests again on both programs may take, about; they are run once more in any case."""

START_SECONDS = 0.5
"""What a cold run takes beside its tests, about."""

MOST_ROUNDS = 8
"""So often both programs are run again at most, to see a test fail without the patch."""

TELLING_ROUNDS = 3
"""So many rounds tell a regression: a test failed in each with the patch, and in none without it."""

MOST_ALONE = 5
"""So many of the tests that newly fail are first run by themselves."""


@dataclass(frozen=True, slots=True)
class Tally:
    """In how many of so many runs of the suite a test failed: with the patch, and without it."""

    test: TestId
    patched: int
    old: int
    runs: int

    def __str__(self) -> str:
        """``t.py::test_a failed in 1 of 4 runs of the suite with the patch, and in none without it``."""
        without, runs = self.old or "none", count_noun(self.runs, "run")
        return (
            f"{self.test} failed in {self.patched} of {runs} of the suite with the patch, and in {without} without it"
        )


@dataclass(frozen=True, slots=True)
class SecondLook:
    """What further runs say of a suite that went wrong once.

    - ``worse`` are sentences on what the patch did: each of these speaks for a rejection.
    - ``unsteady`` tests failed with the patch, not in each run, and never without it: nobody knows whose doing that is.
    - ``aside`` are tests that failed without the patch as well, in at least one run.
    """

    worse: tuple[str, ...] = ()
    unsteady: tuple[Tally, ...] = ()
    aside: tuple[Tally, ...] = ()


class SuiteReruns:
    """Runs the suite of one submission, cold: with the patch and without it, as often as time allows."""

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox = sandbox
        self._limits = limits

    def run_patched(self, submission: Submission) -> TestRun | InvalidRun:
        """The suite with the patch."""
        return self._run(submission, suite_selection(submission.baseline), submission.whole)

    def run_old(self, submission: Submission) -> TestRun | InvalidRun:
        """The suite without the patch, in the same order."""
        new = {r.test for r in submission.baseline.outcomes if r.phase is Phase.COLLECT}
        known = tuple(test for test in suite_selection(submission.baseline) if test not in new)
        return self._run(submission, known, ())

    def look_again(self, submission: Submission, run: TestRun) -> SecondLook:
        """Whose doing it is what went wrong in this run with the patch; without any further run where nothing did.

        Only tests that passed before and fail now get another run: what is missing, skipped or new is no accident.
        """
        worse = differences(submission.baseline, run)
        broken = _find_newly_broken(submission.baseline, run)
        if len(worse) > len(broken):
            return SecondLook(tuple(each.said for each in worse))
        if not broken:
            return SecondLook()
        certain = self._find_broken_alone(submission, broken)
        if certain:
            return SecondLook(_sentences_on(certain, worse))
        return self._run_both(submission, worse, broken)

    def _find_broken_alone(self, submission: Submission, broken: Sequence[TestId]) -> tuple[TestId, ...]:
        """Those of the first few that fail alone each time with the patch, and never without it.

        For these the whole suite need not be run again, which may take long.
        """
        left = list(broken[:MOST_ALONE])
        took = {r.test: r.seconds for r in submission.baseline.outcomes}
        rounds = min(TELLING_ROUNDS, _count_rounds(sum(took.get(test, 0.0) for test in left)))
        for files in (submission.whole, ()) * rounds:
            run = self._run(submission, left, files)
            if isinstance(run, InvalidRun):
                return ()
            wanted = BROKEN if files else {Outcome.PASSED}
            left = [test for test in left if run.outcome(test) in wanted]
            if not left:
                return ()
        return tuple(left)

    def _run_both(self, submission: Submission, worse: Sequence[WorseOff], broken: Sequence[TestId]) -> SecondLook:
        """How often each test fails among the whole suite; what observed the old program counts as its first run."""
        seen = _Seen([*worse], Counter(broken))
        for _ in range(_count_rounds(submission.baseline.suite_seconds)):
            patched = self.run_patched(submission)
            if isinstance(patched, InvalidRun):
                break
            now, broken = differences(submission.baseline, patched), _find_newly_broken(submission.baseline, patched)
            if len(now) > len(broken):
                return SecondLook(tuple(each.said for each in now if each.test not in broken))
            old = self.run_old(submission)
            if isinstance(old, InvalidRun):
                break
            seen.take(now, broken, _find_newly_broken(submission.baseline, old))
            if seen.is_settled():
                break
        return seen.sum_up()

    def _run(self, submission: Submission, tests: Sequence[TestId], files: Files) -> TestRun | InvalidRun:
        return self._sandbox.run(tests, files, limits=submission.baseline.relax_limits(self._limits))


@dataclass(slots=True)
class _Seen:
    """Failures of so many runs of each program; changes while it is counted."""

    worse: list[WorseOff]
    patched: Counter[TestId]
    old: Counter[TestId] = field(default_factory=Counter)
    runs: int = 1

    def take(self, worse: Sequence[WorseOff], patched: Sequence[TestId], old: Sequence[TestId]) -> None:
        """Count one more run of each."""
        known = {each.test for each in self.worse}
        self.worse += [each for each in worse if each.test not in known]
        self.patched.update(patched)
        self.old.update(old)
        self.runs += 1

    def regressions(self) -> tuple[TestId, ...]:
        """Tests that failed in each of several runs with the patch, and in none without it."""
        return tuple(t for t, n in self.patched.items() if 1 < n == self.runs and not self.old[t])

    def is_settled(self) -> bool:
        """Whether a further round can change nothing: each test failed without the patch, or one never did so."""
        enough = self.runs > TELLING_ROUNDS and bool(self.regressions())
        return enough or all(self.old[test] for test in self.patched)

    def sum_up(self) -> SecondLook:
        """What the runs say so far."""
        regressions = self.regressions()
        if regressions:
            return SecondLook(_sentences_on(regressions, self.worse))
        tallies = [Tally(test, n, self.old[test], self.runs) for test, n in self.patched.items()]
        return SecondLook((), tuple(t for t in tallies if not t.old), tuple(t for t in tallies if t.old))


def _count_rounds(seconds: float) -> int:
    """How often two runs of so many seconds each may be run again: at least once."""
    return max(1, min(MOST_ROUNDS, int(LOOK_SECONDS / (2 * (seconds + START_SECONDS)))))


def steady_tests(baseline: Baseline) -> tuple[TestId, ...]:
    """The tests that passed in each run of the unpatched program."""
    return tuple(test for test in baseline.passing if test not in baseline.flaky)


def _find_newly_broken(baseline: Baseline, run: TestRun) -> tuple[TestId, ...]:
    """Steady tests that fail in this run."""
    return tuple(test for test in steady_tests(baseline) if run.outcome(test) in BROKEN)


def _sentences_on(tests: Sequence[TestId], worse: Sequence[WorseOff]) -> tuple[str, ...]:
    return tuple(each.said for each in worse if each.test in tests)
