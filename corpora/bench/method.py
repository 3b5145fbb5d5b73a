"""One cell measured by a worker: its environment is made, its child is watched, its record comes back.

The child lays out the tree, lets the method work and hands back its result. The answer of the bug is never asked for
here, and nothing of it lies below the scratch folder.
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

from analysis.errors import RepairError, TargetError, UsageError
from corpora.bench.bounded import ChildEnd, run_bounded
from corpora.bench.external import MethodOutput, left_patch
from corpora.bench.plan import Job
from corpora.bench.record import BenchRecord
from corpora.catalog import open_corpus
from corpora.environment import interpreter_of
from corpora.json_lines import JsonRecord
from corpora.source_package import case_cache
from repair import api
from repair.records.config import Options
from repair.records.events import Event
from repair.records.result import Result, Status
from repair.records.secret_names import is_secret
from sandbox.scratch import scratch_folder

MACHINE = frozenset({Status.MODEL_ERROR, Status.CONFLICT, Status.ERROR, Status.INTERRUPTED})
"""Endings that say nothing of the method: the endpoint, the machine or we have failed."""


@dataclass(frozen=True, slots=True)
class CellReport(JsonRecord):
    """What a cell's child hands back. ``failed`` says how the machine failed it; there is no result then.

    ``plausible_seconds`` is when the first candidate of our own engine had passed its tests, 0 for none.
    """

    called = "report"
    result: Result | None = None
    failed: str = ""
    seconds: float = 0.0
    submitted: str = ""
    plausible_seconds: float = 0.0


def work(job: Job) -> bytes:
    """The cell's report; runs in a child."""
    return json.dumps(run_method(job, os.environ).to_json()).encode()


def run_method(job: Job, env: Mapping[str, str]) -> CellReport:
    """Run the method once in a folder of its own. ``seconds`` count the method alone."""
    try:
        with scratch_folder() as scratch:
            tree = scratch / "tree"
            open_corpus(job.place).write_tree(job.bug, tree)
            return _report(job, tree, scratch, env)
    except (MemoryError, OSError) as problem:
        if isinstance(problem, MemoryError) or problem.errno == errno.ENOMEM:
            spent = f"the method used up the {job.configuration.memory_mb} MB of memory that it has"
            return CellReport(Result(Status.UNREPAIRED, messages=(spent,)))
        return CellReport(failed=f"the system refuses: {problem.strerror} ({problem.filename or 'no file named'})")
    except RepairError as problem:
        return CellReport(failed=str(problem))


def _report(job: Job, tree: Path, scratch: Path, env: Mapping[str, str]) -> CellReport:
    left = MethodOutput()
    started = time.monotonic()
    passed: list[float] = []
    try:
        if job.configuration.is_external:
            job = _with_failing(job, tree, scratch, env)
            started = time.monotonic()
            left = left_patch(job, tree, scratch, env)
            result = left.result or _run_judge(job, tree, scratch, left, env)
        else:
            result = _run_fix(job, tree, scratch, env, passed)
    except RepairError as problem:
        result = Result(Status(problem.status), messages=(str(problem),))
    seconds = round(time.monotonic() - started, 3)
    if result.status in MACHINE:
        return CellReport(failed=f"{result.status}: {' '.join(result.messages)}", seconds=seconds)
    # Where the tree lay is nobody's business, and differs from run to run.
    submitted = left.patch.decode("utf-8", "surrogateescape")
    plausible = round(passed[0] - started, 3) if passed else 0.0
    return CellReport(replace(result, root=""), "", seconds, submitted, plausible)


def _run_fix(job: Job, tree: Path, scratch: Path, env: Mapping[str, str], passed: list[float]) -> Result:
    """What our engine makes of it; ``passed`` takes the times at which candidates passed their tests."""

    def listen(happened: Event) -> None:
        if happened.type in ("found", "candidate"):
            passed.append(time.monotonic())

    options = options_of(job, tree, scratch)
    judging = job.configuration.judging
    if judging == "gates":
        result = api.fix(job.bug.failing, options, listen, env)
    else:
        result = api.fix_by_tests(job.bug.failing, options, listen, env, at_random=judging == "random")
    if job.configuration.fault == "given" and not job.given_function:
        return replace(result, warnings=(*result.warnings, "the corpus does not know the function at fault"))
    return result


def _with_failing(job: Job, tree: Path, scratch: Path, env: Mapping[str, str]) -> Job:
    """The job with its failing tests: where the corpus names none, those that fail in the tree.

    A method has to be told them, and a patch that turns none of them green has to be refused.
    """
    if job.bug.failing:
        return job
    found = api.explain((), replace(options_of(job, tree, scratch), function=""), lambda event: None, env)
    failing = tuple(failure.test for failure in found.failures)
    if not failing:
        raise TargetError(f"No failing test is found: {found.status}", where=job.bug.id)
    return replace(job, bug=replace(job.bug, failing=failing))


def _run_judge(job: Job, tree: Path, scratch: Path, left: MethodOutput, env: Mapping[str, str]) -> Result:
    """The judge's word on a patch from outside; one that cannot be applied or parsed is rejected."""
    options = replace(options_of(job, tree, scratch), max_seconds=job.configuration.judge_seconds, function="")
    try:
        result = api.check(left.patch, None, job.bug.failing, options, lambda event: None, env)
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
    return Options(
        root=str(tree),
        python=job.python,
        tests=bug.suite,
        pytest_args=needs.pytest_args,
        pass_env=needs.pass_env,
        function=job.given_function,
        task=bug.description,
        proposers=configuration.proposers,
        model=configuration.model,
        base_url=configuration.base_url,
        models=configuration.models,
        max_seconds=configuration.max_seconds,
        max_cost=configuration.max_cost,
        max_candidates=configuration.max_candidates,
        max_requests=configuration.max_requests,
        max_attempts=configuration.max_attempts,
        max_tokens=configuration.max_tokens,
        request_seconds=configuration.request_seconds,
        reply_form=configuration.reply_form,
        patch_lines=configuration.patch_lines,
        input_price=configuration.input_price,
        output_price=configuration.output_price,
        seed=job.seed,
        jobs=configuration.jobs,
        gates=configuration.gates,
        isolation=configuration.isolation,
        state_dir=str(scratch / "state"),
        replies=job.replies,
        order=configuration.order,
        memory="off",
    )


def measure(job: Job) -> BenchRecord:
    """The record of one cell; whatever happens to the method, to its process or to the machine becomes one.

    What the tests need is installed first, once for all, and is no part of any time.
    """
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    blank = BenchRecord(job.cell, "infrastructure", 0.0, started, job.attempt)
    try:
        needs = replace(job.bug.environment, python="")  # its version was chosen in the plan
        ready = replace(job, python=interpreter_of(needs, job.python, case_cache(), os.environ))
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


def _conclude(record: BenchRecord, ended: ChildEnd, job: Job) -> BenchRecord:
    if ended.is_late:
        said = f"ended from outside after {job.configuration.bound_seconds:g} s"
        result = Result(Status.UNREPAIRED, seed=job.seed, messages=(said,))
        return replace(record, ending="done", engine_seconds=record.seconds, result=result)
    try:
        report = CellReport.from_json(json.loads(ended.report))
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
