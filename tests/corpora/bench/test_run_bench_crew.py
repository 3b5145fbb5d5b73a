"""Crews: a killed worker costs its own cell alone, and none outlives the one who hired it."""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from analysis.errors import TargetError, UsageError
from corpora.bench.run_bench import DaskCrew, LocalCrew, WorkerLost, open_crew, record_of

PID = "__import__('os').getpid()"
SLOW = "[__import__('time').sleep(2), 'slow'][1]"
DIE = "__import__('os').kill(__import__('os').getpid(), 9)"


def test_a_killed_worker_costs_its_own_cell_alone():
    with open_crew(eval, 2, "") as crew:
        assert crew.room == 2
        slow, dead = crew.submit(SLOW), crew.submit(DIE)
        with pytest.raises(WorkerLost, match="killed"):
            record_of(dead)
        again = crew.submit("'again'")
        assert record_of(again) == "again"
        assert record_of(slow) == "slow"


def test_a_worker_that_dies_between_two_cells_costs_nothing():
    with open_crew(eval, 1, "") as crew:
        worker = record_of(crew.submit(PID))
        os.kill(worker, signal.SIGKILL)
        found = _settled(crew)
        assert found != worker


def _settled(crew):
    """The pool notices a death in its own time: until then a cell that it took is lost, and run again by the loop."""
    try:
        return record_of(crew.submit(PID))
    except WorkerLost:
        return record_of(crew.submit(PID))


def test_workers_are_ended_with_what_they_do():
    crew = LocalCrew(eval, 1)
    worker = record_of(crew.submit(PID))
    crew.submit("__import__('time').sleep(60)")
    crew.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_what_a_future_raises_is_told():
    failed: Future = Future()
    failed.set_exception(OSError("odd"))
    with pytest.raises(WorkerLost, match="OSError: odd"):
        record_of(failed)
    cancelled: Future = Future()
    cancelled.cancel()
    with pytest.raises(WorkerLost, match="dropped"):
        record_of(cancelled)
    broken: Future = Future()
    broken.set_exception(BrokenProcessPool("gone"))
    with pytest.raises(WorkerLost, match="killed"):
        record_of(broken)


def test_without_dask_that_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"Dask is not installed .*pip install 'distributed>="):
        DaskCrew(eval, "tcp://127.0.0.1:1")


def test_a_scheduler_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("distributed", reason="Dask is an extra")
    monkeypatch.setattr("corpora.bench.run_bench.CONNECT_SECONDS", 0.2)
    with pytest.raises(TargetError, match="There is no scheduler"):
        DaskCrew(eval, "tcp://127.0.0.1:1")
