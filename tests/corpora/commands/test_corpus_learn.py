"""``repair corpus learn`` as a command."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.history import make_history

from repair.cli import main


@pytest.fixture
def history(tmp_path: Path) -> Path:
    return make_history(tmp_path / "lib")


def test_counts_are_made_and_checked(tmp_path: Path, history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "counts.json"
    words = ["--git", str(history), "--out", str(out), "--keep", str(tmp_path / "kept")]
    assert main(["corpus", "learn", *words, "--add", "learned", "--check", "0"]) == 0
    told = capsys.readouterr().out
    assert "1 of them one edit" not in told
    assert "learned is likelier in" in told
    assert "Places in the stream" not in told
    assert out.exists()


def test_what_was_counted_before_is_not_held_out(
    tmp_path: Path, history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "counts.json")
    assert main(["corpus", "learn", "--git", str(history), "--out", out]) == 0
    assert main(["corpus", "learn", "--git", str(history), "--out", out, "--add", out, "--check", "1"]) == 2
    assert "example.org/lib is in the counts that are added to" in capsys.readouterr().err


def test_a_day_that_is_none(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "learn", "--git", str(history), "--out", "counts.json", "--since", "yesterday"]) == 2
    assert "'yesterday' is no day" in capsys.readouterr().err
