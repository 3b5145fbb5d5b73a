"""The loop of a bench: hand out cells, write down what comes back, run again what the machine has failed."""

from __future__ import annotations

import datetime
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

from corpora.bench.crew import Crew, WorkerLost, record_of
from corpora.bench.ledger import Ledger
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord, Cell

MOST_ATTEMPTS = 3
"""How often one run begins a cell that the machine fails."""

LOOK_SECONDS = 1.0
"""How long to wait for an answer before looking whether anybody is still there."""

Told = Callable[[BenchRecord, bool], None]


def run_jobs(jobs: Sequence[Job], crew: Crew, ledger: Ledger, told: Told) -> None:
    """Run all jobs to a record each. ``told`` hears of every record, and whether the cell will be run again.

    Raises ``TargetError`` where records cannot be written or nobody is there to measure; what is written stays.
    """
    first = {job.cell: job.attempt for job in jobs}
    waiting, running = deque(jobs), dict[Future[BenchRecord], Job]()
    while waiting or running:
        while waiting and len(running) < crew.room:
            job = waiting.popleft()
            running[crew.submit(job)] = job
        done, _ = wait(running, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
        if not done:
            crew.check()
        for future in done:
            job = running.pop(future)
            record = _record(future, job, crew)
            ledger.append(record)
            repeat = record.ending == "infrastructure" and job.attempt < first[job.cell] + MOST_ATTEMPTS - 1
            if repeat:
                waiting.append(replace(job, attempt=job.attempt + 1))
            told(record, repeat)


def left_to_do(jobs: Sequence[Job], records: Sequence[BenchRecord]) -> tuple[Job, ...]:
    """The jobs whose cells were not measured, each with the number of its next attempt."""
    done = {record.cell for record in records if record.ending == "done"}
    begun: dict[Cell, int] = {}
    for record in records:
        begun[record.cell] = max(begun.get(record.cell, 0), record.attempt)
    return tuple(replace(job, attempt=begun.get(job.cell, 0) + 1) for job in jobs if job.cell not in done)


def _record(future: Future[BenchRecord], job: Job, crew: Crew) -> BenchRecord:
    try:
        return record_of(future)
    except WorkerLost as problem:
        crew.check()  # nobody's cell is at fault where the scheduler is gone
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        return BenchRecord(job.cell, "infrastructure", 0.0, now, job.attempt, error=str(problem))
