"""The printed plan: tables for candidates and cells, from real cases or from records."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from corpora.lab.benchmarks.cluster import drawn
from corpora.lab.benchmarks.measured_cells import LATE, REAL_CASES
from corpora.lab.benchmarks.reporting import write_records
from corpora.lab.benchmarks.scale import cells_for, main, with_late


def told(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


def test_as_many_cells_are_drawn_as_execute_so_many_candidates():
    many = cells_for(REAL_CASES, 100_000, 3)
    executed = [cell.candidates for cell in drawn(REAL_CASES, many, 3)]
    assert sum(executed) >= 100_000 > sum(executed[:-1])
    assert cells_for(REAL_CASES, 0, 3) == 0


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5])
def test_the_asked_share_of_cells_is_late(share: float):
    table = with_late(REAL_CASES, share)
    assert table.count(LATE) == pytest.approx(share * len(table), abs=1)


def test_both_tables_are_said_to_be_simulated():
    found = told("--candidates", 100_000, "--cells", 300, "--tokens", 1000, 100, "--input-price", 2)
    assert found.exit_code == 0, found.output
    assert found.output.startswith("Simulated. ")
    assert "300 cells" in found.output
    assert "models 1 USD" in found.output
    assert found.output.count("\n  10000     20") == 2
    assert (
        found.output == told("--candidates", 100_000, "--cells", 300, "--tokens", 1000, 100, "--input-price", 2).output
    )


def test_cells_of_records_take_the_place_of_the_real_cases(tmp_path: Path):
    write_records(tmp_path, 10)
    found = told("--records", tmp_path, "--candidates", 0, "--cells", 50)
    assert found.exit_code == 0, found.output
    assert "Cells take 9.5 s" in found.output
    assert "\n50 cells" in found.output


def test_a_bench_can_be_held_against_it(tmp_path: Path):
    write_records(tmp_path, 4)
    found = told("--compare", tmp_path, "--jobs", 4)
    assert "4 cells, 4 at once: 10 s" in found.output
    assert "replayed with each cell's own time: 10 s" in found.output


def test_cells_that_execute_nothing_cannot_make_a_million():
    with pytest.raises(click.UsageError, match="too few candidates"):
        cells_for((LATE,), 1, 0)
