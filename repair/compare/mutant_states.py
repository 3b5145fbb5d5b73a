"""What the outcome of a trial says of the mutant that it ran."""

from __future__ import annotations

from analysis.mutation_score import MutantState
from analysis.trials import TrialOutcome, TrialState

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
