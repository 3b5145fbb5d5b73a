"""What trials of a function broke before is asked first: of many passing tests it is often the same few that fail."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts import FunctionId, InvalidRun, TestId
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.ladder import Ladder, TrialTier

MOST = 3
"""Tests that are asked before all others, for each function: those that failed last."""


class Breakers:
    """For each server and function the tests that failed last, each asked in a fork of its own.

    A test is one of them only where it passes alone on the program as it is: what fails for want of the tests before
    it says nothing.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Ladder, FunctionId], list[TestId]] = {}
        self._useless: set[tuple[Ladder, FunctionId, TestId]] = set()

    def broken(self, ladder: Ladder, trial: Trial) -> TrialOutcome | None:
        """How one of these tests fails with the trial; nothing where they pass or cannot tell."""
        key = (ladder, trial.function)
        for test in tuple(self._known.get(key, ())):
            outcome = _alone(ladder, trial, test)
            if outcome is not None and _fails(outcome):
                self._put_first(key, test)
                return outcome
        return None

    def note(self, ladder: Ladder, outcome: TrialOutcome, control: Trial) -> None:
        """A trial of the control's function has ended so; the control is the function as it is."""
        key, test = (ladder, control.function), outcome.failed
        if test is None or not _fails(outcome) or (*key, test) in self._useless:
            return
        if test not in self._known.get(key, ()):
            alone = _alone(ladder, control, test)
            if alone is None or alone.state is not TrialState.PASSED:
                self._useless.add((*key, test))
                return
        self._put_first(key, test)

    def _put_first(self, key: tuple[Ladder, FunctionId], test: TestId) -> None:
        others = [known for known in self._known.get(key, ()) if known != test]
        self._known[key] = [test, *others][:MOST]


def _alone(ladder: Ladder, trial: Trial, test: TestId) -> TrialOutcome | None:
    """The outcome of one test with the trial in; nothing where no warm server runs it."""
    if ladder.tier_of(trial.function) is not TrialTier.WARM:
        return None
    session = ladder.session(TrialTier.WARM)
    if isinstance(session, InvalidRun):
        return None
    return next(iter(session.trials([replace(trial, only=(test,))])), None)


def _fails(outcome: TrialOutcome) -> bool:
    return outcome.state is TrialState.FAILED and not outcome.hasty
