"""What a bench costs over the engine's own time: a real `repair bench run` of our own bugs, one at a time.

All that is not inside the engine counts as overhead: starting the command and its worker, laying out trees, children,
records on disk. Both times are of the same run, so the machine's mood is in both.
"""

from __future__ import annotations

import datetime
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from analysis.errors import TargetError
from corpora.bench.record import BenchRecord, read_records
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions

OVERHEAD = Figure("bench_overhead", 0.03, 0.01, floor=False)


@click.command()
@click.option("--corpus", default="flat:corpora/own", show_default=True)
@click.option("--bugs", default="logic-[a-l]*", show_default=True, help="Only bugs of such ids.")
@click.option("--max-seconds", type=float, default=30, show_default=True, help="For each bug.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/overhead.json"), show_default=True)
def main(corpus: str, bugs: str, max_seconds: float, out: Path) -> None:
    """Run a bench and say what it cost beside the engine."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["bench", "run", corpus, "--config", "search", "--bugs", bugs, "--jobs", "1", "--no-score"]
        command += ["--max-seconds", f"{max_seconds:g}", "--out", folder]
        say(f"repair {' '.join(command)}")
        started = time.monotonic()
        done = subprocess.run([sys.executable, "-E", "-P", "-m", "repair", *command], check=False)
        seconds = time.monotonic() - started
        if done.returncode:
            raise TargetError(f"The bench ended with status {done.returncode}", where=corpus)
        found = overhead(read_records(Path(folder))[0], seconds)
    click.echo(table(found))
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, found, date=now, versions=versions(), machine=machine_of())


def overhead(records: Sequence[BenchRecord], seconds: float) -> Measured:
    """The share that a whole run of so many seconds took over its engines, and the share inside its cells."""
    engine = sum(record.engine_seconds for record in records)
    if not engine:
        raise TargetError("No engine has run: there is nothing to compare with")
    cells = sum(record.seconds for record in records)
    return Measured(
        rows=(Row(OVERHEAD, (("whole run", seconds / engine - 1),)),),
        numbers=(("bench_overhead_in_cells", cells / engine - 1), ("cells", len(records)), ("engine_seconds", engine)),
        notes=("one bug at a time; wall times of one run",),
    )


if __name__ == "__main__":
    main()
