"""Who measures cells: processes of this machine, or the workers of a Dask scheduler; both by ``concurrent.futures``.

On one machine each slot is a pool of one worker. So a worker that is killed breaks its own pool alone, which is made
anew, and the cells of the others go on.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from analysis.errors import TargetError, UsageError
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord
from corpora.workers import break_off, worker_pool

Measure = Callable[[Job], BenchRecord]

CONNECT_SECONDS = 15


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
                "Dask is not installed", where=f"--scheduler {address}", remedy="pip install 'repair-engine[dask]'."
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
