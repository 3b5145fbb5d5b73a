"""The record of runs: ``runs/<id>/`` with events as they happen, candidates, result and certificate, and an index.

The directories are the truth and the index is a cache over them, so anything may be deleted at any time. Events are
appended one line at a time; a crash can tear only the last one, which readers pass over.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from analysis.errors import TargetError, UsageError
from analysis.facts import Files
from repair.atomic import replace_file, sha256
from repair.events import Event
from repair.result import Result, Status
from repair.run_index import DAMAGED, UNFINISHED, RunIndex, RunRow


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One run as found on disk."""

    id: str
    path: Path

    def result(self) -> Result | None:
        """The run's result, ``None`` where it did not get so far."""
        values = _read_json(self.path / "result.json")
        try:
            return None if values is None else Result.from_json(values)
        except ValueError as problem:
            raise _damaged(self.path / "result.json", problem) from problem

    def certificate(self) -> Any:
        """The certificate as JSON values, ``None`` where there is none."""
        return _read_json(self.path / "certificate.json")

    def events(self) -> tuple[dict[str, Any], ...]:
        """What happened, in order; a torn last line is left out."""
        try:
            lines = (self.path / "events.jsonl").read_bytes().split(b"\n")
        except FileNotFoundError:
            return ()
        return tuple(_events(lines, self.path / "events.jsonl"))

    def content(self, digest: str) -> bytes:
        """The bytes with this SHA-256, as the run stored them."""
        path = self.path / "files" / digest
        try:
            content = path.read_bytes()
        except FileNotFoundError as problem:
            raise UsageError(
                f"Run {self.id} no longer holds the patched file", where=str(path), remedy="Run `repair fix` again."
            ) from problem
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
        """Write one JSON file of the run, whole or not at all."""
        replace_file(self.path / name, json.dumps(values, indent=1).encode() + b"\n")

    def row(self) -> RunRow:
        """The run as one row of a list."""
        day, time = self.id[:8], self.id[9:15]
        started = f"{day[:4]}-{day[4:6]}-{day[6:]} {time[:2]}:{time[2:4]}:{time[4:]}"
        applied = int((self.path / "applied.json").exists())
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
        self._descriptor = os.open(run.path / "events.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    @property
    def id(self) -> str:
        """The run's id."""
        return self.run.id

    def append(self, event: Event) -> None:
        """Write one event, with the seconds since the start as ``at``, so that it survives a crash of ours."""
        values = {"at": round(self._clock() - self._start, 3), **event.to_json()}
        rest = memoryview(json.dumps(values).encode() + b"\n")
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

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
    """All runs of one state directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.index = RunIndex(directory / "index.sqlite")

    def new_run(self, now: datetime.datetime, suffix: str, clock: Callable[[], float]) -> RunRecord:
        """Start a run; ids sort by time, the suffix tells apart and sorts those of one second."""
        run = self._run(f"{now:%Y%m%d-%H%M%S}-{suffix}")
        run.path.mkdir(parents=True)
        _put(self.index, (run.row(),), ())
        return RunRecord(run, self.index, clock)

    def list_runs(self) -> tuple[RunRow, ...]:
        """All runs that are on disk, newest first."""
        runs = self._runs()
        known = {row.id: row for row in _rows(self.index)}
        stale = [run for run in runs if run.id not in known or known[run.id].status == UNFINISHED]
        fresh = tuple(run.row() for run in stale)
        _put(self.index, fresh, sorted(set(known) - {run.id for run in runs}))
        known.update({row.id: row for row in fresh})
        return tuple(known[run.id] for run in runs)

    def load_run(self, name: str = "latest") -> StoredRun:
        """The run of that id, of that unique start of an id, or the latest one; a misspelt command is none."""
        runs = self._runs()
        found = _latest(runs) if name == "latest" else [run for run in runs if name and run.id.startswith(name)]
        if not found:
            known = "there are no runs yet" if not runs else f"the latest is {runs[0].id}"
            raise UsageError(f"No run {name!r}: {known}", where=str(self.directory), remedy="`repair runs` lists them.")
        if len(found) > 1 and not any(run.id == name for run in found):
            few = ", ".join(run.id for run in found[:3])
            raise UsageError(f"{name!r} may mean {len(found)} runs, such as {few}", remedy="Give more of the id.")
        return next((run for run in found if run.id == name), found[0])

    def latest_applied(self) -> StoredRun:
        """The run whose patch was applied last and is not undone."""
        applied = [run for run in self._runs() if (run.path / "applied.json").exists()]
        if not applied:
            raise UsageError(
                "No applied patch to undo", where=str(self.directory), remedy="`repair runs` lists the runs."
            )
        return max(applied, key=lambda run: (run.path / "applied.json").stat().st_mtime_ns)

    def latest_fix(self) -> StoredRun:
        """The newest run that has a patch of its own making; a change that was only judged is none."""
        found = next((run for run in self._runs() if _has_patch(run)), None)
        if found is None:
            raise UsageError("No run has a patch", where=str(self.directory), remedy="`repair runs` lists the runs.")
        return found

    def touch(self, run: StoredRun) -> None:
        """List the run as it is now."""
        _put(self.index, (run.row(),), ())

    def _run(self, name: str) -> StoredRun:
        return StoredRun(name, self.directory / "runs" / name)

    def _runs(self) -> list[StoredRun]:
        try:
            names = os.listdir(self.directory / "runs")
        except FileNotFoundError:
            return []
        return [self._run(name) for name in sorted(names, reverse=True) if _RUN_ID.fullmatch(name)]


_RUN_ID = re.compile(r"\d{8}-\d{6}-[0-9a-z]+")


def open_store(root: str | Path, state_dir: str = "") -> RunStore:
    """The store of a project: ``.repair`` in it, or the user's state directory where the project cannot be written.

    A ``state_dir`` that was asked for and cannot be written is a ``UsageError``.
    """
    if state_dir:
        asked = Path(root, state_dir)
        try:
            return RunStore(_prepared(asked))
        except OSError as problem:
            raise UsageError(
                f"The state directory cannot be written: {problem.strerror}", where=str(asked), remedy="Name another."
            ) from problem
    try:
        return RunStore(_prepared(Path(root) / ".repair"))
    except OSError:
        return _elsewhere(Path(root))


def _elsewhere(root: Path) -> RunStore:
    name = f"{root.name}-{sha256(os.fsencode(root))[:8]}"
    directory = platformdirs.user_state_path("repair") / name
    try:
        return RunStore(_prepared(directory))
    except OSError as problem:
        raise TargetError(
            f"Neither the project nor {directory} can be written: {problem.strerror}",
            where=str(root),
            remedy="Name a directory with --state-dir.",
        ) from problem


def _prepared(directory: Path) -> Path:
    """The directory, made and proven writable. Links are refused: a project could point them anywhere."""
    directory.mkdir(parents=True, exist_ok=True)
    for path in (directory, directory / "runs", directory / "index.sqlite"):
        if path.is_symlink():
            raise OSError(0, "is a symbolic link", str(path))
    (directory / "runs").mkdir(exist_ok=True)
    ignore = directory / ".gitignore"
    if not ignore.exists():
        replace_file(ignore, b"*\n")
    if not os.access(directory / "runs", os.W_OK | os.X_OK):
        raise PermissionError(13, "Permission denied", str(directory / "runs"))
    return directory


def _has_patch(run: StoredRun) -> bool:
    try:
        result = run.result()
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
    except sqlite3.OperationalError:
        return  # busy or full: the next list puts right what is missing here


def _rows(index: RunIndex) -> tuple[RunRow, ...]:
    try:
        return index.rows()
    except sqlite3.OperationalError:
        return ()


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError as problem:
        raise _damaged(path, problem) from problem


def _events(lines: list[bytes], path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            values = json.loads(line) if line else None
        except ValueError as problem:
            if number == len(lines):
                return
            raise _damaged(path, f"line {number}: {problem}") from problem
        if isinstance(values, dict):
            yield values


def _damaged(path: Path, problem: object) -> UsageError:
    return UsageError(f"The record is damaged: {problem}", where=str(path), remedy="Delete the run's directory.")
