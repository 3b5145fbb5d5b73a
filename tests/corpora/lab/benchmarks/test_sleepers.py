"""The real loop over sleeping cells leaves each one's record, and cannot be quicker than its sleepers."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from corpora.bench.ledger import read_records
from corpora.lab.benchmarks.sleepers import main, slept


def test_the_real_loop_and_the_simulated_one_run_the_same_cells(tmp_path: Path):
    found = slept(tmp_path, 3, 0.02, 12, appends=5)
    records, said = read_records(tmp_path)
    assert said == ()
    assert len({record.cell for record in records}) == 12 + 1
    assert len(records) == 12 + 2 * 5
    assert found.wall >= 4 * 0.02
    assert found.simulated.cells == 12
    assert found.simulated.wall >= 4 * 0.02 + found.append


def test_both_times_are_printed():
    found = CliRunner().invoke(main, ["--workers", "2", "--seconds", "0.01", "--cells", "3"])
    assert found.exit_code == 0, found.output
    assert "    2 workers" in found.output
    assert "simulated" in found.output
