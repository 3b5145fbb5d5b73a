"""What the loop of a bench takes for itself: a record made durable, a wait for so many cells, a cell handed to Dask.

`python -m corpora.lab.benchmarks.handing_out` prints milliseconds, with the load. The plan for a cluster works with
these figures (`cluster.Site`).
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from pathlib import Path

import click

from corpora.bench.crew import DaskCrew
from corpora.bench.ledger import Ledger
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord, Cell

CELL = Cell("flat:made", "bug", "search", 0)


@click.command()
@click.option("--rounds", type=click.IntRange(min=3), default=200, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=None, help="A folder on the disk to measure.")
@click.option("--scheduler", default="", help="A Dask scheduler whose workers are idle.")
def main(rounds: int, out: Path | None, scheduler: str) -> None:
    """Measure and print; wall time as its median and 95th percentile, and the CPU time of this process."""
    click.echo(f"load {os.getloadavg()[0]:.1f}, {rounds} rounds, milliseconds: median, 95th percentile, CPU")
    with tempfile.TemporaryDirectory(dir=out) as folder, Ledger(Path(folder)) as ledger:
        for size in (1_000, 5_000):
            record = BenchRecord(CELL, "done", 1.0, "2026-01-01T00:00:00+00:00", error="x" * size)
            click.echo(f"append {size:6} bytes  {timed(partial(ledger.append, record), rounds)}")
    for count in (20, 200, 2_000, 20_000):
        futures = _one_done(count)
        took = timed(partial(wait, futures, return_when=FIRST_COMPLETED), max(3, rounds * 20 // count))
        click.echo(f"wait for {count:6} cells {took}")
    if scheduler:
        click.echo(f"dask, room and submit  {_handed_out(scheduler, rounds)}")


def timed(deed: Callable[[], object], rounds: int) -> str:
    """Median, 95th percentile and mean CPU time of so many calls, as words."""
    took, began = [], time.process_time()
    for _ in range(rounds):
        start = time.perf_counter()
        deed()
        took.append(1000 * (time.perf_counter() - start))
    cpu = 1000 * (time.process_time() - began) / rounds
    return f"{statistics.median(took):8.3f} {statistics.quantiles(took, n=20)[-1]:8.3f} {cpu:8.3f}"


def _one_done(count: int) -> list[Future[BenchRecord]]:
    futures = [Future[BenchRecord]() for _ in range(count)]
    futures[-1].set_result(BenchRecord(CELL, "done", 1.0, ""))
    return futures


def _handed_out(scheduler: str, rounds: int) -> str:
    """What a cell costs the loop beside its record, and the cluster in all, where measuring takes no time."""
    crew = DaskCrew(_at_once, scheduler)
    try:
        job = Job(CELL, "flat:made", None, None, 0, "", "")  # type: ignore[arg-type]  # nobody looks at bug or settings
        handed = timed(lambda: (crew.room, crew.submit(job)), rounds)
        began = time.perf_counter()
        wait([crew.submit(job) for _ in range(rounds)])
        return f"{handed}; a cell in all {1000 * (time.perf_counter() - began) / rounds:.3f}"
    finally:
        crew.close()


def _at_once(job: Job) -> BenchRecord:
    return BenchRecord(job.cell, "done", 0.0, "")


if __name__ == "__main__":
    sys.exit(main())
