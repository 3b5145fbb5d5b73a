"""Work spread over processes of which any may die: the rest goes on, and what killed one is told apart."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from corpora.bench.bounded import end_with_parent

GRACE_SECONDS = 10
"""What a worker that has to stop may take to clean up."""

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def each(
    work: Callable[[Task], Answer], tasks: Sequence[Task], jobs: int, lost: Callable[[Task], Answer]
) -> Generator[Answer]:
    """The answer for each task, as they come, ``jobs`` at a time in processes of their own.

    Where a process dies, what was under way is done again, one by one; what dies then too is answered by ``lost``.
    An exception of ``work`` is the caller's.
    """
    waiting = list(reversed(tasks))
    while waiting:
        with _pool(min(jobs, len(waiting))) as pool:
            running: dict[Future[Answer], Task] = {}
            broken: list[Task] = []
            while (waiting or running) and not broken:
                while waiting and len(running) < jobs:
                    task = waiting.pop()
                    running[pool.submit(work, task)] = task
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    task = running.pop(future)
                    try:
                        yield future.result()
                    except BrokenProcessPool:
                        broken.append(task)
            broken += running.values()
        for task in broken:
            yield _alone(work, task, lost)


def _alone(work: Callable[[Task], Answer], task: Task, lost: Callable[[Task], Answer]) -> Answer:
    with _pool(1) as pool:
        try:
            return pool.submit(work, task).result()
        except BrokenProcessPool:
            return lost(task)


@contextlib.contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that start afresh, and end with this one. What they do is broken off where the caller is."""
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_begin, initargs=(os.getpid(),))
    try:
        yield pool
    except BaseException:
        for process in list(getattr(pool, "_processes", None) or {}):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(parent: int) -> None:
    """A worker's first deed: to leave interrupts to the parent, and to end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    end_with_parent(signal.SIGTERM, parent)


def _stop(_number: int, _frame: object) -> None:
    """End what is under way, which then cleans up; and soon, even where nobody is left to hand out an end."""
    signal.alarm(GRACE_SECONDS)
    raise SystemExit(128 + signal.SIGTERM)
