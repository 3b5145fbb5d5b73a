"""Marks by rule: a test of our laboratory is ``lab``, for the place where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent

LABORATORY = (
    "corpora/benchmarks",
    "corpora/commands/test_corpus_learn.py",
    "corpora/judging",
    "corpora/learning",
    "corpora/test_adversary.py",
    "corpora/test_bench_engine.py",
    "end_to_end/test_bench_mutation.py",
)
"""Where tests of our own measuring and learning lie: what users get does not run it."""


def mark(item: pytest.Item) -> None:
    """Gives the item the marks that follow from what it is."""
    if any(item.path.is_relative_to(HERE / place) for place in LABORATORY):
        item.add_marker(pytest.mark.lab)
