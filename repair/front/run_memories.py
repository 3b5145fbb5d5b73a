"""Which ledgers a run reads and writes, by its options and by where it is recorded; and what commands tell of them."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from analysis.errors import RepairError, TargetError, UsageError
from analysis.facts import Files
from repair.front.run_inputs import REMEMBERED
from repair.memory.exported import ExportedMemory, read_exported
from repair.memory.kept_answers import FILE as ANSWERS
from repair.memory.kept_answers import (
    MOST_RUNS,
    find_answers,
    forget_answers,
    forget_rejections,
    known_rejections,
    read_answers,
)
from repair.memory.learning import FILE as HISTORY
from repair.memory.learning import (
    ProjectHistory,
    forget_history,
    keep_history,
    learn_history,
    own_edits,
    read_history,
)
from repair.memory.ledger import FILE, RunLedger
from repair.memory.run_memory import OrderReason, RunMemory
from repair.model.router import arms_of
from repair.proposers.memory import MemoryProposer
from repair.records.config import Options
from repair.records.events import Listener, event
from repair.records.memory_report import (
    AnswerKept,
    HistoryLearned,
    KnownClass,
    MemoryReport,
    PatchRejected,
    TriedBefore,
)
from repair.records.result import Status
from repair.records.task import PatchPlan
from repair.store.atomic import read_plain
from repair.store.git import MOST_OF_A_FILE, work_tree
from repair.store.git_history import committed_texts
from repair.store.state import KEY_FILE, user_folder
from repair.store.store import RunStore, open_store

DAY_SECONDS = 86_400


def project_ledger(store: RunStore) -> RunLedger:
    """The ledger of one project: it lies beside its runs, outside of the project."""
    return RunLedger(store.directory / FILE, store.key, os.path.realpath(store.root))


def shared_ledger(store: RunStore) -> RunLedger:
    """The ledger of all projects of the user, in his state directory."""
    return RunLedger(user_folder() / FILE, store.key, os.path.realpath(store.root))


def open_memory(options: Options, store: RunStore, listen: Listener, *, is_asked: bool) -> RunMemory:
    """The memory of a run; an empty one where it is off, or not ``is_asked``: for a replay, or a run that is not kept.

    The shared ledger is written and read where all projects are asked for. A warning is said once in the same words,
    of the first function that they hold for. Events tell of each function.
    """
    warned: set[str] = set()
    ledgers: tuple[RunLedger, ...] = ()
    if is_asked and options.memory != "off":
        ledgers = (project_ledger(store), *((shared_ledger(store),) if options.memory == "all" else ()))

    def tell(reason: OrderReason) -> None:
        kinds = {"kinds": dict(reason.strategy.kinds)} if reason.strategy.kinds else {}
        share = {"share": reason.strategy.share("model")} if reason.strategy.proposers else {}
        listen(event("memory", function=reason.function, message=reason.claim, **kinds, **share))
        if reason.chance is not None and reason.chance.is_unlikely and reason.chance.claim not in warned:
            warned.add(reason.chance.claim)
            listen(event("warning", message=f"{reason.function}: {reason.chance.claim}"))

    models = [arm.model for arm in arms_of(options)]
    today, moves = int(time.time() // DAY_SECONDS), options.order == REMEMBERED
    memory = RunMemory(ledgers, today, tell, moves=moves, models=models)
    memory.hear_people(store.stored_runs)
    return memory


def report_memory(store: RunStore, *, of_all: bool) -> MemoryReport:
    """What is remembered of this project, or of all; raises ``TargetError`` where the file cannot be used."""
    ledger = shared_ledger(store) if of_all else project_ledger(store)
    scope = "all" if of_all else "project"
    empty = MemoryReport(scope, str(ledger.path))
    if not of_all:
        said = (_answers_of(store), _rejections_of(store))
        empty = replace(empty, answers=said[0], rejections=said[1], learned=_learned_of(store))
    if not ledger.path.is_file():
        return empty
    try:
        known, attempts = ledger.known(of_all=of_all), ledger.attempts()
    except (sqlite3.Error, OSError, ValueError, TypeError) as problem:
        raise _unusable(ledger.path, problem) from problem
    return replace(
        empty,
        known=tuple(KnownClass(each.failure_class, each.tried, each.mended, dict(each.families)) for each in known),
        attempts=tuple(
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


def _answers_of(store: RunStore) -> tuple[AnswerKept, ...]:
    kept = read_answers(store.directory, store.key)
    holding = find_answers(kept, lambda path: _read(store, path), ()).holding
    return tuple(AnswerKept(each.text, each.file, each.function, each.run, each in holding) for each in kept)


def _rejections_of(store: RunStore) -> tuple[PatchRejected, ...]:
    found = known_rejections(store.directory, store.key, store.stored_runs()[:MOST_RUNS])
    return tuple(PatchRejected(e.run, e.file, e.function, e.change, e.note, e.by) for e in found)


def _read(store: RunStore, path: str) -> bytes | None:
    try:
        return read_plain(store.root / path, MOST_OF_A_FILE)
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
                raise _unusable(ledger.path, problem) from problem
    return gone


def forget_learned(store: RunStore) -> bool:
    """Delete what the project's history taught; whether there was anything.

    Raises ``TargetError`` where the file cannot be used.
    """
    try:
        return forget_history(store.directory)
    except OSError as problem:
        raise _unusable(store.directory / HISTORY, problem) from problem


MOST_COMMITS, LEARN_SECONDS = 3_000, 60.0
"""The latest commits that are learned from, and how long that may take; the older part is left out then."""


def learn_history_of(store: RunStore, folder: Path) -> HistoryLearned:
    """Learn words and templates from the commits of the project and from patches of ours that people took.

    Raises ``UsageError`` where the folder is no repository of the project, ``TargetError`` where nothing can be kept.
    """
    if work_tree(str(folder)) != work_tree(str(store.root)):
        raise UsageError(
            f"{folder} is another project than {store.root}",
            where="--git",
            remedy="Name a folder of this project; words of others are not taken.",
        )
    if not store.is_kept:
        raise TargetError(
            "Your key cannot be kept, so nothing is kept for later runs",
            where=str(user_folder() / KEY_FILE),
            remedy="Make that folder writable.",
        )
    parts = committed_texts(folder, MOST_COMMITS, LEARN_SECONDS)
    history = learn_history(parts, tuple(own_edits(store.stored_runs())))
    try:
        keep_history(store.directory, store.key, history)
    except OSError as problem:
        raise _unusable(store.directory / HISTORY, problem) from problem
    return _learned(history)


def neighbour_for_model(
    options: Options, store: RunStore, memory: RunMemory, listen: Listener
) -> Callable[[PatchPlan, Files], str]:
    """What a model is told of the failure most like a plan's that was mended before: nothing unless that is asked for.

    It is asked for with the proposer of the memory. What is told is among the events of the run.
    """

    def told_of(run: str, cause: int) -> str:
        with contextlib.suppress(UsageError, OSError):
            result = store.run_named(run).result()
            for patch in result.patches if result is not None else ():
                if patch.rank == 1 and patch.cause in (0, cause) and patch.status is not Status.FOREIGN:
                    return patch.diff
        return ""

    def find(plan: PatchPlan, sources: Files) -> str:
        said = memory.neighbour(plan, sources, told_of)
        if said:
            message = "a failure alike that was mended is told to the model"
            listen(event("memory", function=plan.function.qualname, message=message, neighbour=said))
        return said

    return find if MemoryProposer.name in options.chosen_proposers else lambda plan, sources: ""


def make_memory_proposer(options: Options) -> MemoryProposer:
    """The proposer of edits from the project's past; one that has none where the memory is off."""
    history = ProjectHistory()
    if options.memory != "off":
        with contextlib.suppress(RepairError, OSError):  # whoever records the run says so
            store = open_store(options.root, options.state_dir)
            history = read_history(store.directory, store.key)
    return MemoryProposer(history.words, history.templates, int(time.time() // DAY_SECONDS))


def _learned(history: ProjectHistory) -> HistoryLearned:
    return HistoryLearned(len(history.words), len(history.templates), history.files, history.fixes, history.unread)


def _learned_of(store: RunStore) -> HistoryLearned | None:
    history = read_history(store.directory, store.key)
    return _learned(history) if history.files or history.templates else None


def export_memory(store: RunStore, *, code: bool) -> ExportedMemory:
    """What is remembered of the project; without ``code`` no text of it is among that.

    Raises ``TargetError`` where the file cannot be used.
    """
    ledger = project_ledger(store)
    try:
        attempts = ledger.attempts() if ledger.path.is_file() else ()
    except (sqlite3.Error, OSError, ValueError, TypeError) as problem:
        raise _unusable(ledger.path, problem) from problem
    return ExportedMemory(attempts, read_history(store.directory, store.key) if code else None)


def import_memory(store: RunStore, file: Path) -> int:
    """Take an exported memory as this project's own: its attempts beside those known, its history in place of what was.

    How many attempts it has. Raises ``UsageError`` where the file is no such memory, ``TargetError`` where nothing can
    be kept.
    """
    try:
        found = read_exported(json.loads(read_plain(file, MOST_IMPORTED) or b""))
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(
            f"This is no exported memory: {problem}", where=str(file), remedy="`repair memory export` writes one."
        ) from problem
    ledger = project_ledger(store)
    try:
        ledger.add(found.attempts)
        if found.history is not None:
            keep_history(store.directory, store.key, found.history)
    except (sqlite3.Error, OSError) as problem:
        raise _unusable(ledger.path, problem) from problem
    return len(found.attempts)


MOST_IMPORTED = 64 << 20
"""Bytes of an exported memory."""


def forget_kept_answers(store: RunStore) -> int:
    """Delete what people said of this project, answers and the rejections of deleted runs; how many that was.

    Raises ``TargetError`` where the file cannot be used.
    """
    try:
        return forget_answers(store.directory, store.key) + forget_rejections(store.directory, store.key)
    except OSError as problem:
        raise _unusable(store.directory / ANSWERS, problem) from problem


def _unusable(path: Path, problem: Exception) -> TargetError:
    return TargetError(
        f"The memory cannot be used: {problem}",
        where=str(path),
        remedy="Run again; if it stays so, delete the file: no verdict hangs on it.",
    )
