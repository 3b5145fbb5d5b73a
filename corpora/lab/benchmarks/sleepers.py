"""The simulation held against the real loop: cells that only sleep, so that one machine can have hundreds of workers.

`python -m corpora.lab.benchmarks.sleepers` runs `corpora.bench.run.run_jobs` with a real ledger over threads that
sleep, and prints its wall time beside the simulated one. What a record costs is measured before and after, on
the same disk.
"""

from __future__ import annotations

import os
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

from corpora.bench.ledger import Ledger
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord, Cell
from corpora.bench.run import run_jobs
from corpora.lab.benchmarks.cluster import Measured, Outcome, Site, simulate

APPENDS = 200
BYTES = 5_000


@dataclass(frozen=True, slots=True)
class Slept:
    """One run: its wall time and the simulated one, with the cost of a record that was given to the simulation."""

    append: float
    wall: float
    simulated: Outcome


class _Sleepers:
    """A crew of threads; they take two cells each, as Dask's workers are given."""

    def __init__(self, workers: int, seconds: float) -> None:
        self._threads = ThreadPoolExecutor(workers)
        self._seconds = seconds
        self.room = 2 * workers

    def submit(self, job: Job) -> Future[BenchRecord]:
        return self._threads.submit(self._sleep, job.cell)

    def check(self) -> None:
        """Threads of this process do not go away."""

    def close(self) -> None:
        self._threads.shutdown()

    def _sleep(self, cell: Cell) -> BenchRecord:
        time.sleep(self._seconds)
        return _record(cell, self._seconds)


@click.command()
@click.option("--workers", type=click.IntRange(min=1), multiple=True, default=(10, 50, 200, 500), show_default=True)
@click.option("--seconds", type=float, default=0.5, show_default=True, help="How long each cell sleeps.")
@click.option("--cells", type=click.IntRange(min=1), default=20, show_default=True, help="For each worker.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="A folder on the disk to measure.")
def main(workers: tuple[int, ...], seconds: float, cells: int, out: Path | None) -> None:
    """Run, simulate and print both."""
    for count in workers:
        with tempfile.TemporaryDirectory(dir=out) as folder:
            found = slept(Path(folder), count, seconds, cells * count)
        click.echo(
            f"{count:5} workers, load {os.getloadavg()[0]:5.1f}, record {1000 * found.append:6.2f} ms:"
            f" took {found.wall:6.1f} s, simulated {found.simulated.wall:6.1f} s"
            f" ({found.simulated.wall / found.wall - 1:+.0%}), full: {found.simulated.full}"
        )


def slept(directory: Path, workers: int, seconds: float, cells: int, appends: int = APPENDS) -> Slept:
    """So many sleeping cells, run and simulated; records are left in the directory."""
    crew = _Sleepers(workers, seconds)
    before = _append_seconds(directory, appends)
    with Ledger(directory) as ledger:
        began = time.perf_counter()
        run_jobs([_job(number) for number in range(cells)], crew, ledger, lambda record, again: None)
        wall = time.perf_counter() - began
    crew.close()
    append = (before + _append_seconds(directory, appends)) / 2  # the disk is others' too, and changes meanwhile
    site = Site(append=append, hand_out=0.0001, hand_out_each=0.0, schedule=0.0, latency=0.0)
    return Slept(append, wall, simulate([Measured(seconds, 0, BYTES)] * cells, site, workers, 0))


def _append_seconds(directory: Path, appends: int) -> float:
    """What a record takes on this disk at this moment, on average."""
    record = _record(Cell("flat:made", "beside", "search", 0), 0.0)
    with Ledger(directory, "-beside") as ledger:
        began = time.perf_counter()
        for _ in range(appends):
            ledger.append(record)
        return (time.perf_counter() - began) / appends


def _record(cell: Cell, seconds: float) -> BenchRecord:
    return BenchRecord(cell, "done", seconds, "2026-01-01T00:00:00+00:00", error="x" * BYTES)


def _job(number: int) -> Job:
    cell = Cell("flat:made", f"bug-{number:06}", "search", 0)
    return Job(cell, "flat:made", None, None, 0, "", "")  # type: ignore[arg-type]  # sleepers look at neither


if __name__ == "__main__":
    main()
