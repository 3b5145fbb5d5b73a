"""Counting the fixes of histories, as a command."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from fakes.history import make_history

from corpora.lab.learning.command import main


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return make_history(tmp_path / "lib")


def asked(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_counts_are_made_and_checked(tmp_path: Path, history: Path) -> None:
    out = tmp_path / "counts.json"
    words = ("--git", str(history), "--out", str(out), "--keep", str(tmp_path / "kept"))
    done = asked(*words, "--add", "learned", "--check", "0")
    assert done.exit_code == 0
    assert "1 of them one edit" not in done.stdout
    assert "learned is likelier in" in done.stdout
    assert "Places in the stream" not in done.stdout
    assert out.exists()


def test_what_was_counted_before_is_not_held_out(tmp_path: Path, history: Path) -> None:
    out = str(tmp_path / "counts.json")
    assert asked("--git", str(history), "--out", out).exit_code == 0
    again = asked("--git", str(history), "--out", out, "--add", out, "--check", "1")
    assert again.exit_code == 2
    assert "example.org/lib is in the counts that are added to" in again.stderr


def test_a_day_that_is_none(history: Path) -> None:
    done = asked("--git", str(history), "--out", "counts.json", "--since", "yesterday")
    assert done.exit_code == 2
    assert "'yesterday' is no day" in done.stderr
