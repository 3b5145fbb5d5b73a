"""One cell measured by a worker: its environment is made, its child is watched, its record comes back."""

from __future__ import annotations

import datetime
import os
import time
from dataclasses import replace

from analysis.errors import RepairError
from corpora.bench.bounded import Ended, run_bounded
from corpora.bench.method import Report, work
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord
from corpora.interpreter import interpreter_of
from corpora.source_package import case_cache
from repair.records.result import Result, Status


def measure(job: Job) -> BenchRecord:
    """The record of one cell; whatever happens to the method, to its process or to the machine becomes one.

    What the tests need is installed first, once for all, and is no part of any time.
    """
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    blank = BenchRecord(job.cell, "infrastructure", 0.0, started, job.attempt)
    try:
        ready = replace(job, python=_interpreter(job))
    except (RepairError, OSError) as problem:
        return replace(blank, error=f"the environment cannot be made: {problem}")
    began = time.monotonic()
    try:
        ended = run_bounded(work, ready, job.configuration.bound_seconds, job.configuration.memory_mb)
    except OSError as problem:
        return replace(blank, error=f"the cell cannot be started: {problem}")
    measured = replace(
        blank,
        seconds=round(time.monotonic() - began, 3),
        cpu_seconds=ended.cpu_seconds,
        peak_mb=ended.peak_mb,
    )
    return _concluded(measured, ended, job)


def _concluded(record: BenchRecord, ended: Ended, job: Job) -> BenchRecord:
    if ended.is_late:
        said = f"ended from outside after {job.configuration.bound_seconds:g} s"
        result = Result(Status.UNREPAIRED, seed=job.seed, messages=(said,))
        return replace(record, ending="done", engine_seconds=record.seconds, result=result)
    try:
        report = Report.from_bytes(ended.report)
    except ValueError:
        last = " ".join(ended.said.split())[-500:]
        return replace(record, error=f"the cell's process ended with status {ended.status}: {last}")
    if report.result is None:
        return replace(record, engine_seconds=report.seconds, error=report.failed)
    return replace(
        record,
        ending="done",
        engine_seconds=report.seconds,
        plausible_seconds=report.plausible_seconds,
        result=report.result,
        submitted=report.submitted,
    )


def _interpreter(job: Job) -> str:
    """The interpreter that runs the bug's tests, with what they need installed; its version was chosen in the plan."""
    needs = replace(job.bug.environment, python="")
    return interpreter_of(needs, job.python, case_cache(), os.environ)
