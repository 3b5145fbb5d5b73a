"""What the memory holds, for commands: told, and forgotten."""

from __future__ import annotations

import sqlite3
import time

from analysis.errors import TargetError
from repair.front.run_memories import DAY_SECONDS, project_ledger, shared_ledger
from repair.memory.ledger import RunLedger
from repair.records.memory_report import KnownClass, MemoryReport, TriedBefore
from repair.store.store import RunStore


def report_memory(store: RunStore, *, of_all: bool) -> MemoryReport:
    """What is remembered of this project, or of all; raises ``TargetError`` where the file cannot be used."""
    ledger = shared_ledger(store) if of_all else project_ledger(store)
    scope = "all" if of_all else "project"
    if not ledger.path.is_file():
        return MemoryReport(scope, str(ledger.path))
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
    )


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


def _unusable(ledger: RunLedger, problem: Exception) -> TargetError:
    return TargetError(
        f"The memory cannot be used: {problem}",
        where=str(ledger.path),
        remedy="Run again; if it stays so, delete the file: no verdict hangs on it.",
    )
