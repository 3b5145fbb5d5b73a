"""The bench of the memory draws the same attempts again, and would see a text of a project in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.lab.benchmarks import remembering
from corpora.lab.benchmarks.remembering import canaries_found, cost_of, drawn_attempts
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
