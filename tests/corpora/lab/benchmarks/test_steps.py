"""Steps: one that fails leaves the others their figures, and a broken-off run goes on where it was."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest

from analysis.errors import TargetError
from corpora.lab.benchmarks.figures import Measured, row
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.steps import Step, StepRecords, engine_digest, measure
from sandbox.jail_protocol import NO_JAIL


def setup_of(tmp_path) -> Setup:
    return Setup(tmp_path, tmp_path, NO_JAIL, 7, 1, 2, lambda words: None)


class Counted:
    """A step's work that counts how often it is done."""

    def __init__(self, problem=None):
        self.times = 0
        self.problem = problem

    def __call__(self, setup):
        self.times += 1
        if self.problem:
            raise self.problem
        return Measured((row("fork_vs_cold", {"lib": 90.0}),), (("n", 2.0),), ("a note",))


@pytest.mark.parametrize("problem", [TargetError("no index"), OSError("no disk"), AssertionError("no mutant fails")])
def test_a_step_that_fails_is_named_and_loses_no_other(tmp_path, problem):
    steps = [Step("bad", Counted(problem)), Step("speed/lib", Counted())]
    bad, good = measure(steps, setup_of(tmp_path), StepRecords(tmp_path / "steps", "run"))
    assert (bad.measured, bad.problem) == (Measured(), f"{type(problem).__name__}: {problem}")
    assert good.problem == ""
    assert good.measured.rows[0].median == 90.0


def test_a_run_goes_on_with_what_it_has_and_tries_failures_again(tmp_path):
    good, bad = Counted(), Counted(TargetError("no index"))
    steps = [Step("speed/lib", good), Step("bad", bad)]
    records = StepRecords(tmp_path / "steps", "run")
    first = measure(steps, setup_of(tmp_path), records)
    again = measure(steps, setup_of(tmp_path), StepRecords(tmp_path / "steps", "run"))
    assert (good.times, bad.times) == (1, 2)
    assert again[0] == first[0]
    # Another engine or other options are another run, and a torn record is none.
    measure(steps, setup_of(tmp_path), StepRecords(tmp_path / "steps", "another"))
    assert good.times == 2
    (tmp_path / "steps" / "speed-lib.json").write_text(json.dumps(["torn"])[:4])
    measure(steps, setup_of(tmp_path), StepRecords(tmp_path / "steps", "another"))
    assert good.times == 3
    records.forget()
    assert records.get("speed/lib") is None


def test_no_step_begins_after_the_time_is_over(tmp_path):
    work = Counted()
    late = replace(setup_of(tmp_path), until=time.monotonic())
    (done,) = measure([Step("speed/lib", work)], late, StepRecords(tmp_path / "steps", "run"))
    assert work.times == 0
    assert "--resume" in done.problem


def test_a_part_asks_for_all_of_its_steps():
    step = Step("line_map/3.12/boltons", Counted())
    assert all(step.is_asked(names) for names in ([], ["line_map"], ["line_map/3.12"], ["x", "line_map/3.12/boltons"]))
    assert not any(step.is_asked(names) for names in (["line"], ["line_map/3.1"], ["speed"]))


def test_the_engine_is_named_by_its_code(tmp_path):
    (tmp_path / "repair").mkdir()
    (tmp_path / "repair" / "a.py").write_text("x = 1\n")
    first = engine_digest(tmp_path)
    assert engine_digest(tmp_path) == first
    (tmp_path / "repair" / "a.py").write_text("x = 2\n")
    assert engine_digest(tmp_path) != first
