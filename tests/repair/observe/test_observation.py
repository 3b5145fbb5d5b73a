"""What is known of the unpatched program while its runs go on, and what changes that."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.diagnosed import KEPT, OUTCOMES, observed

from analysis.facts import Outcome
from repair.observe.observation import NothingToMend, Observation, ObservationState, Observed
from repair.records.task import Baseline

FIRST_RUNS, AGREED, WIDER, CONTRADICTED = ObservationState
WHOLE = observed()
PART = replace(WHOLE, partial=True)
OTHERS = observed({**OUTCOMES, KEPT: Outcome.FAILED})
NOTHING = NothingToMend("flaky", "it gives different outcomes")


class Runs:
    """Further runs that are over when they are told to be, and how often they were waited for."""

    def __init__(self, first: Observed, last: Observed) -> None:
        self.over, self.waited, self.heard = False, 0, list[Baseline]()
        self._last = last
        self.observation = Observation(first, self._wait, lambda: self.over, self.heard.append)

    def _wait(self) -> Observed:
        self.waited += 1
        return self._last


@pytest.mark.parametrize(
    ("first", "last", "state"),
    [
        (WHOLE, WHOLE, AGREED),
        (PART, PART, AGREED),
        (PART, WHOLE, WIDER),
        (WHOLE, OTHERS, CONTRADICTED),
        (PART, OTHERS, CONTRADICTED),
        (WHOLE, NOTHING, CONTRADICTED),
    ],
)
def test_what_all_runs_say_is_compared_with_the_first_ones_when_they_are_over(
    first: Observed, last: Observed, state: ObservationState
) -> None:
    runs = Runs(first, last)
    observation = runs.observation
    assert (observation.poll(), runs.waited) == (FIRST_RUNS, 0)
    runs.over = True
    assert observation.poll() is state
    assert observation.wait() is state
    assert runs.waited == 1
    assert runs.heard == [each for each in [last] if isinstance(each, Baseline)]


def test_waiting_does_not_ask_whether_they_are_over() -> None:
    runs = Runs(PART, WHOLE)
    assert runs.observation.wait() is WIDER
    assert runs.observation.agreed_baseline() is WHOLE


def test_a_search_hears_only_of_what_is_over() -> None:
    runs = Runs(PART, WHOLE)
    assert (runs.observation.is_contradicted(), runs.observation.wider_baseline()) == (False, None)
    runs.over = True
    assert (runs.observation.is_contradicted(), runs.observation.wider_baseline()) == (False, WHOLE)
    other = Runs(PART, OTHERS)
    other.over = True
    assert (other.observation.is_contradicted(), other.observation.wider_baseline()) == (True, None)


@pytest.mark.parametrize("first", [PART, OTHERS, NOTHING])
def test_nothing_contradicts_what_all_runs_say(first: Observed) -> None:
    runs = Runs(first, WHOLE)
    assert runs.observation.base_on_all_runs() is WHOLE
    assert runs.observation.basis is WHOLE
    assert runs.observation.wait() is AGREED
    assert (runs.observation.is_contradicted(), runs.observation.wider_baseline()) == (False, None)
    assert runs.heard == [WHOLE]


def test_no_run_that_has_no_result_is_taken_for_agreement() -> None:
    runs = Runs(NOTHING, NOTHING)
    assert runs.observation.wait() is CONTRADICTED
    assert runs.observation.base_on_all_runs() is NOTHING
    with pytest.raises(AssertionError, match="baseline"):
        runs.observation.agreed_baseline()
