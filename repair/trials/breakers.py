"""What trials of a function broke before is asked first: of many passing tests it is often the same few that fail."""

from __future__ import annotations

from dataclasses import replace

from analysis.facts import FunctionId, InvalidRun, TestId
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.trials.ladder import Ladder, TrialTier

MOST = 3
"""Tests that are asked before all others, for each function: those that failed last."""


class Breakers:
    """For each server and function the tests that failed last, each asked in a fork of its own.

    A test is one of them only where it passes alone on the program as it is: what fails for want of the tests before
    it says nothing. What it rejects is asked all tests as well, until it is the one that fails there;
    where all of them pass, it is asked alone no more.
    """

    def __init__(self) -> None:
        self._known: dict[_Place, list[TestId]] = {}
        self._confirmed: set[tuple[_Place, TestId]] = set()
        self._useless: set[tuple[_Place, TestId]] = set()

    def outcome(self, ladder: Ladder, trial: Trial, control: Trial) -> TrialOutcome:
        """The outcome of all tests, or of one of these where that fails. The control is the function as it is."""
        place = (ladder, trial.function)
        for test in tuple(self._known.get(place, ())):
            alone = _alone(ladder, trial, test)
            if alone is None or not _fails(alone):
                continue
            if (place, test) in self._confirmed:
                self._put_first(place, test)
                return alone
            outcome = next(iter(ladder.trials([trial])))
            if outcome.failed == test:
                self._confirmed.add((place, test))
                self._put_first(place, test)
            elif outcome.state is TrialState.PASSED:
                self._known[place].remove(test)
                self._useless.add((place, test))
            elif outcome.failed is not None and _fails(outcome):
                self._note(place, outcome.failed, control)
            return outcome
        whole = next(iter(ladder.trials([trial])))
        if whole.failed is not None and _fails(whole):
            self._note(place, whole.failed, control)
        return whole

    def _note(self, place: _Place, test: TestId, control: Trial) -> None:
        if (place, test) in self._useless:
            return
        if test not in self._known.get(place, ()):
            alone = _alone(place[0], control, test)
            if alone is None or alone.state is not TrialState.PASSED:
                self._useless.add((place, test))
                return
        self._put_first(place, test)

    def _put_first(self, place: _Place, test: TestId) -> None:
        others = [known for known in self._known.get(place, ()) if known != test]
        self._known[place] = [test, *others][:MOST]


_Place = tuple[Ladder, FunctionId]


def _alone(ladder: Ladder, trial: Trial, test: TestId) -> TrialOutcome | None:
    """The outcome of one test with the trial in; nothing where no warm server runs it."""
    if ladder.tier_of(trial.function) is not TrialTier.WARM:
        return None
    session = ladder.session(TrialTier.WARM)
    if isinstance(session, InvalidRun):
        return None
    return next(iter(session.trials([replace(trial, only=(test,))])), None)


def _fails(outcome: TrialOutcome) -> bool:
    return outcome.state is TrialState.FAILED
