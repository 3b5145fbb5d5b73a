"""Cells are read from records as they are, and a finished bench is told about again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from analysis.errors import UsageError
from corpora.bench.ledger import Ledger
from corpora.bench.record import BenchRecord, Cell
from corpora.lab.benchmarks.cluster import Measured
from corpora.lab.benchmarks.measured_cells import cells_of, compared
from repair.records.result import Cost, Counts, Result, Status

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def record(bug: str, begun: float, seconds: float, *, attempt: int = 1, is_done: bool = True) -> BenchRecord:
    started = (BEGAN + timedelta(seconds=begun)).isoformat(timespec="seconds")
    cell = Cell("flat:made", bug, "search", 0)
    if not is_done:
        return BenchRecord(cell, "infrastructure", seconds, started, attempt, error="a full disk")
    result = Result(Status.UNREPAIRED, counts=Counts(executed=7, rivals=2), cost=Cost(30, 4))
    return BenchRecord(cell, "done", seconds, started, attempt, result=result)


def written(directory: Path, *records: BenchRecord) -> Path:
    with Ledger(directory) as ledger:
        for each in records:
            ledger.append(each)
    return directory


def test_cells_come_in_the_order_of_their_beginning(tmp_path: Path):
    written(tmp_path, record("b", 10, 2.0), record("a", 0, 12.5), record("c", 1, 1.0, is_done=False))
    first, failed, last = cells_of(tmp_path)
    sizes = [len(line) for line in (tmp_path / "records.jsonl").read_bytes().splitlines(keepends=True)]
    assert first == Measured(12.5, 9, sizes[1], 30, 4)
    assert (failed.is_failed, failed.candidates) == (True, 0)
    assert last == Measured(2.0, 9, sizes[0], 30, 4)


def test_a_cell_that_succeeded_later_counts_once(tmp_path: Path):
    written(tmp_path, record("a", 0, 1.0, is_done=False), record("a", 5, 3.0, attempt=2))
    assert [(cell.seconds, cell.is_failed) for cell in cells_of(tmp_path)] == [(3.0, False)]


def test_a_bench_on_two_lanes_is_foretold(tmp_path: Path):
    """Lanes of cells of 10 s, begun as soon as the one before has ended."""
    written(tmp_path, *(record(f"bug-{n:02}", n // 2 * 10, 10.0) for n in range(20)))
    found = compared(tmp_path, 2, draws=5)
    assert (found.cells, found.actual, found.rest) == (20, 100.0, 50.0)
    assert found.replayed == pytest.approx(100.0, rel=0.01)
    assert found.foretold == pytest.approx((50.0, 50.0, 50.0), rel=0.01)
    assert compared(tmp_path, 4, draws=5).replayed == pytest.approx(50.0, rel=0.01)


def test_a_directory_without_enough_records_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="No records"):
        cells_of(tmp_path)
    with pytest.raises(UsageError, match="One cell"):
        compared(written(tmp_path, record("a", 0, 1.0)), 2)
