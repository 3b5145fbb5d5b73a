"""The measured report is a whole one."""

from __future__ import annotations

from pathlib import Path

from corpora.bench.grading import read_rows
from corpora.lab.benchmarks.reporting import FORMS, cost, write_records


def test_made_records_are_read_back_and_reported(tmp_path: Path):
    write_records(tmp_path, 10)
    every, said = read_rows(tmp_path)
    assert (len(every), said) == (10, ())
    assert [row.agrees for row in every] == [False, True] * 5
    assert all(cost(form, tmp_path)["megabytes"] > 1 for form in FORMS)
