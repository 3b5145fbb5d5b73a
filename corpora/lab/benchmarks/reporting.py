"""What a report of ten thousand cells costs: `make bench-report` prints seconds and memory for each form.

The records are made here, with evidence, suspects and patches as long as real ones. Each form is made by a process of
its own, from the files, as `repair bench report` does it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click

from corpora.bench.agreement import Agreement, Standing
from corpora.bench.grading import SCORES, read_rows
from corpora.bench.record import BenchRecord, Cell
from corpora.bench.reports.page import pieces
from corpora.bench.score import Score
from repair.records.result import Counts, EvidenceView, PatchView, Result, Seconds, Status, SuspectView

FORMS = ("text", "json", "html")
CLAIM = "4 of 4 runs gave the same outcome for each of 37 tests, the failing ones among them, in two orders"
DIFF = "--- a/lib.py\n+++ b/lib.py\n@@ -10,9 +10,9 @@\n" + "     some(line, of=context)\n" * 40 + "-    a\n+    b\n"


@click.command()
@click.option("--cells", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option("--one", nargs=2, hidden=True, help="A form and a directory: make it and print what it cost")
def main(cells: int, one: tuple[str, str] | None) -> None:
    """Make records, then report on them in each form."""
    if one:
        click.echo(json.dumps(cost(one[0], Path(one[1]))))
        return
    with tempfile.TemporaryDirectory() as place:
        write_records(Path(place), cells)
        size = sum(path.stat().st_size for path in Path(place).iterdir()) / 1e6
        click.echo(f"{cells} cells, {size:.0f} MB of records")
        for form in FORMS:
            words = [sys.executable, "-m", "corpora.lab.benchmarks.reporting", "--one", form, place]
            told = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
            click.echo(f"{form:5} {told['seconds']:6.2f} s CPU {told['megabytes']:5.0f} MB")


def cost(form: str, directory: Path) -> dict[str, float]:
    """CPU seconds and the most memory of this process for one report, reading included."""
    began = time.process_time()
    every, _ = read_rows(directory)
    for piece in pieces(form, "a bench", every):
        assert piece, "a report has no empty pieces"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": time.process_time() - began, "megabytes": memory}


def write_records(directory: Path, cells: int) -> None:
    """Records and scores of so many cells, half of them answered."""
    with (directory / "records.jsonl").open("w") as records, (directory / SCORES).open("w") as scores:
        for record, score in _make_records(cells):
            records.write(json.dumps(record.to_json()) + "\n")
            scores.write(json.dumps(score.to_json()) + "\n")


def _make_records(cells: int) -> Iterator[tuple[BenchRecord, Score]]:
    evidence = tuple(
        EvidenceView(f"gate-{n}", "accept", CLAIM, {"runs": 4, "tests": 37}, seconds=0.3) for n in range(9)
    )
    patch = PatchView(1, Status.CERTIFIED, "lib.py", "function", DIFF, "d" * 64, evidence=evidence)
    suspects = tuple(SuspectView("lib.py", f"f{n}", n, 0.5, ("executed by 3 failing tests",)) for n in range(10))
    answered = Result(
        Status.CERTIFIED, patches=(patch,), suspects=suspects, counts=Counts(400, 390), seconds=Seconds(9.0)
    )
    silent = Result(Status.UNREPAIRED, suspects=suspects, counts=Counts(4000, 3900), seconds=Seconds(60.0))
    for number in range(cells):
        cell = Cell("flat:made", f"bug-{number:06}", "search", 0)
        result = answered if number % 2 else silent
        record = BenchRecord(cell, "done", 9.5, "2026-01-01T00:00:00+00:00", cpu_seconds=12.0, result=result)
        agreement = Agreement(Standing.AGREES, "inputs", inputs=1800) if number % 2 else None
        yield record, Score(cell, result.status, "p" if number % 2 else "", bool(number % 2), agreement, 1)


if __name__ == "__main__":
    main()
