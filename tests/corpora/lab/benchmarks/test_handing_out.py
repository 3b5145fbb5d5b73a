"""What the loop takes for itself is printed, line by line."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from corpora.lab.benchmarks.handing_out import main


def test_records_and_waits_are_measured(tmp_path: Path):
    found = CliRunner().invoke(main, ["--rounds", "3", "--out", str(tmp_path)])
    assert found.exit_code == 0, found.output
    lines = found.output.splitlines()
    assert [line.split()[0] for line in lines] == ["load", "append", "append", "wait", "wait", "wait", "wait"]
    assert all(float(number) >= 0 for line in lines[1:] for number in line.split()[-3:])
    assert not list(tmp_path.iterdir())
