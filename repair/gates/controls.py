"""Controls: the failure is real and repeatable, and the tests that vouch do notice when the function is sabotaged."""

from __future__ import annotations

from analysis.errors import RepairError
from analysis.facts import BROKEN, Limits, Outcome, TestId, TestRun
from repair.baseline import complete_run
from repair.functions import edit_scope
from repair.ports import Sandbox, Submission
from repair.verdict import Decision, Evidence
from transforms.apply import place
from transforms.mutants import sabotages


class Controls:
    """Accepts when the failure came back in every baseline run and each failing test fails under a sabotage.

    A test that passes while the function raises, returns ``None`` and returns its first argument does
    not run this copy of the function, or does not look at what it does (extreme mutation: Niedermayr
    et al. 2016; Vera-Perez et al. 2018).
    """

    name = "controls"

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox = sandbox
        self._limits = limits

    def judge(self, submission: Submission) -> Evidence:
        """Sabotage the patched function, cold, and see who notices."""
        baseline = submission.baseline
        if not baseline.failing:
            return Evidence(
                self.name, Decision.UNKNOWN, "There is no failing test to mend, so there is no failure to reproduce"
            )
        if baseline.unsteady:
            claim = f"{baseline.unsteady[0]} fails in a different way each time it is run"
            return Evidence(self.name, Decision.UNKNOWN, claim, (("runs", baseline.runs),), witness=claim)
        if baseline.runs < 2 and not self._fails_again(submission):
            claim = "The failure was seen once and did not come back"
            return Evidence(self.name, Decision.UNKNOWN, claim, (("runs", baseline.runs),))
        return self._sabotaged(submission, max(2, baseline.runs))

    def _sabotaged(self, submission: Submission, runs: int) -> Evidence:
        baseline = submission.baseline
        blind = set(baseline.failing)
        tried = 0
        scope = edit_scope(submission.whole, submission.candidate.function, submission.candidate.text)
        for sabotage in sabotages(scope):
            if not blind:
                break
            files = tuple(sorted({**dict(submission.whole), scope.function.path: place(scope, sabotage.text)}.items()))
            run = self._sandbox.run(baseline.failing, files, limits=self._limits)
            if isinstance(run, TestRun):
                tried += 1
                blind &= _passing(run, baseline.failing)
        numbers = (("runs", runs), ("sabotages", tried), ("blind", len(blind)))
        if not tried:
            claim = "No run with a sabotaged function came to its end, so nothing shows that the tests look at it"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=("sabotage of the function",))
        if blind:
            test = min(blind)
            claim = f"{test} passes whatever the function does: it does not vouch for it"
            return Evidence(
                self.name, Decision.UNKNOWN, claim, numbers, witness=claim, question=f"Does {test} run this code?"
            )
        claim = f"the failure came back in {runs} runs, and the tests notice when the function is sabotaged"
        return Evidence(self.name, Decision.ACCEPT, claim, numbers, not_checked=baseline.lost)

    def _fails_again(self, submission: Submission) -> bool:
        """One more run of the unpatched program."""
        failing = submission.baseline.failing
        try:
            run = complete_run(self._sandbox, failing, self._limits)
        except RepairError:
            return False
        return all(run.outcome(test) in BROKEN for test in failing)


def _passing(run: TestRun, tests: tuple[TestId, ...]) -> set[TestId]:
    return {test for test in tests if run.outcome(test) is Outcome.PASSED}
