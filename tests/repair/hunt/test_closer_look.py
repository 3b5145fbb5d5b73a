"""What a failed edit is told beside that it failed: values, other tests, and the first call that it changed."""

from __future__ import annotations

from typing import Any, cast

import pytest
from fakes.diagnosed import FAILING, KEPT, SOURCE, SOURCES, observed
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import scope_in

from analysis.behaviour import Call, Difference, Returned
from analysis.calls import AgainstOld, Comparison, Tried
from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId
from analysis.functions import find_function, functions_of
from analysis.trials import TrialOutcome, TrialState
from repair.hunt.closer_look import CloserLook
from repair.hunt.tried_edit import TriedEdit
from repair.records.functions import as_trial
from transforms.patch.apply import apply_update
from transforms.tree.proposal import Proposal

P, F = Outcome.PASSED, Outcome.FAILED


class Stream:
    """As much of a stream as a look needs."""

    scope = scope_in(SOURCE)
    span = find_function(functions_of("shop.py", SOURCE), "price")


def edit_of(text: bytes) -> TriedEdit:
    made = apply_update(Stream.scope, "count + RATE", "0")
    assert isinstance(made, Proposal)
    return TriedEdit(cast(Any, Stream), as_trial(Stream.scope, text, "model"), made, 1)


EDIT = edit_of(Stream.scope.text.replace(b"+ RATE", b"- RATE"))


def look(run: Any, outcome: TrialOutcome, session: FakeSession | None = None, edit: TriedEdit = EDIT) -> Any:
    sandbox = FakeSandbox(lambda tests, files, shuffle: run(tests), SOURCES)
    looked = CloserLook(sandbox, observed(), SOURCES, Limits(), cast(Any, session or FakeSession()))
    return looked.look(edit, outcome), sandbox.asked


def failed(test: TestId, detail: str = "AssertionError: ") -> TrialOutcome:
    return TrialOutcome(EDIT.trial.digest, TrialState.FAILED, test, detail, "warm")


def test_the_failing_test_is_run_again_and_says_its_values():
    attempt, asked = look(lambda tests: run_of(dict.fromkeys(tests, F), message="assert 1 == 6"), failed(FAILING))
    assert attempt.seen == f"{FAILING}: AssertionError: assert 1 == 6"
    assert (attempt.failing, attempt.broke) == ((FAILING,), ())
    assert attempt.function == EDIT.trial.function
    ((tests, files, _),) = asked
    assert tests == (FAILING,), "nothing else is asked where nothing else broke"
    assert b"count - RATE" in dict(files)["shop.py"]


def test_what_it_broke_is_looked_at_with_what_else_runs_the_function():
    attempt, asked = look(lambda tests: run_of({t: F if t == KEPT else P for t in tests}), failed(KEPT))
    assert (attempt.failing, attempt.broke) == ((), (KEPT,))
    assert asked[0][0] == (FAILING, KEPT)
    assert attempt.seen.startswith(KEPT)


def test_where_no_run_comes_to_an_end_the_trial_s_word_stands():
    attempt, _ = look(lambda tests: InvalidRun(RunFault.SIGNAL, "it died"), failed(FAILING, "ValueError: no"))
    assert (attempt.seen, attempt.failing) == ("ValueError: no", (FAILING,))


@pytest.mark.parametrize("state", [TrialState.TIMEOUT, TrialState.MEMORY, TrialState.INVALID])
def test_what_does_not_end_is_not_run_once_more(state):
    attempt, asked = look(lambda tests: run_of({}), TrialOutcome(EDIT.trial.digest, state, None, "too long", "warm"))
    assert asked == []
    assert (attempt.seen, attempt.failing) == ("too long", (FAILING,))


def call(source: str, mine: str, other: str) -> Difference:
    return Difference(Call(source), Returned(mine), Returned(other), reached=True)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Comparison(), ""),
        (Comparison(Tried(inputs=1)), "of 1 call that the failing tests make, none gives anything else than before"),
        (
            Comparison(Tried(inputs=2), AgainstOld(departures=(call("price(3)", "1", "5"),))),
            "price(3): returns 1 with this change, and returns 5 without it",
        ),
    ],
)
def test_the_first_call_that_it_changes_is_told(found, said):
    attempt, _ = look(lambda tests: run_of(dict.fromkeys(tests, F)), failed(FAILING), FakeSession(comparison=found))
    assert attempt.divergence == said


def test_an_edit_that_passes_with_a_shape_that_speaks_against_it_is_in_doubt():
    sandbox = FakeSandbox(lambda tests, files, shuffle: run_of({}), SOURCES)
    looked = CloserLook(sandbox, observed(), SOURCES, Limits(), cast(Any, FakeSession()))
    constant = edit_of(Stream.scope.text.replace(b"count + RATE", b"6"))
    doubted = looked.find_doubt(constant)
    assert doubted is not None
    assert "hard-coded value" in doubted.doubt
    assert looked.find_doubt(EDIT) is None
