"""A whole bench run: from the user's words to records on disk and a tally.

Its loop hands out cells, writes down what comes back, and runs again what the machine has failed. Cells are measured by
a crew: processes of this machine, or the workers of a Dask scheduler; both by ``concurrent.futures``. On one machine
each slot is a pool of one worker. So a worker that is killed breaks its own pool alone, which is made anew, and the
cells of the others go on.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib
import logging
import os
import shlex
import shutil
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock

from analysis.errors import TargetError, UsageError
from corpora.bench.configuration import FILE as CONFIGURATIONS
from corpora.bench.configuration import chosen_configurations
from corpora.bench.external import predictions
from corpora.bench.live import Board, duration
from corpora.bench.manifest import join_manifests, manifest_of, read_manifest, samples_of, write_manifest
from corpora.bench.method import measure
from corpora.bench.plan import Job, Plan, Shard, make_plan, open_corpora
from corpora.bench.record import BenchRecord, Cell, Ledger, read_records
from corpora.bench.tally import Tally, counts_of
from corpora.os_errors import explained
from corpora.workers import break_off, worker_pool

Measure = Callable[[Job], BenchRecord]

CONNECT_SECONDS = 15

MOST_ATTEMPTS = 3
"""How often one run begins a cell that the machine fails."""

LOOK_SECONDS = 1.0
"""How long to wait for an answer before looking whether anybody is still there."""


class Crew(Protocol):
    """Takes jobs, as many at once as it has room for."""

    @property
    def room(self) -> int:
        """How many jobs run at once."""

    def submit(self, job: Job) -> Future[BenchRecord]:
        """Begin a job. A future whose worker was lost raises ``WorkerLost``."""

    def check(self) -> None:
        """Raise ``TargetError`` where nobody is there any more to answer."""


class WorkerLost(Exception):
    """A worker has died under its cell; the message says what is known."""


class LocalCrew:
    """Slots of one worker process each."""

    def __init__(self, measure: Measure, jobs: int) -> None:
        self._measure = measure
        self._slots: list[ProcessPoolExecutor | None] = [None] * jobs
        self._busy: dict[int, Future[Any]] = {}

    @property
    def room(self) -> int:
        """The number of slots."""
        return len(self._slots)

    def submit(self, job: Job) -> Future[BenchRecord]:
        """Begin a job in a free slot."""
        free = next(n for n in range(self.room) if n not in self._busy or self._busy[n].done())
        try:
            future = self._slot(free).submit(self._measure, job)
        except BrokenProcessPool:  # its worker died between two cells: nothing is lost by that
            self._slots[free] = None
            future = self._slot(free).submit(self._measure, job)
        self._busy[free] = future
        return future

    def check(self) -> None:
        """Slots are made anew as they break: there is always somebody."""

    def close(self) -> None:
        """End all workers; what they run ends with them."""
        for slot in filter(None, self._slots):
            break_off(slot)
            slot.shutdown(wait=True, cancel_futures=True)

    def _slot(self, number: int) -> ProcessPoolExecutor:
        slot, last = self._slots[number], self._busy.get(number)
        is_broken = last is not None and last.done() and isinstance(last.exception(), BrokenProcessPool)
        if slot is not None and is_broken:
            slot.shutdown(wait=False)
        if slot is None or is_broken:
            slot = self._slots[number] = worker_pool(1)
        return slot


class DaskCrew:
    """The workers of a scheduler. Dask itself runs again what a lost worker had, three times at most."""

    def __init__(self, measure: Measure, address: str) -> None:
        try:
            distributed = importlib.import_module("distributed")
        except ImportError as problem:
            raise UsageError(
                "Dask is not installed",
                where=f"--scheduler {address}",
                remedy="Beside the engine: pip install 'distributed>=2025.1'.",
            ) from problem
        self._address = address
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it has to tell, we tell
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as problem:
            raise TargetError(
                f"There is no scheduler: {problem}", where=address, remedy="Check the address, or start one."
            ) from problem
        self._measure = measure
        self._executor: Executor = self._client.get_executor(pure=False)

    @property
    def room(self) -> int:
        """Twice as many jobs as there are threads of workers, so that none of them waits for us."""
        with self._reached():
            threads: int = sum(self._client.nthreads().values())
            return max(1, 2 * threads)

    def submit(self, job: Job) -> Future[BenchRecord]:
        """Hand a job to the scheduler."""
        with self._reached():
            return self._executor.submit(self._measure, job)

    def check(self) -> None:
        """Raise where the scheduler is gone."""
        with self._reached():
            pass

    def close(self) -> None:
        """Let go of the scheduler, also of one that is gone."""
        with contextlib.suppress(OSError):
            self._client.close(timeout=CONNECT_SECONDS)

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        """Tell a scheduler that is gone from other errors; a lost connection takes its futures with it."""
        gone: OSError | None = None
        try:
            if self._client.status == "running":
                yield
                return
        except OSError as problem:  # Dask's own are of this kind
            gone = problem
        raise TargetError(
            "The scheduler went away",
            where=self._address,
            remedy="What was measured is kept. Start one, then go on with --resume.",
        ) from gone


@contextlib.contextmanager
def open_crew(measure: Measure, jobs: int, scheduler: str) -> Iterator[Crew]:
    """A crew that is let go at the end."""
    crew = DaskCrew(measure, scheduler) if scheduler else LocalCrew(measure, jobs)
    with contextlib.closing(crew):
        yield crew


def record_of(future: Future[BenchRecord]) -> BenchRecord:
    """The record that a future brought; raises ``WorkerLost`` where it brought none."""
    try:
        return future.result()
    except BrokenProcessPool as problem:
        raise WorkerLost("the worker was killed") from problem
    except CancelledError as problem:
        raise WorkerLost("the scheduler has dropped the cell") from problem
    except Exception as problem:  # the edge of another process: what it raises is told, whatever it is
        raise WorkerLost(f"the worker has failed: {type(problem).__name__}: {problem}") from problem


def run_jobs(jobs: Sequence[Job], crew: Crew, ledger: Ledger, listen: Callable[[BenchRecord, bool], None]) -> None:
    """Run all jobs to a record each. ``listen`` hears of every record, and whether the cell will be run again.

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
            listen(record, repeat)


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
        return BenchRecord(job.cell, "infrastructure", 0.0, _now(), job.attempt, error=str(problem))


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """What the user asked for. ``jobs`` are bugs at once; ``seeds`` count samples of each bug."""

    corpora: tuple[str, ...]
    configurations: tuple[str, ...]
    out: Path
    file: Path | None = None
    bugs: str = "*"
    max_seconds: float | None = None
    seeds: tuple[int, ...] = (0,)
    jobs: int = 1
    resume: bool = False
    shard: Shard = field(default_factory=Shard)
    scheduler: str = ""
    python: str = ""
    in_sample: tuple[str, ...] = ()
    held_out: tuple[str, ...] = ()


def run_bench(
    asked: BenchRequest, env: Mapping[str, str], clock: Callable[[], float], board: Callable[..., Board]
) -> Tally:
    """Run what is left to run, and say what all of it came to.

    ``board`` shows what happens. Raises ``UsageError`` before anything is run where the words make no sense, and
    ``TargetError`` where it cannot go on; every record that was written stays.
    """
    file = asked.file or (Path(CONFIGURATIONS) if Path(CONFIGURATIONS).is_file() else None)
    chosen = chosen_configurations(asked.configurations, file, env, asked.max_seconds)
    for configuration in chosen:  # where an outside method's patches or command are missing, each cell would say so
        if configuration.predictions:
            predictions(Path(configuration.predictions))
        if configuration.command and shutil.which(configuration.command[0]) is None:
            raise UsageError(
                "The command of a configuration is not there",
                where=f"{configuration.name}: {shlex.join(configuration.command)}",
                remedy="Install it, or write its whole path.",
            )
    python = shutil.which(asked.python) if asked.python else ""
    if python is None:
        raise UsageError("There is no such interpreter", where=asked.python, remedy="Name one with --python.")
    corpora, lost = open_corpora(asked.corpora)
    names = [corpus.name for corpus in corpora]
    samples = samples_of((*asked.corpora, *names), asked.in_sample, asked.held_out)
    plan = make_plan(
        corpora,
        chosen,
        asked.seeds,
        pattern=asked.bugs,
        shard=asked.shard,
        python=os.path.abspath(python) if python else "",
        replies=str((asked.out / "replies").absolute()),
    )
    with explained("The directory cannot be made", asked.out, "Name another with --out."):
        asked.out.mkdir(parents=True, exist_ok=True)
    with Ledger(asked.out, asked.shard.suffix) as ledger:
        records, damaged = read_records(asked.out)
        cells = {job.cell for job in plan.jobs}
        own = [record for record in records if record.cell in cells]
        if (own or ledger.is_begun) and not asked.resume:
            raise UsageError(
                "The directory holds records",
                where=str(asked.out),
                remedy="Go on with --resume, or name another --out.",
            )
        with FileLock(asked.out / ".manifest.lock"):  # other shards may begin at this moment
            new = manifest_of(names, chosen, asked.seeds, plan, _now(), samples)
            old = read_manifest(asked.out)
            write_manifest(asked.out, join_manifests(old, new) if old else new)
        counted = [(c.name, sum(job.configuration.name == c.name for job in plan.jobs)) for c in chosen]
        said = (*lost, *filter(None, (ledger.repaired,)), *damaged)
        return _run(asked, plan, counted, ledger, own, said, board(sys.stderr, counted, tuple(own), clock))


def _run(
    asked: BenchRequest,
    plan: Plan,
    cells: Sequence[tuple[str, int]],
    ledger: Ledger,
    records: list[BenchRecord],
    said: tuple[str, ...],
    board: Board,
) -> Tally:
    """Run the jobs that have no record yet; ``records`` takes in theirs."""

    def listen(record: BenchRecord, repeated: bool) -> None:
        records.append(record)
        board.take_in(record, repeated)

    jobs = left_to_do(plan.jobs, records)
    try:
        for line in (*said, *(f"{found.bug} is set aside: {found.reason}" for found in plan.set_aside)):
            board.say(line)
        board.say(announcement(plan, len(jobs), asked.jobs, asked.scheduler))
        if jobs:
            with open_crew(measure, asked.jobs, asked.scheduler) as crew:
                run_jobs(jobs, crew, ledger, listen)
    finally:
        board.close()
    return Tally(str(asked.out), counts_of(cells, records), plan.set_aside, said)


def announcement(plan: Plan, left: int, jobs: int, scheduler: str) -> str:
    """What will run, and how long it can take."""
    most = sum(job.configuration.max_seconds for job in plan.jobs) * left / max(1, len(plan.jobs))
    where = f"the workers of {scheduler}" if scheduler else f"{jobs} at once"
    known = len(plan.jobs) - left
    measured = f", {known} are measured already" if known else ""
    time = "" if scheduler else f" (about {duration(most / max(1, min(jobs, left)))} if each takes its whole time)"
    return f"{left} cells of {len(plan.bugs)} bugs to run, {where}{time}{measured}"


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
