"""What a test said, and what nobody heard: only a test that ran and failed raises the question, code or fact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import pytest
from fakes.generated import SHOP, generated, program

from analysis.facts import CollectionError, InvalidRun, Limits, Outcome, Phase, RunFault, TestId, TestResult, TestRun
from repair.records.healed import HealState
from repair.survey.healing.file_healer import FileHealer
from sandbox.sandbox import LocalSandbox

NAMES = tuple(test.name for test in generated().tests)
BROKEN_IMPORT = CollectionError("test_grown_shop.py", (), "E   ImportError: no shop")
LATE = InvalidRun(RunFault.TIMEOUT, "the run took longer than 60 s")


def run_of(outcome: Outcome, message: str = "") -> TestRun:
    ids = [TestId(f"test_grown_shop.py::{name}") for name in NAMES]
    return TestRun(tuple(TestResult(each, outcome, Phase.CALL, 0.1, message=message) for each in ids), (), 1, 0.5)


@dataclass
class SaidRuns:
    """A sandbox whose runs end as they are told to, one after the other; the last one again and again."""

    runs: list[TestRun | InvalidRun]

    def run(self, *_: object, **__: object) -> TestRun | InvalidRun:
        return self.runs.pop(0) if len(self.runs) > 1 else self.runs[0]


def states(*runs: TestRun | InvalidRun) -> dict[str, tuple[HealState, str]]:
    sandbox = cast(LocalSandbox, SaidRuns(list(runs)))
    healer = FileHealer(sandbox, program(shop=SHOP), lambda: iter(()), Limits(), "2026-11-28", lambda: True)
    text, tests = healer.heal(generated())
    assert text == generated().text
    return {each.name.partition("::")[2]: (each.state, each.why) for each in tests}


def test_a_test_that_fails_asks_for_code_or_fact() -> None:
    found = states(run_of(Outcome.FAILED, "assert 1 == 0"))
    assert found["test_total"] == (HealState.FINDING, "assert 1 == 0")
    assert found["test_discount_2"] == (HealState.OTHERWISE, "assert 1 == 0")
    assert {state for state, _ in states(run_of(Outcome.PASSED)).values()} == {HealState.FINE}


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (LATE, "the run took longer than 60 s"),
        (InvalidRun(RunFault.SIGNAL, "killed by signal 9"), "killed by signal 9"),
        (run_of(Outcome.SKIPPED, "needs a network"), "skipped: needs a network"),
        (run_of(Outcome.ERROR, "no database"), "error: no database"),
        (run_of(Outcome.MISSING), "missing"),
        (TestRun((), (BROKEN_IMPORT,), 2, 0.5), "E   ImportError: no shop"),
        (TestRun((), (), 5, 0.5), "it was not collected"),
    ],
)
def test_without_an_outcome_nothing_is_said_of_the_program(run: TestRun | InvalidRun, why: str) -> None:
    assert set(states(run).values()) == {(HealState.LEFT, f"the run gave no outcome: {why}")}


def test_a_failure_in_one_run_is_one_whatever_the_other_gave() -> None:
    failed = run_of(Outcome.FAILED, "assert 1 == 0")
    for first, second in ((failed, LATE), (run_of(Outcome.SKIPPED), failed)):
        assert states(first, second, first, second)["test_total"] == (HealState.FINDING, "assert 1 == 0")
    passed = run_of(Outcome.PASSED)
    assert states(passed, LATE, passed, LATE)["test_total"][0] is HealState.LEFT
