"""Fail-to-pass: every failing test passes, by exact id, in a cold run on a fresh copy."""

from __future__ import annotations

from analysis.facts import BROKEN, InvalidRun, Limits, Outcome, TestId, TestRun
from repair.observe.patched import PatchedRun
from repair.observe.uncollected import file_of
from repair.records.ports import Sandbox, Submission
from repair.records.verdict import Decision, Evidence
from repair.records.wording import count_noun


class Fixes:
    """Accepts when each test to mend is collected, reported and passed, and nothing else is claimed.

    A run that tells other gates as well shows it too. Where it does not, the failing tests are run alone.
    """

    name = "fixes"

    def __init__(self, sandbox: Sandbox, limits: Limits, patched: PatchedRun | None = None) -> None:
        self._patched = patched
        self._sandbox = sandbox.for_purpose(self.name)
        self._limits = limits

    def judge(self, submission: Submission) -> Evidence:
        """Compile the changed files in the target's interpreter, then look at the failing tests in a cold run."""
        problem = self._sandbox.compiles(tuple(f for f in submission.whole if f[0].endswith(".py")))
        if problem:
            return Evidence(self.name, Decision.REJECT, f"The target's interpreter does not compile it: {problem}")
        wanted = submission.baseline.failing
        if not wanted:
            return Evidence(self.name, Decision.UNKNOWN, _describe_unmended(submission))
        run = self._patched.of(submission) if self._patched else None
        if isinstance(run, TestRun) and all(run.outcome(test) is Outcome.PASSED for test in wanted):
            return _accept(run, wanted)
        return self._judge_alone(submission, wanted)

    def _judge_alone(self, submission: Submission, wanted: tuple[TestId, ...]) -> Evidence:
        """What a run of the failing tests alone says."""
        asked = submission.baseline.in_suite_order(wanted)
        run = self._sandbox.run(asked, submission.whole, limits=submission.baseline.relax_limits(self._limits))
        if isinstance(run, InvalidRun):
            return Evidence(self.name, Decision.REJECT, f"The failing tests do not run to their end: {run.detail}")
        left = [test for test in wanted if run.outcome(test) is not Outcome.PASSED]
        if left:
            claim = f"{left[0]} is still {run.outcome(left[0]).value}"
            return Evidence(
                self.name, Decision.REJECT, claim, (("mended", len(wanted) - len(left)), ("left", len(left)))
            )
        strange = [r.test for r in run.results if r.test not in wanted and file_of(r.test) not in wanted]
        if strange:
            return Evidence(self.name, Decision.REJECT, f"{strange[0]} was not asked for and is reported")
        return _accept(run, wanted)


def _accept(run: TestRun, wanted: tuple[TestId, ...]) -> Evidence:
    claim = f"{len(wanted)} of {len(wanted)} failing tests pass"
    return Evidence(Fixes.name, Decision.ACCEPT, claim, (("mended", len(wanted)), ("isolation", run.isolation)))


def _describe_unmended(submission: Submission) -> str:
    failed = sum(r.outcome in BROKEN for r in submission.baseline.outcomes)
    if failed:
        return f"{count_noun(failed, 'test')} failed before, and this change turns none of them green"
    return "No test failed before, so no test shows what this change mends"
