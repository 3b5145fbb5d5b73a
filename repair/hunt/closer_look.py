"""A closer look at an edit that failed, for a proposer that learns from it.

Trials are quick because nobody reads what they print: assertions are plain in them, and the first test that fails ends
one. Who waits for outcomes is told more, for the price of one cold run: the values of the assertion, and what broke.
Where a warm server stands, it is told too which calls of the failing tests the edit has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.facts import BROKEN, Files, InvalidRun, Limits, TestId, TestResult, digest
from analysis.failure import describe_failure, failure_of
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.hunt.tried_edit import TriedEdit
from repair.records.plan import covering_tests
from repair.records.ports import Sandbox
from repair.records.task import Attempt, Baseline
from repair.records.witness_text import describe_both
from repair.records.wording import count_noun
from repair.trials.trial_router import TrialRouter
from transforms.patch.apply import place
from transforms.rules.antipatterns import antipatterns

PURPOSE = "attempts that failed"

MOST_FAILING, MOST_OTHERS = 10, 20
"""Tests of either kind that are run again."""

UNENDING = frozenset({TrialState.TIMEOUT, TrialState.MEMORY, TrialState.FLOOD})
"""Ends that another run would only wait for again."""


@dataclass(frozen=True, slots=True)
class CloserLook:
    """Looks at failed edits of one search: the ``router`` runs its failing tests."""

    sandbox: Sandbox
    baseline: Baseline
    sources: Files
    limits: Limits
    router: TrialRouter

    def look(self, edit: TriedEdit, outcome: TrialOutcome) -> Attempt:
        """The attempt with what its tests say, as far as they can be asked again."""
        reason = f"{outcome.state.value} {outcome.failed or ''} {outcome.detail}".strip()
        text = edit.trial.text.decode(edit.stream.scope.encoding, "replace")
        function, label = edit.trial.function, edit.proposal.origin.operator
        failed = (outcome.failed,) if outcome.failed is not None else ()
        still = tuple(test for test in failed if test in self.baseline.failing) or self._all_unless_mended(outcome)
        broke = tuple(test for test in failed if test not in self.baseline.failing)
        divergence = self._find_divergence(edit)
        if outcome.state in UNENDING or outcome.state is TrialState.INVALID:
            return Attempt(label, text, reason, function, "failed", still, broke, outcome.detail, divergence)
        found = self._run(edit, broke)
        if not found:
            return Attempt(label, text, reason, function, "failed", still, broke, outcome.detail, divergence)
        bad = [result for result in found if result.outcome in BROKEN]
        still = tuple(result.test for result in bad if result.test in self.baseline.failing)
        broke = tuple(dict.fromkeys((*broke, *(result.test for result in bad if result.test not in still))))
        seen = next((describe_failure(failure_of(result)) for result in bad), outcome.detail)
        return Attempt(label, text, reason, function, "failed", still, broke, seen, divergence)

    def find_doubt(self, edit: TriedEdit) -> Attempt | None:
        """What speaks against the shape of an edit that passes; ``None`` where nothing does.

        Example: it answers a constant where something was computed.
        """
        scope, trial = edit.stream.scope, edit.trial
        shapes = antipatterns(scope.text, trial.text, scope.encoding)
        if not shapes:
            return None
        doubt, text = f"its shape speaks against it: {', '.join(shapes)}", trial.text.decode(scope.encoding, "replace")
        label = edit.proposal.origin.operator
        return Attempt(label, text, "it passes, and is in doubt", trial.function, "doubted", doubt=doubt)

    def _all_unless_mended(self, outcome: TrialOutcome) -> tuple[TestId, ...]:
        """The failing tests, where the trial did not get as far as to say which of them fails."""
        return () if outcome.failed is not None else self.baseline.failing

    def _run(self, edit: TriedEdit, broke: Sequence[TestId]) -> tuple[TestResult, ...]:
        """What the failing tests give with the edit, and where one broke, others that run its function too."""
        others: tuple[TestId, ...] = ()
        if broke:
            took = {result.test: result.seconds for result in self.baseline.outcomes}
            own = covering_tests(self.baseline.traced.line_map, self.baseline.passing, edit.stream.span)
            quickest = sorted(own, key=lambda test: (test not in broke, took.get(test, 0.0), test))
            others = tuple(quickest[:MOST_OTHERS])
        tests = tuple(dict.fromkeys((*self.baseline.failing[:MOST_FAILING], *others, *broke)))
        files = ((edit.trial.function.path, place(edit.stream.scope, edit.trial.text)),)
        run = self.sandbox.for_purpose(PURPOSE).run(tests, files, limits=self.limits)
        return run.partial if isinstance(run, InvalidRun) else run.results

    def _find_divergence(self, edit: TriedEdit) -> str:
        """The first call of the failing tests that gives something else than before; or that all give what they gave.

        Empty where nobody can tell.
        """
        function, scope = edit.trial.function, edit.stream.scope
        old = Trial(digest(function.path, function.qualname, scope.text), function, scope.text, "as it was")
        found = self.router.questions_about(function).compare(edit.trial, (), (), old, ())
        if not found.tried.inputs:
            return ""
        if not found.old.departures:
            calls = count_noun(found.tried.inputs, "call")
            return f"of {calls} that the failing tests make, none gives anything else than before"
        first = next((each for _, each in found.old.recorded), found.old.departures[0])
        mine, other = describe_both(first)
        return f"{first.call.source}: {mine} with this change, and {other} without it"
