"""The engine's own figures: read from real work, and refused where there was none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from analysis.errors import TargetError
from corpora.lab.bench_engine import candidates_per_second, engine_mb_100kloc, index_seconds_100kloc


def test_the_rate_counts_what_was_run_and_rivals_and_nothing_remembered() -> None:
    counts = {"executed": 300, "rivals": 100, "remembered": 5000}
    assert candidates_per_second({"status": "certified", "counts": counts, "seconds": {"search": 2.0}}) == 200.0


def test_a_result_without_a_search_has_no_rate() -> None:
    counts = {"executed": 0, "rivals": 0}
    with pytest.raises(TargetError, match="no search: nothing_fails"):
        candidates_per_second({"status": "nothing_fails", "counts": counts, "seconds": {"search": 0.0}})


def test_indexing_is_told_for_a_hundred_thousand_lines(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(x):\n    return x\n" * 500)
    assert 0.01 < index_seconds_100kloc(tmp_path) < 100


def test_the_engines_memory_is_that_of_a_whole_repair(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "m.py").write_text("def half(x):\n    return x // 3\n")
    (root / "test_m.py").write_text("from m import half\n\n\ndef test_half():\n    assert half(9) == 4.5\n")
    assert 30 < engine_mb_100kloc(root, sys.executable, "test_m.py", "half", 4) < 500
    (root / "m.py").write_text("def half(x):\n    return x / 2\n")
    with pytest.raises(TargetError, match="no search: nothing_fails"):
        engine_mb_100kloc(root, sys.executable, "test_m.py", "half", 10)
