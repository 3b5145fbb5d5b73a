"""The bench of the memory draws the same attempts again, and would see a text of a project in the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpora.lab.benchmarks import remembering
from corpora.lab.benchmarks.canaries import canaries_found, carried_canaries
from corpora.lab.benchmarks.remembering import cost_of, drawn, drawn_attempts
from repair.memory import run_memory


def test_the_same_seed_draws_the_same() -> None:
    assert list(drawn_attempts(5, 1)) == list(drawn_attempts(5, 1)) != list(drawn_attempts(5, 2))


def test_a_small_ledger_has_each_figure(tmp_path: Path) -> None:
    found = cost_of(tmp_path, 100, 2, 3)
    assert found["attempts"] == 100
    assert found["project_lookup_ms"] <= found["project_lookup_95_ms"]


def test_no_name_of_a_project_is_in_the_file(tmp_path: Path) -> None:
    assert canaries_found(tmp_path, 50) == 0


def test_a_name_that_gets_into_a_signature_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leaky = lambda diagnosis, sources, suspect: run_memory.FailureSignature(suspect.qualname)  # noqa: E731
    monkeypatch.setattr(run_memory, "signature_of", leaky)
    assert canaries_found(tmp_path, 50) == 10
    assert remembering.FILE in {each.name for each in tmp_path.iterdir()}


def test_names_of_a_history_are_carried_by_an_export_with_code_alone(tmp_path: Path) -> None:
    found = carried_canaries(tmp_path, 50, drawn(200))
    assert found.pop("export_with_code") > 20
    assert found == {"export_no_code": 0, "told_elsewhere": 0, "edits_elsewhere": 0, "shared_file": 0}


def test_parts_are_measured_alone_and_those_of_histories_need_one(tmp_path: Path) -> None:
    out = tmp_path / "memory.json"
    words = ["--part", "canaries", "--canaries", "50", "--part", "streams", "--bugs", "1", "--out", str(out)]
    assert CliRunner().invoke(remembering.main, words).exit_code == 0
    figures = json.loads(out.read_text())["figures"]
    assert (figures["canaries_found"], figures["streams"]["same"]) == (0, 1)
    done = CliRunner().invoke(remembering.main, ["--part", "forecast"])
    assert (done.exit_code, "--history" in done.output) == (2, True)
