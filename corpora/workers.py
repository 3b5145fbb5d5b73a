"""Work in processes that start afresh, leave interrupts to us, and end with us.

Any of them may die: the rest goes on, and what killed one is told apart.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from corpora.bench.bounded import GRACE_SECONDS
from corpora.bench.watcher import end_with_parent, kill

STOP_SECONDS = int(GRACE_SECONDS) + 3
"""What a worker that has to stop may take: longer than a child of its own has, or nobody would end that."""

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def work_each(
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
            with _pool(1) as pool:
                try:
                    answer = pool.submit(work, task).result()
                except BrokenProcessPool:
                    answer = lost(task)
            yield answer


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Workers for a block. What they do is broken off where the block is."""
    pool = worker_pool(workers)
    try:
        yield pool
    except BaseException:  # whatever ended the block, an interrupt too: nobody will ask for the answers any more
        break_off(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of fresh interpreters: a fork of this one would have its locks, but not the threads that hold them."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=_begin, initargs=(os.getpid(),))


def break_off(pool: ProcessPoolExecutor) -> None:
    """Have its workers break off what they do, which then cleans up."""
    for process in list(getattr(pool, "_processes", None) or {}):
        kill(process, signal.SIGTERM)


def _begin(parent: int) -> None:
    """A worker's first deed: to leave interrupts to the parent, and to end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    end_with_parent(signal.SIGTERM, parent)


def _stop(_number: int, _frame: object) -> None:
    """End what is under way, which then cleans up; and soon, even where nobody is left to hand out an end."""
    signal.alarm(STOP_SECONDS)
    raise SystemExit(128 + signal.SIGTERM)
