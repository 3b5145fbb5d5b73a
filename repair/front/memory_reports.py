"""What the memory holds, for commands: told, and forgotten."""

from __future__ import annotations

import sqlite3
import time

from analysis.errors import TargetError
from repair.front.run_memories import DAY_SECONDS, project_ledger, shared_ledger
from repair.memory.kept_answers import find_answers, forget_answers, read_answers
from repair.memory.ledger import RunLedger
from repair.records.memory_report import AnswerKept, KnownClass, MemoryReport, TriedBefore
from repair.store.store import RunStore


def report_memory(store: RunStore, *, of_all: bool) -> MemoryReport:
    """What is remembered of this project, or of all; raises ``TargetError`` where the file cannot be used."""
    ledger = shared_ledger(store) if of_all else project_ledger(store)
    scope = "all" if of_all else "project"
    answers = () if of_all else _answers_of(store)
    if not ledger.path.is_file():
        return MemoryReport(scope, str(ledger.path), answers=answers)
    try:
        known, attempts = ledger.known(of_all=of_all), ledger.attempts()
    except (sqlite3.Error, OSError, ValueError, TypeError) as problem:
        raise _unusable(ledger, problem) from problem
    return MemoryReport(
        scope,
        str(ledger.path),
        tuple(KnownClass(each.failure_class, each.tried, each.mended, dict(each.families)) for each in known),
        tuple(
            TriedBefore(
                each.run,
                each.cause,
                each.signature.keys[-1].strip("/"),
                each.proposer,
                each.family,
                each.outcome,
                each.candidates,
                each.seconds,
            )
            for each in attempts
        ),
        answers,
    )


def _answers_of(store: RunStore) -> tuple[AnswerKept, ...]:
    kept = read_answers(store.directory, store.key)
    holding = find_answers(kept, lambda path: _read(store, path), ()).holding
    return tuple(AnswerKept(each.text, each.file, each.function, each.run, each in holding) for each in kept)


def _read(store: RunStore, path: str) -> bytes | None:
    try:
        return (store.root / path).read_bytes()
    except OSError:
        return None


def forget_attempts(store: RunStore, *, everything: bool, older: int | None) -> int:
    """Delete what this project has shown, or all have, or only what is ``older`` in days; how many attempts that was.

    Raises ``TargetError`` where a file cannot be used.
    """
    before = None if older is None else int(time.time() // DAY_SECONDS) - older
    gone = 0
    for ledger in (project_ledger(store), shared_ledger(store)):
        if ledger.path.is_file():
            try:
                gone += ledger.forget(everything=everything, before=before)
            except (sqlite3.Error, OSError) as problem:
                raise _unusable(ledger, problem) from problem
    return gone


def forget_kept_answers(store: RunStore) -> int:
    """Delete what people said that functions of this project should do; how many answers that was."""
    return forget_answers(store.directory, store.key)


def _unusable(ledger: RunLedger, problem: Exception) -> TargetError:
    return TargetError(
        f"The memory cannot be used: {problem}",
        where=str(ledger.path),
        remedy="Run again; if it stays so, delete the file: no verdict hangs on it.",
    )
