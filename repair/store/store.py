"""The record of runs: ``runs/<id>/`` with events as they happen, candidates, result and certificate, and an index.

The directories are the truth and the index is a cache over them, so anything may be deleted at any time. Events are
appended one line at a time; a crash can tear only the last one, which readers pass over. What decides carries the
user's seal: a run without one is *foreign*. It can be shown and proved again, and is never the latest.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from analysis.errors import UsageError
from analysis.facts import Files
from repair.records.events import Event
from repair.records.result import Result, Status
from repair.store.atomic import replace_file, sha256
from repair.store.run_index import DAMAGED, FOREIGN, UNFINISHED, RunIndex, RunRow
from repair.store.seals import Seals
from repair.store.state import leave_pointer, state_folder, sweep, user_key

MOST_RUNS = 200
MOST_BYTES = 200 << 20
"""What one project's runs may take; the oldest go first."""

UNDER_WAY_SECONDS = 86_400.0
"""A younger run without a result may still be under way."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One run as found on disk."""

    id: str
    path: Path
    seals: Seals = field(compare=False)

    @property
    def is_foreign(self) -> bool:
        """Whether it was not recorded by this user's engine."""
        return not self._is_sealed("run.json")

    @property
    def is_applied(self) -> bool:
        """Whether its patch is in the project, as far as we know."""
        return (self.path / "applied.json").exists()

    def result(self) -> Result | None:
        """The run's result, ``None`` where it did not get so far. That of a foreign run says so, and has no verdict."""
        values = self.read_json("result.json")
        try:
            found = None if values is None else Result.from_json(values)
        except ValueError as problem:
            raise _damaged(self.path / "result.json", problem) from problem
        return _as_foreign(found, self.id) if found is not None and self.is_foreign else found

    def certificate(self) -> Any:
        """The certificate as JSON values, ``None`` where there is none."""
        return self.read_json("certificate.json")

    def events(self) -> tuple[dict[str, Any], ...]:
        """What happened, in order; a torn last line is left out."""
        path = self.path / "events.jsonl"
        return tuple(_events(_read(path).split(b"\n"), path)) if path.exists() else ()

    def content(self, digest: str) -> bytes:
        """The bytes with this SHA-256, as the run stored them."""
        path = self.path / "files" / digest
        if not (DIGEST.fullmatch(digest) and path.is_file()):
            raise UsageError(
                f"Run {self.id} no longer holds the patched file", where=str(path), remedy="Run `repair fix` again."
            )
        content = _read(path)
        if sha256(content) != digest:
            raise _damaged(path, "the content is not what its name says")
        return content

    def save_content(self, content: bytes) -> str:
        """Store the bytes durably under their SHA-256, which is returned."""
        digest = sha256(content)
        path = self.path / "files" / digest
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            replace_file(path, content)
        return digest

    def save_json(self, name: str, values: Any) -> None:
        """Write one JSON file of the run, whole or not at all, after its seal."""
        content = json.dumps(values, indent=1).encode() + b"\n"
        (self.path / "seals").mkdir(exist_ok=True)
        replace_file(self.path / "seals" / name, self.seals.seal(*self._sealed_parts(name, content)).encode())
        replace_file(self.path / name, content)

    def read_json(self, name: str) -> Any:
        """One JSON file of the run, ``None`` where there is none; ``UsageError`` where it cannot be what we wrote."""
        path = self.path / name
        if not path.exists():
            return None
        if not self.is_foreign and not self._is_sealed(name):
            raise _damaged(path, "it was changed after it was written")
        return _parsed(path, _read(path))

    def _is_sealed(self, name: str) -> bool:
        try:
            seal, content = _read(self.path / "seals" / name), _read(self.path / name)
        except UsageError:
            return False
        return self.seals.holds(seal.decode("ascii", "replace"), *self._sealed_parts(name, content))

    def _sealed_parts(self, name: str, content: bytes) -> tuple[bytes, ...]:
        """A seal holds for one file of one run."""
        return self.id.encode(), name.encode(), content

    def row(self) -> RunRow:
        """The run as one row of a list."""
        day, time = self.id[:8], self.id[9:15]
        started = f"{day[:4]}-{day[4:6]}-{day[6:]} {time[:2]}:{time[2:4]}:{time[4:]}"
        applied = int(self.is_applied)
        if self.is_foreign:
            return RunRow(self.id, started, FOREIGN, "", "", 0.0, 0)
        try:
            result = self.result()
        except UsageError:
            return RunRow(self.id, started, DAMAGED, "", "", 0.0, applied)
        if result is None:
            return RunRow(self.id, started, UNFINISHED, "", "", 0.0, applied)
        functions = [*(patch.function for patch in result.patches), *(fault.function for fault in result.failures)]
        function = next(filter(None, functions), "")
        test = next((failure.test for failure in result.failures), "")
        return RunRow(self.id, started, str(result.status), function, test, result.seconds.total, applied)


class RunRecord:
    """One run while it is written. Satisfies the ``Store`` protocol; close it when the run ends."""

    def __init__(self, run: StoredRun, index: RunIndex, clock: Callable[[], float]) -> None:
        self.run = run
        self._index = index
        self._clock = clock
        self._start = clock()
        self._refused = False
        self._descriptor = os.open(run.path / "events.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    @property
    def id(self) -> str:
        """The run's id."""
        return self.run.id

    def append(self, event: Event) -> None:
        """Write one event, with the seconds since the start as ``at``, so that it survives a crash of ours.

        Where the disk refuses it is lost, and not the run.
        """
        values = {"at": round(self._clock() - self._start, 3), **event.to_json()}
        rest = memoryview(json.dumps(values).encode() + b"\n")
        try:
            while rest and not self._refused:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            self._refused = True  # a line behind a torn one could not be read

    def save_candidate(self, digest: str, diff: str, files: Files = ()) -> None:
        """Keep a candidate's diff, and its whole files where it may be applied later."""
        folder = self.run.path / "candidates"
        folder.mkdir(exist_ok=True)
        (folder / f"{digest}.diff").write_bytes(diff.encode("utf-8", "surrogateescape"))
        for _, content in files:
            self.run.save_content(content)

    def save_certificate(self, values: Mapping[str, Any]) -> None:
        """Write the certificate."""
        self.run.save_json("certificate.json", values)

    def save_result(self, result: Result) -> None:
        """Write the result and list the run under its status."""
        self.run.save_json("result.json", result.to_json())
        _put(self._index, (self.run.row(),), ())

    def close(self) -> None:
        """End the record; a run that has no result by then was broken off."""
        os.close(self._descriptor)
        if not (self.run.path / "result.json").exists():
            with contextlib.suppress(OSError):
                self.save_result(Result(Status.INTERRUPTED, self.id, messages=("The run was broken off.",)))


class RunStore:
    """All runs of one project: those in ``directory``, sealed with the user's ``key``."""

    def __init__(self, directory: Path, key: bytes, root: Path, *, is_kept: bool = True) -> None:
        """``is_kept`` tells whether later commands have the same key."""
        self.directory = directory
        self.key = key
        self.root = root
        self.is_kept = is_kept
        self.index = RunIndex(directory / "index.sqlite")

    @property
    def seals(self) -> Seals:
        """What shows that a record is ours."""
        return Seals(self.key)

    def new_run(self, now: datetime.datetime, suffix: str, clock: Callable[[], float]) -> RunRecord:
        """Start a run; ids sort by time, the suffix tells apart and sorts those of one second.

        The project gets a pointer to its records. The oldest runs are deleted where there are too many.
        """
        leave_pointer(self.root, self.directory)
        run = self.made(self._run(f"{now:%Y%m%d-%H%M%S}-{suffix}"))
        _put(self.index, (run.row(),), ())
        self.prune()
        sweep()
        return RunRecord(run, self.index, clock)

    def prune(self, most_runs: int = MOST_RUNS, most_bytes: int = MOST_BYTES) -> None:
        """Delete the oldest runs of ours until the rest is few and small enough.

        The newest stays, what is applied, and what may still be under way.
        """
        left, size = 0, 0
        for number, run in enumerate(run for run in self._runs() if not run.is_foreign):
            more = _bytes_of(run.path)
            if number and (left >= most_runs or size + more > most_bytes) and not _is_in_use(run):
                _delete(run.path)
            else:
                left, size = left + 1, size + more

    def list_runs(self) -> tuple[RunRow, ...]:
        """All runs that are on disk, newest first."""
        runs = self._runs()
        known = {row.id: row for row in _rows(self.index)}
        fresh = tuple(run.row() for run in runs if _is_stale(known.get(run.id), run))
        _put(self.index, fresh, sorted(set(known) - {run.id for run in runs}))
        known.update({row.id: row for row in fresh})
        return tuple(known[run.id] for run in runs)

    def load_run(self, name: str = "latest") -> StoredRun:
        """The run of that id, of that unique start of an id, or the latest one; a misspelt command is none."""
        runs = self._runs()
        ours = [run for run in runs if not run.is_foreign] if name == "latest" else runs
        found = _latest(ours) if name == "latest" else [run for run in runs if name and run.id.startswith(name)]
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
        applied = [run for run in self._runs() if run.is_applied and not run.is_foreign]
        if not applied:
            raise UsageError(
                "No applied patch to undo", where=str(self.directory), remedy="`repair runs` lists the runs."
            )
        return max(applied, key=_applied_at)

    def latest_fix(self) -> StoredRun:
        """The newest run that has a patch of its own making; a change that was only judged is none."""
        found = next((run for run in self._runs() if _has_patch(run)), None)
        if found is None:
            raise UsageError("No run has a patch", where=str(self.directory), remedy="`repair runs` lists the runs.")
        return found

    def made(self, run: StoredRun) -> StoredRun:
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
        _put(self.index, (run.row(),), ())

    def _run(self, name: str) -> StoredRun:
        return StoredRun(name, self.directory / "runs" / name, self.seals)

    def _runs(self) -> list[StoredRun]:
        try:
            names = os.listdir(self.directory / "runs")
        except FileNotFoundError:
            return []
        runs = [self._run(name) for name in sorted(names, reverse=True) if RUN_ID.fullmatch(name)]
        return [run for run in runs if run.path.is_dir() and not run.path.is_symlink()]


DIGEST = re.compile(r"[0-9a-f]{64}")
RUN_ID = re.compile(r"\d{8}-\d{6}-[0-9a-z]+")


def open_store(root: str | Path, state_dir: str = "") -> RunStore:
    """The store of a project, in the user's state directory or in the one named (see ``state_folder``)."""
    project = Path(root)
    folder = state_folder(project, state_dir)
    key, is_kept = user_key()
    return RunStore(folder, key, project, is_kept=is_kept)


def _is_stale(row: RunRow | None, run: StoredRun) -> bool:
    """Whether the index is behind the folder, as after a process that was killed."""
    if row is None or row.status == UNFINISHED or (row.status == FOREIGN) != run.is_foreign:
        return True
    return row.applied != int(run.is_applied) and not run.is_foreign


def _as_foreign(result: Result, run: str) -> Result:
    """What a foreign record says, without its verdicts and its advice."""
    patches = tuple(replace(patch, status=Status.FOREIGN) for patch in result.patches)
    return replace(result, run=run, status=Status.FOREIGN, patches=patches, next_action=f"repair replay {run}")


def _applied_at(run: StoredRun) -> int:
    """When it was applied, in nanoseconds; 0 where another process has just taken it out."""
    try:
        return (run.path / "applied.json").stat().st_mtime_ns
    except OSError:
        return 0


def _is_in_use(run: StoredRun) -> bool:
    """Whether its patch can be undone, or the run may still be under way."""
    try:
        young = datetime.datetime.now().timestamp() - run.path.stat().st_mtime < UNDER_WAY_SECONDS
    except OSError:
        return True
    return run.is_applied or (young and not (run.path / "result.json").exists())


def _delete(folder: Path) -> None:
    """Delete a run; half deleted it is no run any more."""
    gone = folder.with_name(f".gone-{folder.name}")
    with contextlib.suppress(OSError):
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _bytes_of(folder: Path) -> int:
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size
    return size


def _has_patch(run: StoredRun) -> bool:
    try:
        result = None if run.is_foreign else run.result()
    except UsageError:
        return False
    patches = result.patches if result is not None else ()
    return any(patch.proposer != "foreign" and patch.status is not Status.REJECTED for patch in patches)


def _latest(runs: Sequence[StoredRun]) -> Sequence[StoredRun]:
    """The newest run that was more than a wrong option or an empty list of tests; else the newest."""
    meant = (run for run in runs if run.row().status != Status.USAGE)
    return [next(meant, runs[0])] if runs else []


def _put(index: RunIndex, rows: tuple[RunRow, ...], gone: list[str] | tuple[()]) -> None:
    try:
        index.update(rows, gone)
    except (sqlite3.Error, OSError):
        return  # busy, full or damaged: the next list puts right what is missing here


def _rows(index: RunIndex) -> tuple[RunRow, ...]:
    try:
        return index.rows()
    except (sqlite3.Error, OSError):
        return ()


def _read(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise _damaged(path, "it is no plain file")
    try:
        return path.read_bytes()
    except OSError as problem:
        raise _damaged(path, problem.strerror) from problem


def _parsed(path: Path, content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise _damaged(path, problem) from problem


def _events(lines: list[bytes], path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            values = json.loads(line) if line else None
        except (ValueError, RecursionError) as problem:
            if number == len(lines):
                return
            raise _damaged(path, f"line {number}: {problem}") from problem
        if isinstance(values, dict):
            yield values


def _damaged(path: Path, problem: object) -> UsageError:
    return UsageError(f"The record is damaged: {problem}", where=str(path), remedy="Delete the run's directory.")
