"""The bench's own cost is what is not inside the engine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.bench import record

from analysis.errors import TargetError
from corpora.lab.benchmarks.figures import figures_of
from corpora.lab.benchmarks.overhead import overhead


def test_all_that_is_not_the_engine_counts():
    records = [replace(record(name), seconds=10.2, engine_seconds=10.0) for name in "ab"]
    found = figures_of(overhead(records, 21.0))
    assert found == {"bench_overhead": 0.05, "bench_overhead_in_cells": 0.02, "cells": 2, "engine_seconds": 20}


def test_without_an_engine_there_is_no_figure():
    with pytest.raises(TargetError, match="No engine has run"):
        overhead([record("a")], 1.0)
