"""Pools of worker processes that start afresh, leave interrupts to us, and end with us."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor

from corpora.bench.bounded import GRACE_SECONDS
from corpora.bench.watcher import end_with_parent, kill

STOP_SECONDS = int(GRACE_SECONDS) + 3
"""What a worker that has to stop may take: longer than a child of its own has, or nobody would end that."""


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
