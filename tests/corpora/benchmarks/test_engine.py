"""The engine's figures as rows."""

from __future__ import annotations

from corpora.benchmarks.engine import engine_figures
from corpora.benchmarks.figures import figures_of


def test_one_value_or_several():
    found = {"index_seconds_100kloc": 0.9, "search_candidates_per_second": {"a": 100.0, "b": 300.0, "c": 200.0}}
    assert figures_of(engine_figures(found)) == {
        "index_seconds_100kloc": 0.9,
        "search_candidates_per_second": 200.0,
        "search_candidates_per_second_worst": 100.0,
    }
