"""The engine's own process: index, memory, candidates a second of a real repair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpora.bench_engine import figures
from corpora.benchmarks.figures import Measured, row
from corpora.benchmarks.setup import Setup


def engine(setup: Setup) -> Measured:
    """All three figures, on one large library and on real repairs."""
    return engine_figures(figures(setup.directory, setup.cache))


def engine_figures(found: Mapping[str, Any]) -> Measured:
    """A row for each figure; what has several values is a row with one for each case."""
    rows = [row(name, value if isinstance(value, Mapping) else {"networkx": value}) for name, value in found.items()]
    return Measured(tuple(rows))
