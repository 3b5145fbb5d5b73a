"""How a run is written down: its record begun, its answer with a certificate, or why there is none."""

from __future__ import annotations

import contextlib
import datetime
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.errors import RepairError, TargetError
from repair.compare.answers import PersonsAnswer
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.records.outcome import RunOutcome
from repair.records.result import Result, Status
from repair.store.certificate import certificate
from repair.store.store import RunStore, open_store
from repair.store.stored_run import RunRecord
from sandbox.target import Target


def begin_record(options: Options, root: str, scratch: Path) -> tuple[RunStore, RunRecord, str]:
    """The run and where it is recorded; where nothing can be kept, a place for this run alone, and a warning."""
    now = datetime.datetime.now(datetime.UTC)
    suffix = f"{now.microsecond:05x}{secrets.token_hex(1)}"
    try:
        store = open_store(root, options.state_dir)
        unkept = "" if store.is_kept else "your key cannot be kept, so later commands take this run for foreign"
        return store, store.new_run(now, suffix, time.monotonic), unkept
    except (TargetError, OSError) as problem:
        store = open_store(root, str(scratch / "state"))
        said = f"this run is not kept, and cannot be applied later: {problem}"
        return store, store.new_run(now, suffix, time.monotonic), said


def record_failure(record: RunRecord, listen: Listener, target: Target, problem: RepairError) -> None:
    """Write down that the run has no answer."""
    listen(event("failed", status=problem.status, message=str(problem)))
    with contextlib.suppress(OSError):  # a full disk must not hide what went wrong
        record.save_result(Result(Status(problem.status), record.id, target.root, messages=(str(problem),)))


def record_answer(record: RunRecord, ending: RunOutcome, result: Result, target: Mapping[str, Any]) -> None:
    """Write down the judged candidates, the certificate of the answer, and the result. ``target`` is for a replay."""
    for judged in ending.judged:
        candidate = judged.submission.candidate
        record.save_candidate(candidate.digest, candidate.diff, candidate.files)
    if ending.judged:
        _save_certificate(record, ending, result, target)
    record.save_result(result)


def _save_certificate(record: RunRecord, ending: RunOutcome, result: Result, target: Mapping[str, Any]) -> None:
    """Write the certificate of the answer: of one candidate, or of all functions of a checked change."""
    judged, change = ending.judged if ending.change else ending.judged[:1], ending.files()
    for _, content in (*change.before, *change.after):
        record.run.save_content(content)
    record.save_certificate(certificate(judged, change, result, target))


def describe_target(options: Options, target: Target, answers: Sequence[PersonsAnswer]) -> dict[str, Any]:
    """What a replay has to know to run the same tests in the same way. Names of variables only, never values."""
    return {
        "python": target.interpreter.python,
        "isolation_image": options.isolation_image,
        "tests": list(options.tests),
        "pytest_args": list(options.pytest_args),
        "pass_env": list(options.pass_env),
        "gates": options.gates,
        "answers": list(map(str, answers)),
    }
