"""The command: parts that cannot run are named and leave their figures out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from analysis.errors import TargetError
from corpora.benchmarks import validation
from corpora.benchmarks.figures import Measured, row
from corpora.benchmarks.setup import Setup, machine_of
from corpora.benchmarks.work import WORKS
from sandbox.walls import NO_JAIL


def fine(setup):
    return Measured((row("verdict_agreement", {"all": 1.0}),), notes=(f"over {setup.candidates}",))


def failing(setup):
    raise TargetError("The package index cannot be reached")


def setup_of(tmp_path):
    return Setup(tmp_path, tmp_path, NO_JAIL, 7, 1, 2, lambda words: None)


def test_part_that_cannot_run_leaves_a_note_and_no_figure(tmp_path):
    found = validation.measure({"good": fine, "bad": failing}, setup_of(tmp_path))
    assert [r.figure.name for r in found.rows] == ["verdict_agreement"]
    assert found.notes == ("over 7", "bad could not be measured: TargetError: The package index cannot be reached.")


def test_command_writes_the_record_and_names_what_was_not_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(validation, "PARTS", {"good": fine, "other": failing})
    out = tmp_path / "v.json"
    told = CliRunner().invoke(
        validation.main, ["--only", "good", "--isolation", "none", "--candidates", "5", "--out", str(out)]
    )
    assert told.exit_code == 0, told.output
    record = json.loads(out.read_text())
    assert record["figures"] == {"verdict_agreement": 1.0}
    assert record["notes"] == ["over 5", "other was not asked for (--only good)."]
    assert record["machine"]["isolation"] == "none"
    assert len(record["machine"]["load_before"]) == 3


def test_command_fails_where_nothing_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(validation, "PARTS", {"bad": failing})
    told = CliRunner().invoke(validation.main, ["--isolation", "none", "--out", str(tmp_path / "v.json")])
    assert told.exit_code == 3


@pytest.mark.parametrize("only", ["speeed", "speed,nothing"])
def test_unknown_part_is_refused(only):
    told = CliRunner().invoke(validation.main, ["--only", only])
    assert told.exit_code == 2
    assert "There is no part" in told.output


def test_machine_is_described():
    assert machine_of()["cores"]


def test_work_is_pinned_and_named_once():
    assert len({work.name for work in WORKS}) == len(WORKS)
    assert sum(work.timed for work in WORKS) >= 4
    for work in WORKS:
        assert all("==" in requirement for requirement in work.requirements)
        assert len(work.package.sha256) == 64
        assert not Path(work.path).is_absolute()
