"""A mutant that seemed to be stuck is asked again, with all of its time, before anything is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

from analysis.facts import FunctionId
from analysis.trials import Trial, TrialOutcome, TrialState
from corpora.lab.benchmarks.mutation_trials import _outcomes
from repair.trials.ladder import Ladder

FUNCTION = FunctionId("lib.py", "f", 1)


@dataclass
class Hasty:
    """Sets aside what takes long, unless it is to be patient: ``slow`` then passes, ``endless`` does not end."""

    asked: list[tuple[str, bool]] = field(default_factory=list)

    def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
        for trial in trials:
            self.asked.append((trial.digest, trial.patient))
            if trial.digest == "quick":
                yield TrialOutcome(trial.digest, TrialState.FAILED)
            elif trial.patient and trial.digest == "slow":
                yield TrialOutcome(trial.digest, TrialState.PASSED)
            else:
                yield TrialOutcome(trial.digest, TrialState.TIMEOUT, hasty=not trial.patient)


def test_what_was_set_aside_in_haste_is_run_again_and_nothing_else_is():
    ladder = Hasty()
    trials = [Trial(name, FUNCTION, b"", "") for name in ("quick", "slow", "endless")]
    found = _outcomes(cast("Ladder", ladder), trials)
    assert {name: outcome.state for name, outcome in found.items()} == {
        "quick": TrialState.FAILED,
        "slow": TrialState.PASSED,
        "endless": TrialState.TIMEOUT,
    }
    assert not any(outcome.hasty for outcome in found.values())
    assert ladder.asked == [("quick", False), ("slow", False), ("endless", False), ("slow", True), ("endless", True)]
