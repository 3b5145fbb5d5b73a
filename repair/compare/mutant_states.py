"""What the outcome of a trial says of the mutant that it ran, and how the mutant is told."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.mutant_view import MutantView, view_mutant
from analysis.mutation_score import MutantState
from analysis.trials import TrialOutcome, TrialState
from transforms.mutants.made import Mutant
from transforms.tree.scope import EditScope

STATES = {
    TrialState.PASSED: MutantState.SURVIVED,
    TrialState.FAILED: MutantState.KILLED,
    TrialState.TIMEOUT: MutantState.TIMEOUT,
    TrialState.MEMORY: MutantState.KILLED,
    TrialState.CRASHED: MutantState.INVALID,
    TrialState.FLOOD: MutantState.INVALID,
    TrialState.INVALID: MutantState.INVALID,
}

NOTICED_NOTHING = ("skipped", "xfailed", "xpassed")
"""How a trial's detail begins where its test ended in another way than by failing."""


def mutant_state(outcome: TrialOutcome) -> MutantState:
    """A trial that failed in no test (the report was lost) killed nothing; nor did a test that skipped itself."""
    if outcome.state is TrialState.FAILED and outcome.failed is None:
        return MutantState.INVALID
    if outcome.state is TrialState.FAILED and outcome.detail.startswith(NOTICED_NOTHING):
        return MutantState.SURVIVED
    return STATES[outcome.state]


@dataclass(frozen=True, slots=True)
class MutantFate:
    """What became of a mutant, and the first test that did not pass with it."""

    state: MutantState
    killed_by: str = ""


def fate_of(outcome: TrialOutcome) -> MutantFate:
    """The fate of the mutant that this trial ran."""
    state = mutant_state(outcome)
    noticed = state in (MutantState.KILLED, MutantState.TIMEOUT)
    return MutantFate(state, str(outcome.failed or "") if noticed else "")


def show_mutant(scope: EditScope, mutant: Mutant, fate: MutantFate) -> MutantView:
    """The mutant of the function as it is told."""
    old, new = (text.decode(scope.encoding, "replace") for text in (scope.text, mutant.text))
    first = scope.function.first_line
    return view_mutant(old, new, first, mutant.operator, mutant.label, fate.state, fate.killed_by)
