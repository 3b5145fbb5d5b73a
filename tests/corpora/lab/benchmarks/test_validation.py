"""The command: steps that cannot run are named and leave their figures out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from analysis.errors import TargetError
from corpora.lab.benchmarks import validation
from corpora.lab.benchmarks.figures import FIGURES, Measured, row
from corpora.lab.benchmarks.setup import machine_of
from corpora.lab.benchmarks.steps import Step
from corpora.lab.benchmarks.work import WORKS


def fine(setup):
    return Measured((row("verdict_agreement", {"all": 1.0}),), notes=(f"over {setup.candidates}",))


def failing(setup):
    raise TargetError("The package index cannot be reached")


def command(monkeypatch, steps, *arguments):
    monkeypatch.setattr(validation, "STEPS", tuple(Step(name, work) for name, work in steps.items()))
    return CliRunner().invoke(validation.main, ["--isolation", "none", *arguments])


def test_command_writes_the_record_and_names_what_was_not_asked_for(tmp_path, monkeypatch):
    out = tmp_path / "v.json"
    steps = {"good": fine, "other/one": failing, "other/two": failing}
    told = command(monkeypatch, steps, "--only", "good", "--candidates", "5", "--out", str(out))
    assert told.exit_code == 0, told.output
    record = json.loads(out.read_text())
    assert record["figures"] == {"verdict_agreement": 1.0}
    assert record["notes"] == ["over 5", "Not asked for (--only good): other."]
    assert record["machine"]["isolation"] == "none"
    assert len(record["machine"]["load_before"]) == 3
    assert record["versions"]["engine"]
    (step,) = record["steps"]
    assert (step["name"], step["problem"]) == ("good", "")


def test_a_whole_run_names_every_figure_that_has_no_value(tmp_path, monkeypatch):
    out = tmp_path / "v.json"
    told = command(monkeypatch, {"good": fine, "bad": failing}, "--out", str(out))
    assert told.exit_code == 0, told.output
    notes = json.loads(out.read_text())["notes"]
    assert notes[0] == "over 1000"
    assert notes[1].startswith("bad could not be measured: TargetError: The package index cannot be reached.")
    assert len(notes) == 2 + len(FIGURES) - 1
    assert "line_map_ratio_312 has no value." in notes


def test_command_fails_where_nothing_was_measured(tmp_path, monkeypatch):
    assert command(monkeypatch, {"bad": failing}, "--out", str(tmp_path / "v.json")).exit_code == 3


def test_where_the_time_is_over_the_next_run_goes_on(tmp_path, monkeypatch):
    out = ("--out", str(tmp_path / "v.json"))
    assert command(monkeypatch, {"good": fine}, "--minutes", "0", *out).exit_code == 3
    assert command(monkeypatch, {"good": fine}, *out).exit_code == 0
    assert command(monkeypatch, {"good": failing}, "--resume", *out).exit_code == 0
    assert command(monkeypatch, {"good": failing}, "--resume", "--rounds", "9", *out).exit_code == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--only", "speeed"), "There is no step"),
        (("--only", "speed,speed/nothing"), "There is no step"),
        (("--library", "toolz"), "NAME==VERSION"),
    ],
)
def test_what_is_not_known_is_refused(arguments, said):
    told = CliRunner().invoke(validation.main, arguments)
    assert told.exit_code == 2
    assert said in told.output


def test_every_figure_has_steps_and_those_of_libraries_at_least_four():
    parts = [step.name.partition("/")[0] for step in validation.STEPS]
    assert set(parts) == {"probes", "engine", "speed", "mutmut", "line_map", "agreement"}
    assert parts.count("speed") >= 4
    assert sum(step.name.startswith("line_map/3.12/") for step in validation.STEPS) >= 4
    assert len({step.name for step in validation.STEPS}) == len(validation.STEPS)


def test_machine_is_described():
    assert machine_of()["cores"]


def test_work_is_pinned_and_named_once():
    assert len({work.name for work in WORKS}) == len(WORKS)
    assert sum(work.timed for work in WORKS) >= 4
    for work in WORKS:
        assert all("==" in requirement for requirement in work.requirements)
        assert len(work.package.sha256) == 64
        assert not Path(work.path).is_absolute()
