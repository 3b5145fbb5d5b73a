"""Stability: the same outcomes in another order, in a fresh process on a fresh copy."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.facts import InvalidRun, Limits, Outcome, TestId, TestRun
from repair.ports import Sandbox, Submission
from repair.verdict import Decision, Evidence


class Stability:
    """Accepts when the vouching tests pass again, shuffled.

    A passing test that fails in that order without the patch too says nothing about the patch. Where without the
    patch the tests do not run to their end in that order, nothing tells whose doing a failure is. One that passed
    before, and passes when the same order is run again, is not steady: no certificate is given for that.
    """

    name = "stability"

    def __init__(self, sandbox: Sandbox, limits: Limits, seed: int, runs: int = 2) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._seed = seed
        self._runs = runs

    def judge(self, submission: Submission) -> Evidence:
        """Run the vouching tests several times in different orders."""
        tests = submission.vouching
        if not tests:
            return Evidence(self.name, Decision.UNKNOWN, "No test vouches for this change")
        excused: set[TestId] = set()
        limits = submission.baseline.unhurried(self._limits)
        for attempt in range(self._runs):
            shuffle = self._seed + 11 + attempt
            run = self._sandbox.run(tests, submission.whole, limits=limits, shuffle=shuffle)
            broken = [] if isinstance(run, InvalidRun) else [t for t in tests if run.outcome(t) is not Outcome.PASSED]
            if not broken and isinstance(run, TestRun):
                continue
            found = self._blamed(submission, run, broken, shuffle)
            if found is not None:
                decision, claim = found
                return Evidence(self.name, decision, claim, (("runs", attempt + 1), ("tests", len(tests))))
            excused.update(broken)
        return self._stable([test for test in tests if test not in excused], sorted(excused))

    def _stable(self, kept: Sequence[TestId], excused: Sequence[TestId]) -> Evidence:
        numbers = (("runs", self._runs), ("tests", len(kept)))
        if not kept:
            return Evidence(self.name, Decision.UNKNOWN, "Each vouching test depends on the order of running", numbers)
        claim = f"{len(kept)} vouching tests passed {self._runs} more times, in shuffled order"
        left_out = tuple(f"{test}: without the patch, too, it depends on the order of running" for test in excused)
        return Evidence(self.name, Decision.ACCEPT, claim, numbers, not_checked=left_out)

    def _blamed(
        self, submission: Submission, run: TestRun | InvalidRun, broken: Sequence[TestId], shuffle: int
    ) -> tuple[Decision, str] | None:
        """What a run that did not pass says of the patch; ``None`` where its tests break without the patch too."""
        mended = [test for test in broken if test in submission.baseline.failing]
        old = None
        if not mended:
            limits = submission.baseline.unhurried(self._limits)
            old = self._sandbox.run(submission.vouching, (), limits=limits, shuffle=shuffle)
        if isinstance(run, InvalidRun):
            claim = f"Shuffled (seed {shuffle}), the tests do not run to their end: {run.detail}"
        else:
            left = [t for t in broken if not isinstance(old, TestRun) or old.outcome(t) is Outcome.PASSED]
            if not left:
                return None
            claim = f"{left[0]} is {run.outcome(left[0]).value} when the order is shuffled (seed {shuffle})"
        if isinstance(old, InvalidRun):
            return Decision.UNKNOWN, f"{claim}; without the patch that order does not run to its end: {old.detail}"
        if not mended and isinstance(run, TestRun) and self._passes(submission, shuffle):
            return Decision.UNKNOWN, f"{claim}, and passes when run in that order again: it is not steady"
        return Decision.REJECT, claim

    def _passes(self, submission: Submission, shuffle: int) -> bool:
        """Whether all pass with the patch when that order is run again."""
        limits = submission.baseline.unhurried(self._limits)
        run = self._sandbox.run(submission.vouching, submission.whole, limits=limits, shuffle=shuffle)
        return isinstance(run, TestRun) and all(run.outcome(test) is Outcome.PASSED for test in submission.vouching)
