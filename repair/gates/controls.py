"""Controls: the failure comes back; the tests fail on a sabotaged function, and where they ask for the impossible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.errors import OutOfTimeError, RepairError
from analysis.facts import BROKEN, Limits, Outcome, TestId, TestRun
from repair.compare.twins import Noticed, TwinAnswer, answers, twins_of
from repair.observe.complete_runs import complete_run
from repair.records.functions import edit_scope
from repair.records.ports import Sandbox, Submission
from repair.records.verdict import Decision, Evidence
from repair.records.wording import counted, named
from repair.trials.layered import LayeredSandbox, laid_over
from transforms.mutants.made import sabotages
from transforms.patch.apply import place


class Controls:
    """Accepts when the failure came back in every run, and each failing test fails under a sabotage and as its twin.

    A sabotaged function raises, returns ``None`` or returns its first argument (extreme mutation: Niedermayr et al.
    2016; Vera-Perez et al. 2018). A test that passes with all three does not run this copy of the function, or does not
    look at what it does.

    A twin asks for the impossible. A test that passes as its twin does not look at what the program does: its outcome
    is forged, or its value equals everything.
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
        evidence = self._sabotaged(submission, max(2, baseline.runs))
        return evidence if evidence.decision is not Decision.ACCEPT else self._twinned(submission, evidence)

    def _sabotaged(self, submission: Submission, runs: int) -> Evidence:
        baseline = submission.baseline
        blind = set(baseline.failing)
        tried = 0
        scope = edit_scope(submission.whole, submission.candidate.function, submission.candidate.text)
        for sabotage in sabotages(scope):
            if not blind:
                break
            files = tuple(sorted({**dict(submission.whole), scope.function.path: place(scope, sabotage.text)}.items()))
            run = self._sandbox.run(baseline.failing, files, limits=baseline.unhurried(self._limits))
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

    def _twinned(self, submission: Submission, so_far: Evidence) -> Evidence:
        """Run the impossible twins of the failing tests on the patched program, cold, all at once."""
        failing = submission.baseline.failing
        twins = twins_of(failing, submission.test_sources)
        exempt = dict(twins.exempt)
        tests = [test for test in failing if test not in exempt]
        found: tuple[TwinAnswer, ...] = ()
        if tests:
            twinned = LayeredSandbox(self._sandbox, laid_over(submission.whole, twins.files))
            try:  # one that hangs did not pass: it waits for what its assertion kept from happening
                run = complete_run(twinned, tests, submission.baseline.unhurried(self._limits), trace=True)
            except OutOfTimeError:
                raise
            except RepairError as problem:
                claim = f"Where they ask for the impossible, the tests give no result: {problem.found}"
                return replace(so_far, decision=Decision.UNKNOWN, claim=claim)
            found = tuple(answers(twins, tests, run))
        exempt |= {each.test: _UNTOUCHED for each in found if each.noticed is Noticed.UNTOUCHED}
        reasons = {why: [test for test, each in exempt.items() if each == why] for why in exempt.values()}
        skipped = tuple(f"the impossible twin of {named(tests, 'test')}: {why}" for why, tests in reasons.items())
        numbers = (("twins", len(failing) - len(exempt)), ("untwinned", len(exempt)))
        told = replace(
            so_far,
            claim=f"{so_far.claim}; {numbers[0][1]} of {counted(len(failing), 'impossible twin')} fail",
            measurements=(*so_far.measurements, *numbers),
            not_checked=(*so_far.not_checked, *skipped),
        )
        return _doubted(told, found) if any(each.noticed in _DOUBTS for each in found) else told

    def _fails_again(self, submission: Submission) -> bool:
        """One more run of the unpatched program."""
        failing = submission.baseline.failing
        try:
            run = complete_run(self._sandbox, failing, submission.baseline.unhurried(self._limits))
        except OutOfTimeError:  # which is no answer
            raise
        except RepairError:
            return False
        return all(run.outcome(test) in BROKEN for test in failing)


_UNTOUCHED = "it came to no assertion that could be changed"
_DOUBTS = {
    Noticed.FORGED: (Decision.REJECT, "passes although line {line} asks for the impossible: its outcome is forged"),
    Noticed.PASSED: (Decision.UNKNOWN, "passes although line {line} asks for the impossible"),
    Noticed.HOLDS: (Decision.UNKNOWN, "has a value in line {line} that equals the impossible, too"),
}
"""What a twin that did not fail says, the worst first."""


def _doubted(told: Evidence, found: Sequence[TwinAnswer]) -> Evidence:
    """The evidence with the worst of the twins' answers."""
    order = list(_DOUBTS)
    worst = min((each for each in found if each.noticed in _DOUBTS), key=lambda each: order.index(each.noticed))
    decision, said = _DOUBTS[worst.noticed]
    claim = f"{worst.test} {said.format(line=worst.line)}"
    question = f"Which value should fail line {worst.line} of {worst.test}?"
    return replace(told, decision=decision, claim=claim, witness=claim, question=question)


def _passing(run: TestRun, tests: tuple[TestId, ...]) -> set[TestId]:
    return {test for test in tests if run.outcome(test) is Outcome.PASSED}
