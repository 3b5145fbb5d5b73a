"""What runs of the unpatched program have shown by now: first a few of them, then all."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from analysis.facts import TestId
from repair.records.task import Baseline


@dataclass(frozen=True, slots=True)
class NothingToMend:
    """Why there is nothing to patch: ``nothing_fails``, ``not_reproduced``, ``flaky`` or ``unparseable``."""

    status: str
    message: str
    tests: tuple[TestId, ...] = ()


Observed = Baseline | NothingToMend


class ObservationState(enum.Enum):
    """What is known of the unpatched program, beside the runs that the work on it is based on."""

    FIRST_RUNS = "further runs go on, and may say otherwise"
    AGREED = "all runs are over, and the same tests fail in them"
    WIDER = "as agreed, and all runs have more of the suite than the basis has"
    CONTRADICTED = "all runs are over, and other tests fail in them, or none does"


class Observation:
    """One observation of the unpatched program, and what it has come to.

    Work begins with its ``basis``, what the first runs say. Further runs go on beside, and nothing is judged, and
    nobody is paid, before they are over::

                         the first runs are over: `begin_observing`
                                          |
                                          v
                                     FIRST_RUNS
                                          |
                    the further runs are over: `poll` notices it (the search asks
                    now and then), `wait` waits for it (the engine, before it judges)
                                          |
             .----------------------------+----------------------------.
             | same tests fail            | same tests fail,           | other tests fail,
             |                            | and more of the suite ran  | or nothing to mend
             v                            v                            v
          AGREED                        WIDER                    CONTRADICTED
             ^                            |                            |
             |                            | no find passes             | always
             |                            | what is new                |
             |                            v                            v
             '------------- `base_on_all_runs`: the engine starts again -------------'

    Where a find passes the tests that only a wider baseline has, the engine judges by that one without a new start.
    Where the first runs show nothing to search for, it goes from FIRST_RUNS to `base_on_all_runs` without a search.
    After `base_on_all_runs` nothing contradicts the basis any more. Conforms to ``FurtherRuns``.
    """

    def __init__(
        self,
        first: Observed,
        wait_for_all: Callable[[], Observed] | None = None,
        are_all_over: Callable[[], bool] = lambda: True,
        hear: Callable[[Baseline], None] = lambda baseline: None,
    ) -> None:
        """``wait_for_all`` gives what all runs agree on, and ``hear`` is told of it, once.

        ``are_all_over`` says whether nothing has to be waited for. Without these the first runs are all.
        """
        self.basis = first
        """What the work on the program is based on."""
        self.state = ObservationState.FIRST_RUNS
        self._wait_for_all, self._are_all_over, self._hear = wait_for_all or (lambda: first), are_all_over, hear
        self._all: Observed | None = None

    def poll(self) -> ObservationState:
        """The state as of now; nobody waits here."""
        if self.state is ObservationState.FIRST_RUNS and self._are_all_over():
            return self.wait()
        return self.state

    def wait(self) -> ObservationState:
        """The state once all runs are over; they are waited for."""
        basis, now = self.basis, self.what_all_runs_say()
        if self.state is not ObservationState.FIRST_RUNS:
            return self.state
        if not isinstance(basis, Baseline) or not isinstance(now, Baseline) or basis.failing != now.failing:
            self.state = ObservationState.CONTRADICTED
        elif basis.partial and not now.partial:
            self.state = ObservationState.WIDER
        else:
            self.state = ObservationState.AGREED
        return self.state

    def base_on_all_runs(self) -> Observed:
        """Take what all runs say as the basis, and give it; they are waited for."""
        self.basis = self.what_all_runs_say()
        self.state = ObservationState.AGREED
        return self.basis

    def what_all_runs_say(self) -> Observed:
        """What all runs agree on; they are waited for."""
        if self._all is None:
            self._all = self._wait_for_all()
            if isinstance(self._all, Baseline):
                self._hear(self._all)
        return self._all

    def agreed_baseline(self) -> Baseline:
        """The baseline of all runs, which are over and do not contradict the basis."""
        assert isinstance(self._all, Baseline), f"all runs agree on a baseline: {self.state}"
        return self._all

    def is_contradicted(self) -> bool:
        """Whether it is known by now that other tests fail than in the runs of the basis."""
        return self.poll() is ObservationState.CONTRADICTED

    def wider_baseline(self) -> Baseline | None:
        """The baseline of all runs, where that is known by now and holds more of the suite than the basis."""
        return self.agreed_baseline() if self.poll() is ObservationState.WIDER else None
