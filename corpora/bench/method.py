"""What one cell does in its child process: lay out the tree, let the method work, hand back its result.

The answer of the bug is never asked for here, and nothing of it lies below the scratch folder.

One cell measured by a worker: its environment is made, its child is watched, its record comes back.
"""

from __future__ import annotations

import datetime
import errno
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.errors import RepairError, TargetError, UsageError
from corpora.bench.bounded import Ended, run_bounded
from corpora.bench.external import MethodOutput, left_patch
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord
from corpora.bug import Bug
from corpora.catalog import open_corpus
from corpora.interpreter import interpreter_of
from corpora.source_package import case_cache
from repair import api
from repair.records.config import Options
from repair.records.events import Event, Listener
from repair.records.json_records import from_plain, to_plain
from repair.records.result import Result, Status
from repair.records.secret_names import is_secret
from repair.store.scratch import scratch_folder

MACHINE = frozenset({Status.MODEL_ERROR, Status.CONFLICT, Status.ERROR, Status.INTERRUPTED})
"""Endings that say nothing of the method: the endpoint, the machine or we have failed."""


@dataclass(frozen=True, slots=True)
class CellReport:
    """What a cell's child hands back. ``failed`` says how the machine failed it; there is no result then.

    ``plausible_seconds`` is when the first candidate of our own engine had passed its tests, 0 for none.
    """

    result: Result | None = None
    failed: str = ""
    seconds: float = 0.0
    submitted: str = ""
    plausible_seconds: float = 0.0

    def to_bytes(self) -> bytes:
        """The report as JSON."""
        return json.dumps(to_plain(self)).encode()

    @classmethod
    def from_bytes(cls, said: bytes) -> CellReport:
        """The report in those bytes; raises ``ValueError`` for a torn one."""
        report: CellReport = from_plain(cls, json.loads(said), "report")
        return report


def work(job: Job) -> bytes:
    """The cell's report; runs in a child."""
    return run_method(job, os.environ).to_bytes()


def run_method(job: Job, env: Mapping[str, str]) -> CellReport:
    """Run the method once in a folder of its own. ``seconds`` count the method alone."""
    try:
        with scratch_folder() as scratch:
            tree = scratch / "tree"
            open_corpus(job.place).write_tree(job.bug, tree)
            return _report(job, tree, scratch, env)
    except MemoryError:
        return CellReport(_out_of_memory(job))
    except OSError as problem:
        if problem.errno == errno.ENOMEM:
            return CellReport(_out_of_memory(job))
        return CellReport(failed=f"the system refuses: {problem.strerror} ({problem.filename or 'no file named'})")
    except RepairError as problem:
        return CellReport(failed=str(problem))


def _report(job: Job, tree: Path, scratch: Path, env: Mapping[str, str]) -> CellReport:
    left = MethodOutput()
    started = time.monotonic()
    first = _First(started)
    try:
        if job.configuration.is_external:
            job = _with_failing(job, tree, scratch, env)
            started = time.monotonic()
            left = left_patch(job, tree, scratch, env)
            result = left.result or _run_judge(job, tree, scratch, left, env)
        else:
            result = _run_fix(job, tree, scratch, env, first.hear)
    except RepairError as problem:
        result = Result(Status(problem.status), messages=(str(problem),))
    seconds = round(time.monotonic() - started, 3)
    if result.status in MACHINE:
        return CellReport(failed=f"{result.status}: {' '.join(result.messages)}", seconds=seconds)
    # Where the tree lay is nobody's business, and differs from run to run.
    submitted = left.patch.decode("utf-8", "surrogateescape")
    return CellReport(replace(result, root=""), "", seconds, submitted, first.seconds)


class _First:
    """Listens for the first candidate that passes."""

    def __init__(self, started: float) -> None:
        self.seconds = 0.0
        self._started = started

    def hear(self, happened: Event) -> None:
        if happened.type in ("found", "candidate") and not self.seconds:
            self.seconds = round(time.monotonic() - self._started, 3)


def _run_fix(job: Job, tree: Path, scratch: Path, env: Mapping[str, str], listen: Listener) -> Result:
    options = options_of(job, tree, scratch)
    tests = job.bug.failing
    match job.configuration.judging:
        case "gates":
            result = api.fix(tests, options, listen, env)
        case "tests":
            result = api.fix_by_tests(tests, options, listen, env)
        case "random":
            result = api.fix_by_tests(tests, options, listen, env, at_random=True)
    if job.configuration.fault == "given" and job.bug.fault is None:
        return replace(result, warnings=(*result.warnings, "the corpus does not know the function at fault"))
    return result


def _with_failing(job: Job, tree: Path, scratch: Path, env: Mapping[str, str]) -> Job:
    """The job with its failing tests: where the corpus names none, those that fail in the tree.

    A method has to be told them, and a patch that turns none of them green has to be refused.
    """
    if job.bug.failing:
        return job
    found = api.explain((), replace(options_of(job, tree, scratch), function=""), _ignore_event, env)
    failing = tuple(failure.test for failure in found.failures)
    if not failing:
        raise TargetError(f"No failing test is found: {found.status}", where=job.bug.id)
    return replace(job, bug=replace(job.bug, failing=failing))


def _run_judge(job: Job, tree: Path, scratch: Path, left: MethodOutput, env: Mapping[str, str]) -> Result:
    """The judge's word on a patch from outside; one that cannot be applied or parsed is rejected."""
    options = replace(options_of(job, tree, scratch), max_seconds=job.configuration.judge_seconds, function="")
    try:
        result = api.check(left.patch, None, job.bug.failing, options, _ignore_event, env)
    except RepairError as problem:
        if problem.status not in ("usage", "unparseable"):
            raise
        result = Result(Status.REJECTED, messages=(str(problem),))
    return replace(result, warnings=(*result.warnings, *left.warnings))


def options_of(job: Job, tree: Path, scratch: Path) -> Options:
    """The engine's options in this cell. Settings that lie in the tree are not read: the configuration says it all."""
    configuration, bug = job.configuration, job.bug
    needs = bug.environment
    secret = next(filter(is_secret, needs.pass_env), None)
    if secret is not None:
        raise UsageError(
            f"The bug asks for {secret}, which sounds like a secret", where=bug.id, remedy="Rename the variable."
        )
    told = configuration.fault == "given" and bug.fault is not None
    return Options(
        root=str(tree),
        python=job.python,
        tests=needs.tests or _suite(bug),
        pytest_args=needs.pytest_args,
        pass_env=needs.pass_env,
        function=str(bug.fault) if told else "",
        task=bug.description,
        proposers=configuration.proposers,
        model=configuration.model,
        base_url=configuration.base_url,
        max_seconds=configuration.max_seconds,
        max_cost=configuration.max_cost,
        max_candidates=configuration.max_candidates,
        input_price=configuration.input_price,
        output_price=configuration.output_price,
        seed=job.seed,
        jobs=configuration.jobs,
        gates=configuration.gates,
        isolation=configuration.isolation,
        state_dir=str(scratch / "state"),
        replies=job.replies,
        order=configuration.order,
    )


def _suite(bug: Bug) -> tuple[str, ...]:
    """What counts as the suite: all of it, unless the corpus says which tests have to stay green."""
    return () if bug.passing is None else (*bug.failing, *bug.passing)


def _out_of_memory(job: Job) -> Result:
    said = f"the method used up the {job.configuration.memory_mb} MB of memory that it has"
    return Result(Status.UNREPAIRED, messages=(said,))


def _ignore_event(happened: Event) -> Any:
    """What happens inside a cell is nobody's to hear; its result says what counts."""


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
    return _conclude(measured, ended, job)


def _conclude(record: BenchRecord, ended: Ended, job: Job) -> BenchRecord:
    if ended.is_late:
        said = f"ended from outside after {job.configuration.bound_seconds:g} s"
        result = Result(Status.UNREPAIRED, seed=job.seed, messages=(said,))
        return replace(record, ending="done", engine_seconds=record.seconds, result=result)
    try:
        report = CellReport.from_bytes(ended.report)
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
