"""Work spread over processes of which any may die: the rest goes on, and what killed one is told apart."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from corpora.workers import break_off, worker_pool

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
            yield _work_alone(work, task, lost)


def _work_alone(work: Callable[[Task], Answer], task: Task, lost: Callable[[Task], Answer]) -> Answer:
    with _pool(1) as pool:
        try:
            return pool.submit(work, task).result()
        except BrokenProcessPool:
            return lost(task)


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
