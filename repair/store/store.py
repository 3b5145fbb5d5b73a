"""All runs of one project, in their folders ``runs/<id>/``, and a list of them.

The folders are the truth and the list is a cache over them (``run_index.py``), so anything may be deleted at any time.
The oldest are deleted where there are too many of them, or where they are too large. A foreign run is never the latest.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from analysis.errors import UsageError
from repair.records.result import Status
from repair.store.run_index import FOREIGN, UNFINISHED, RunIndex, RunRow
from repair.store.state import leave_pointer, state_folder, sweep, user_key
from repair.store.stored_run import RunRecord, Seals, StoredRun

MOST_RUNS = 200
MOST_BYTES = 200 << 20
"""What one project's runs may take; the oldest go first."""

UNDER_WAY_SECONDS = 86_400.0
"""A younger run without a result may still be under way."""


def prune(runs: Sequence[StoredRun], most_runs: int = MOST_RUNS, most_bytes: int = MOST_BYTES) -> None:
    """Delete the oldest of our runs, given newest first, until the rest is few and small enough.

    The newest stays, what is applied, and what may still be under way.
    """
    left, size = 0, 0
    for number, run in enumerate(run for run in runs if not run.is_foreign):
        more = _bytes_of(run.path)
        if number and (left >= most_runs or size + more > most_bytes) and not _is_in_use(run):
            gone = run.path.with_name(f".gone-{run.path.name}")
            with contextlib.suppress(OSError):
                run.path.rename(gone)  # half deleted it is no run any more
                shutil.rmtree(gone, ignore_errors=True)
        else:
            left, size = left + 1, size + more


def _is_in_use(run: StoredRun) -> bool:
    """Whether its patch can be undone, or the run may still be under way."""
    try:
        young = datetime.datetime.now().timestamp() - run.path.stat().st_mtime < UNDER_WAY_SECONDS
    except OSError:
        return True
    return run.is_applied or (young and not (run.path / "result.json").exists())


def _bytes_of(folder: Path) -> int:
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size
    return size


RUN_ID = re.compile(r"\d{8}-\d{6}-[0-9a-z]+")


class RunStore:
    """All runs of one project: those in ``directory``, sealed with the user's ``key``."""

    def __init__(self, directory: Path, key: bytes, root: Path, *, is_kept: bool = True) -> None:
        """``is_kept`` tells whether later commands have the same key."""
        self.directory = directory
        self.key = key
        self.seals = Seals(key)
        self.root = root
        self.is_kept = is_kept
        self.index = RunIndex(directory / "index.sqlite")

    def new_run(self, now: datetime.datetime, suffix: str, clock: Callable[[], float]) -> RunRecord:
        """Start a run; ids sort by time, the suffix tells apart and sorts those of one second.

        The project gets a pointer to its records. The oldest runs are deleted where there are too many.
        """
        leave_pointer(self.root, self.directory)
        run = self.make_folder(self._run(f"{now:%Y%m%d-%H%M%S}-{suffix}"))
        self.touch(run)
        prune(self.stored_runs())
        sweep()
        return RunRecord(run, self.index, clock)

    def list_runs(self) -> tuple[RunRow, ...]:
        """All runs that are on disk, newest first."""
        runs = self.stored_runs()
        known: dict[str, RunRow] = {}
        with contextlib.suppress(sqlite3.Error, OSError):
            known = {row.id: row for row in self.index.rows()}
        fresh = tuple(run.row() for run in runs if _is_stale(known.get(run.id), run))
        self.index.update(fresh, sorted(set(known) - {run.id for run in runs}))
        known.update({row.id: row for row in fresh})
        return tuple(known[run.id] for run in runs)

    def load_run(self, name: str = "latest") -> StoredRun:
        """The run of that id, of that unique start of an id, or the latest one; a misspelt command is none."""
        runs = ours = self.stored_runs()
        if name == "latest":  # one that was more than a wrong option or an empty list of tests, if there is any
            ours = [run for run in runs if not run.is_foreign]
            meant = (run for run in ours if run.row().status != Status.USAGE)
            found = [next(meant, ours[0])] if ours else []
        else:
            found = [run for run in runs if name and run.id.startswith(name)]
        if not found:
            known = "there are no runs yet" if not runs else f"the newest is {runs[0].id}"
            known += " (foreign)" if runs and not ours else ""
            raise UsageError(f"No run {name!r}: {known}", where=str(self.directory), remedy="`repair runs` lists them.")
        if len(found) > 1 and not any(run.id == name for run in found):
            few = ", ".join(run.id for run in found[:3])
            raise UsageError(f"{name!r} may mean {len(found)} runs, such as {few}", remedy="Give more of the id.")
        return next((run for run in found if run.id == name), found[0])

    def latest_applied(self) -> StoredRun:
        """The run whose patch was applied last and is not undone."""
        applied = [run for run in self.stored_runs() if run.is_applied and not run.is_foreign]
        if not applied:
            raise UsageError(
                "No applied patch to undo", where=str(self.directory), remedy="`repair runs` lists the runs."
            )
        return max(applied, key=_applied_at)

    def latest_fix(self) -> StoredRun:
        """The newest run that has a patch of its own making; a change that was only judged is none."""
        for run in self.stored_runs():
            with contextlib.suppress(UsageError):  # its result is damaged
                result = None if run.is_foreign else run.result()
                patches = result.patches if result is not None else ()
                if any(patch.proposer != "foreign" and patch.status is not Status.REJECTED for patch in patches):
                    return run
        raise UsageError("No run has a patch", where=str(self.directory), remedy="`repair runs` lists the runs.")

    def make_folder(self, run: StoredRun) -> StoredRun:
        """The run with its folder and its seal; ``OSError`` leaves nothing behind."""
        run.path.mkdir(parents=True)
        try:
            run.save_json("run.json", {"id": run.id, "root": str(self.root)})
        except OSError:
            shutil.rmtree(run.path, ignore_errors=True)
            raise
        return run

    def touch(self, run: StoredRun) -> None:
        """List the run as it is now."""
        self.index.update((run.row(),))

    def _run(self, name: str) -> StoredRun:
        return StoredRun(name, self.directory / "runs" / name, self.seals)

    def stored_runs(self) -> list[StoredRun]:
        """All runs that have a folder here, newest first."""
        try:
            names = os.listdir(self.directory / "runs")
        except FileNotFoundError:
            return []
        runs = [self._run(name) for name in sorted(names, reverse=True) if RUN_ID.fullmatch(name)]
        return [run for run in runs if run.path.is_dir() and not run.path.is_symlink()]


def open_store(root: str | Path, state_dir: str = "") -> RunStore:
    """The store of a project, in the user's state directory or in the one named (see ``state_folder``)."""
    folder = state_folder(Path(root), state_dir)
    key, is_kept = user_key()
    return RunStore(folder, key, Path(root), is_kept=is_kept)


def _is_stale(row: RunRow | None, run: StoredRun) -> bool:
    """Whether the index is behind the folder, as after a process that was killed."""
    if row is None or row.status == UNFINISHED or (row.status == FOREIGN) != run.is_foreign:
        return True
    return row.applied != int(run.is_applied) and not run.is_foreign


def _applied_at(run: StoredRun) -> int:
    """When it was applied, in nanoseconds; 0 where another process has just taken it out."""
    try:
        return (run.path / "applied.json").stat().st_mtime_ns
    except OSError:
        return 0
