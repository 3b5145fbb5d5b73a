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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.errors import TargetError, UsageError
from repair.records.result import Status
from repair.store.run_index import FOREIGN, UNFINISHED, Found, IndexedRun, RunIndex, RunRow
from repair.store.run_lock import is_under_way
from repair.store.run_query import RunQuery
from repair.store.state import leave_pointer, state_folder, sweep, user_key
from repair.store.stored_run import RunRecord, Seals, StoredRun, size_of
from sandbox.scratch import passing_folder

MOST_RUNS = 10_000
MOST_BYTES = 200 << 20
"""What one project's runs may take; the oldest go first."""

MOST_UNDER_WAY = 20
"""Of so many newest runs it is looked whether they are under way."""

MANY_RUNS = 500
"""So many that are not in the index are worth a word: it takes seconds to read them."""

GONE = ".gone-"
"""What the name of a run begins with while it is deleted."""

UNDER_WAY_SECONDS = 86_400.0
"""A younger run without a result may still be under way."""


def prune(
    runs: Sequence[StoredRun],
    most_runs: int = MOST_RUNS,
    most_bytes: int = MOST_BYTES,
    known: Mapping[str, IndexedRun] | None = None,
) -> None:
    """Delete the oldest of our runs, given newest first, until the rest is few and small enough.

    The newest stays, what is applied, and what may still be under way. What is ``known`` of a run is not read again
    where its folder has not changed.
    """
    left, size = 0, 0
    for run in runs:
        told = (known or {}).get(run.id)
        if told is not None and told.stamp != run.stamp():
            told = None
        if told.status == FOREIGN if told is not None else run.is_foreign:
            continue
        more = told.size if told is not None else size_of(run.path)
        if left and (left >= most_runs or size + more > most_bytes) and not _is_in_use(run):
            gone = run.path.with_name(f"{GONE}{run.path.name}")
            with contextlib.suppress(OSError):  # another process deletes it, too; it is tried again later
                run.path.rename(gone)  # half deleted it is no run any more
                shutil.rmtree(gone, ignore_errors=True)
        else:
            left, size = left + 1, size + more


def remove_half_deleted(folder: Path) -> None:
    """Delete what a process left of runs that was killed while it deleted them."""
    for left in folder.glob(f"{GONE}*"):
        if not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)


def _is_in_use(run: StoredRun) -> bool:
    """Whether its patch can be undone, or the run may still be under way."""
    try:
        young = datetime.datetime.now().timestamp() - run.path.stat().st_mtime < UNDER_WAY_SECONDS
    except OSError:
        return True
    return run.is_applied or (young and not (run.path / "result.json").exists())


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
        self.tell: Callable[[str], None] = lambda said: None
        """Hears of what takes long."""
        self.index = RunIndex(directory / "index.sqlite")

    def new_run(self, now: datetime.datetime, suffix: str, clock: Callable[[], float]) -> RunRecord:
        """Start a run; ids sort by time, the suffix tells apart and sorts those of one second.

        The project gets a pointer to its records. The oldest runs are deleted where there are too many.
        """
        leave_pointer(self.root, self.directory)
        run = self.make_folder(self.run_named(f"{now:%Y%m%d-%H%M%S}-{suffix}"))
        self.touch(run)
        known: dict[str, IndexedRun] = {}
        with contextlib.suppress(sqlite3.Error, OSError):
            known = self.index.known()
        remove_half_deleted(self.directory / "runs")
        prune(self.stored_runs(), known=known)
        sweep()
        return RunRecord(run, self.index, clock)

    def list_runs(self, query: RunQuery | None = None, most: int | None = None) -> Found:
        """The newest runs on disk that the query means, at most so many, and how many there are in all.

        Whether a run is ours is looked at again for all that is shown: an index may come from elsewhere.
        """
        names = self.run_ids()
        if query is not None or most is None:
            found = self._find(lambda index: index.find_runs(query or RunQuery(), most), names)
        else:  # nothing is looked for: the newest are enough
            found = self._find(lambda index: index.find_runs(RunQuery(), most), names, most)
            found = replace(found, count=len(names))
        return replace(found, runs=tuple(map(self._look_again, found.runs)))

    def list_reports(self, query: RunQuery | None = None, most: int | None = None) -> Found:
        """The error reports of the newest runs that the query means, at most so many; foreign runs have none."""
        found = self._find(lambda index: index.find_reports(query or RunQuery(), most), self.run_ids())
        foreign = {run for run in {report.run for report in found.reports} if self.run_named(run).is_foreign}
        return replace(found, reports=tuple(report for report in found.reports if report.run not in foreign))

    def _find(self, work: Callable[[RunIndex], Found], names: Sequence[str], most: int | None = None) -> Found:
        """What is found in the index once it knows the runs, the newest ``most`` of them or all.

        Where the index cannot be used, one is made for this once.
        """
        with contextlib.suppress(sqlite3.Error, OSError):
            self._refresh(self.index, names, most)
            return work(self.index)
        try:
            with passing_folder() as scratch:
                index = RunIndex(scratch / "index.sqlite")
                self._refresh(index, names, most)
                return work(index)
        except (sqlite3.Error, OSError) as problem:
            raise TargetError(
                f"The index of runs cannot be used: {problem}", where=str(self.directory), remedy="Free some space."
            ) from problem

    def _refresh(self, index: RunIndex, names: Sequence[str], most: int | None = None) -> None:
        """Bring the index up to date with the newest ``most`` runs on disk, or with all; forget those that are gone."""
        known = index.known()
        stale = [name for name in names[:most] if self._is_stale(name, known.get(name))]
        if len(stale) > MANY_RUNS:
            self.tell(f"reading {len(stale)} runs that the index does not know")
        entries = [self.run_named(name).entry() for name in stale]
        fresh = [each for each in entries if known.get(each.row.id) != each.known]
        gone = sorted(set(known).difference(names))
        if (fresh or gone) and not index.update(fresh, gone):
            raise sqlite3.OperationalError("it cannot be written")

    def _is_stale(self, name: str, known: IndexedRun | None) -> bool:
        """Whether the index is behind the folder, as after a process that was killed."""
        return known is None or known.status == UNFINISHED or known.stamp != self.run_named(name).stamp()

    def _look_again(self, row: RunRow) -> RunRow:
        run = self.run_named(row.id)
        return row if (row.status == FOREIGN) == run.is_foreign else run.row()

    def load_run(self, name: str = "latest") -> StoredRun:
        """The run of that id, of that unique start of an id, or the latest one; a misspelt command is none."""
        names = self.run_ids()
        found = self._latest(names) if name == "latest" else [run for run in names if name and run.startswith(name)]
        if not found:
            known = f"the newest is {names[0]}" if names else "there are no runs yet"
            known += " (foreign)" if names and name == "latest" else ""
            raise UsageError(f"No run {name!r}: {known}", where=str(self.directory), remedy="`repair runs` lists them.")
        if len(found) > 1 and name not in found:
            few = ", ".join(found[:3])
            raise UsageError(f"{name!r} may mean {len(found)} runs, such as {few}", remedy="Give more of the id.")
        return self.run_named(name if name in found else found[0])

    def _latest(self, names: Sequence[str]) -> list[str]:
        """Our newest run that was more than a wrong option or an empty list of tests; else our newest one, if any."""
        newest = ""
        for run in (run for run in map(self.run_named, names) if not run.is_foreign):
            if run.row().status != Status.USAGE:
                return [run.id]
            newest = newest or run.id
        return [newest] if newest else []

    def under_way(self, *but: str) -> tuple[str, ...]:
        """The runs that processes are at work on, of the newest ones and without those ``but``.

        All that this process holds itself have to be among them: a look at such a lock would let it go.
        """
        newest = (self.run_named(name) for name in self.run_ids()[:MOST_UNDER_WAY] if name not in but)
        return tuple(run.id for run in newest if is_under_way(run.path))

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
        self.index.update((run.entry(),))

    def run_named(self, name: str) -> StoredRun:
        """The run of that id, whether it is there or not."""
        return StoredRun(name, self.directory / "runs" / name, self.seals)

    def stored_runs(self) -> list[StoredRun]:
        """All runs that have a folder here, newest first."""
        return [self.run_named(name) for name in self.run_ids()]

    def run_ids(self) -> list[str]:
        """Their ids, newest first."""
        try:
            with os.scandir(self.directory / "runs") as found:
                names = [
                    each.name for each in found if RUN_ID.fullmatch(each.name) and each.is_dir(follow_symlinks=False)
                ]
        except FileNotFoundError:
            return []
        return sorted(names, reverse=True)


def open_store(root: str | Path, state_dir: str = "") -> RunStore:
    """The store of a project, in the user's state directory or in the one named (see ``state_folder``)."""
    folder = state_folder(Path(root), state_dir)
    key, is_kept = user_key()
    return RunStore(folder, key, Path(root), is_kept=is_kept)


def _applied_at(run: StoredRun) -> int:
    """When it was applied, in nanoseconds; 0 where another process has just taken it out."""
    try:
        return (run.path / "applied.json").stat().st_mtime_ns
    except OSError:
        return 0
