"""One run on disk: the folder ``runs/<id>/`` with events, candidates, result and certificate, and its seals.

Events are one line each; a crash can tear only the last one, which is passed over here. What decides carries the
user's seal: a run without one is *foreign*. It can be shown and proved again, and has no verdict.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from analysis.errors import UsageError
from analysis.facts import Files
from repair.records.events import SCHEMA, Event
from repair.records.result import Result, Status
from repair.store.atomic import replace_file, sha256
from repair.store.error_reports import reports_of
from repair.store.run_index import DAMAGED, FOREIGN, UNFINISHED, IndexEntry, RunIndex, RunRow
from repair.store.run_lock import is_under_way, leave_lock, take_lock

UNDONE = "undone.json"
"""Stands in a run whose patch was taken out again."""

REVIEW = "review.json"
"""What a person says of the run's patch."""

CERTIFICATE = re.compile(r"certificate-([1-9][0-9]*)\.json")
"""The name of the certificate of one of several causes."""

TEXTS = "texts"
"""The folder of a run with the texts of functions that somebody made, by their SHA-256."""

MOST_TEXT_BYTES = 4 << 20
"""What the texts of one run may take; later ones are not kept, and their events say so."""

DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Seals:
    """Seals show that this user's engine wrote a record: keyed BLAKE2b digests over parts, each with its length."""

    key: bytes = field(repr=False)

    def seal(self, *parts: bytes) -> str:
        """The seal of these parts, as hexadecimal digits."""
        made = hashlib.blake2b(key=self.key, digest_size=32, person=b"repair records")
        for part in parts:
            made.update(b"%d:" % len(part) + part)
        return made.hexdigest()

    def holds(self, seal: str, *parts: bytes) -> bool:
        """Whether the seal was made with the same key over the same parts."""
        return hmac.compare_digest(seal.encode("utf-8", "replace"), self.seal(*parts).encode())


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
            raise _damage_error(self.path / "result.json", problem) from problem
        if found is None or not self.is_foreign:
            return found
        patches = tuple(replace(patch, status=Status.FOREIGN) for patch in found.patches)
        causes = tuple(replace(cause, status=Status.FOREIGN) for cause in found.causes)
        stacks = tuple(replace(stack, status=Status.FOREIGN) for stack in found.stacks)
        known = replace(found, patches=patches, causes=causes, stacks=stacks)
        return replace(known, run=self.id, status=Status.FOREIGN, next_action=f"repair replay {self.id}")

    def ended_result(self) -> Result:
        """The result of a run that has one; raises ``UsageError`` for one that was broken off, or is under way."""
        found = self.result()
        if found is not None:
            return found
        if is_under_way(self.path):
            raise UsageError(
                f"Run {self.id} is under way, and has no result yet",
                remedy=f"Wait for its end; `repair show {self.id} --events` says how far it is.",
            )
        raise UsageError(
            f"Run {self.id} ended before it had a result",
            remedy=f"`repair show {self.id} --events` says how far it came, `repair resume {self.id}` goes on.",
        )

    def certificate(self, cause: int = 0) -> Any:
        """The certificate as JSON values, ``None`` where there is none.

        A run of several causes has one for each that has a patch; without its number it is that of the first.
        """
        if not cause:
            first = min(self._certified_causes(), default=0)
            return self.read_json(_certificate_name(first))
        return self.read_json(_certificate_name(cause))

    def certificates(self) -> tuple[Any, ...]:
        """All of them, by the numbers of the causes."""
        found = (self.certificate(cause) for cause in sorted(self._certified_causes()) or [0])
        return tuple(each for each in found if each is not None)

    def certificate_digests(self) -> tuple[tuple[str, str], ...]:
        """The certificates' files, each with the SHA-256 of its bytes."""
        names = [_certificate_name(cause) for cause in sorted(self._certified_causes()) or [0]]
        return tuple((name, sha256(_read(self.path / name))) for name in names if (self.path / name).exists())

    def _certified_causes(self) -> list[int]:
        names = (CERTIFICATE.fullmatch(path.name) for path in self.path.glob("certificate-*.json"))
        return [int(name[1]) for name in names if name]

    def events(self) -> tuple[dict[str, Any], ...]:
        """What happened, in order; a torn last line is left out."""
        path = self.path / "events.jsonl"
        lines = _read(path).split(b"\n") if path.exists() else []
        found = []
        for number, line in enumerate(lines, 1):
            try:
                values = json.loads(line) if line else None
            except (ValueError, RecursionError) as problem:
                if number == len(lines):
                    break
                raise _damage_error(path, f"line {number}: {problem}") from problem
            if isinstance(values, dict) and ("type" in values or "schema" not in values):  # the first line has no type
                found.append(values)
        return tuple(found)

    def text(self, digest: str) -> str:
        """The text with this SHA-256 that somebody made in the run, or that stood there before."""
        path = self.path / TEXTS / digest
        if not (DIGEST.fullmatch(digest) and path.is_file()):
            raise UsageError(
                f"Run {self.id} no longer holds that text", where=str(path), remedy="Run `repair fix` again."
            )
        content = _read(path)
        if sha256(content) != digest:
            raise _damage_error(path, "the text is another one than its name says")
        return content.decode("utf-8", "replace")

    def content(self, digest: str) -> bytes:
        """The bytes with this SHA-256, as the run stored them."""
        path = self.path / "files" / digest
        if not (DIGEST.fullmatch(digest) and path.is_file()):
            raise UsageError(
                f"Run {self.id} no longer holds the patched file", where=str(path), remedy="Run `repair fix` again."
            )
        content = _read(path)
        if sha256(content) != digest:
            raise _damage_error(path, "the content is not what its name says")
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
        """Write one JSON file, whole or not at all, after its seal, which holds for this file of this run.

        The seal of what stands there stays beside the new one, so that a crash between the two damages nothing.
        """
        content = json.dumps(values, indent=1).encode() + b"\n"
        (self.path / "seals").mkdir(exist_ok=True)
        seals = dict.fromkeys([self._seal(name, content), *self._holding_seals(name)])
        replace_file(self.path / "seals" / name, "\n".join(seals).encode())
        replace_file(self.path / name, content)

    def read_json(self, name: str) -> Any:
        """One JSON file of the run, ``None`` where there is none; ``UsageError`` where it cannot be what we wrote."""
        path = self.path / name
        if not path.exists():
            return None
        if not self.is_foreign and not self._is_sealed(name):
            raise _damage_error(path, "it was changed after it was written")
        try:
            return json.loads(_read(path))
        except (ValueError, RecursionError) as problem:
            raise _damage_error(path, problem) from problem

    def _seal(self, name: str, content: bytes) -> str:
        return self.seals.seal(self.id.encode(), name.encode(), content)

    def _is_sealed(self, name: str) -> bool:
        return bool(self._holding_seals(name))

    def _holding_seals(self, name: str) -> list[str]:
        """Those of the file's seals that hold for what stands in it: one, or none."""
        try:
            seals, content = _read(self.path / "seals" / name), _read(self.path / name)
        except UsageError:
            return []
        parts = (self.id.encode(), name.encode(), content)
        return [seal for seal in seals.decode("ascii", "replace").split("\n", 2)[:2] if self.seals.holds(seal, *parts)]

    def entry(self) -> IndexEntry:
        """The run as the index has it."""
        stamp = self.stamp()  # before anything is read: what changes meanwhile makes the entry out of date
        row, result = self._described()
        reports = reports_of(self.id, result) if result is not None else ()
        return IndexEntry(row, stamp, size_of(self.path), reports)

    def stamp(self) -> int:
        """When its folder changed last, in nanoseconds; 0 where it is gone."""
        try:
            return self.path.stat().st_mtime_ns
        except OSError:
            return 0

    def row(self) -> RunRow:
        """The run as one row of a list."""
        return self._described()[0]

    def _described(self) -> tuple[RunRow, Result | None]:
        """Its row, and the result that the row was made of; none of a foreign run, which has no word."""
        bare = RunRow(self.id, self.started, UNFINISHED, "", "", 0.0, int(self.is_applied))
        if self.is_foreign:
            return replace(bare, status=FOREIGN, applied=0), None
        try:
            result = self.result()
        except UsageError:
            return replace(bare, status=DAMAGED), None
        if result is None:
            return bare, None
        patched, suspected = [each.function for each in result.patches], [each.function for each in result.suspects]
        failed = [each.function for each in result.failures]
        function = next(filter(None, (*patched, *suspected, *failed)), "")
        test = next((failure.test for failure in result.failures), "")
        seconds = result.seconds.total
        return replace(bare, status=str(result.status), function=function, test=test, seconds=seconds), result

    @property
    def started(self) -> str:
        """When it began, as its id says: ``2025-01-02 12:00:00`` in UTC."""
        day, time = self.id[:8], self.id[9:15]
        return f"{day[:4]}-{day[4:6]}-{day[6:]} {time[:2]}:{time[2:4]}:{time[4:]}"


def size_of(folder: Path) -> int:
    """What all files of the folder take, in bytes."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # it is gone meanwhile
                size += os.lstat(os.path.join(place, name)).st_size
    return size


class RunRecord:
    """One run while it is written; close it when the run ends."""

    def __init__(self, run: StoredRun, index: RunIndex, clock: Callable[[], float]) -> None:
        self.run = run
        self._index = index
        self._clock = clock
        self._start = clock()
        self._refused = False
        self._lock = take_lock(run.path)
        self._texts: set[str] = set()
        self._left = MOST_TEXT_BYTES
        self._descriptor = os.open(run.path / "events.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._write({"schema": SCHEMA})

    @property
    def id(self) -> str:
        """The run's id."""
        return self.run.id

    def append(self, event: Event) -> None:
        """Write one event, with the seconds since the start as ``at``, so that it survives a crash of ours.

        The text of an event is kept once, by its SHA-256. Where the disk refuses an event it is lost, and not the run.
        """
        values = {"at": round(self._clock() - self._start, 3), **event.to_json()}
        text = values.pop("text", None)
        self._write(values if text is None else {**values, **self._keep_text(str(text))})

    def _write(self, values: Mapping[str, Any]) -> None:
        rest = memoryview(json.dumps(values).encode() + b"\n")
        try:
            while rest and not self._refused:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            self._refused = True  # a line behind a torn one could not be read

    def _keep_text(self, text: str) -> dict[str, str]:
        """What an event says of its text: the SHA-256 by which it is kept, or why it is not.

        It is not synchronised with the disk: a text that a crash tore has another digest, and is not shown.
        """
        content = text.encode("utf-8", "replace")
        digest = sha256(content)
        if digest not in self._texts:
            if len(content) > self._left:
                return {"unkept": f"the run holds no more than {MOST_TEXT_BYTES >> 20} MB of texts"}
            try:
                (self.run.path / TEXTS).mkdir(exist_ok=True)
                (self.run.path / TEXTS / digest).write_bytes(content)
            except OSError as problem:
                return {"unkept": f"it could not be written: {problem.strerror}"}
            self._texts.add(digest)
            self._left -= len(content)
        return {"sha256": digest}

    def save_candidate(self, digest: str, diff: str, files: Files = ()) -> None:
        """Keep a candidate's diff, and its whole files where it may be applied later."""
        folder = self.run.path / "candidates"
        folder.mkdir(exist_ok=True)
        (folder / f"{digest}.diff").write_bytes(diff.encode("utf-8", "surrogateescape"))
        for _, content in files:
            self.run.save_content(content)

    def save_certificate(self, values: Mapping[str, Any], cause: int = 0) -> None:
        """Write the certificate, of one of several causes with its number."""
        self.run.save_json(_certificate_name(cause), values)

    def save_result(self, result: Result) -> None:
        """Write the result and list the run under its status."""
        self.run.save_json("result.json", result.to_json())
        self._index.update((self.run.entry(),))

    def close(self) -> None:
        """End the record; a run that has no result by then was broken off."""
        os.close(self._descriptor)
        leave_lock(self.run.path, self._lock)
        if not (self.run.path / "result.json").exists():
            with contextlib.suppress(OSError):  # a full disk: then it reads as unfinished, which is true
                self.save_result(Result(Status.INTERRUPTED, self.id, messages=("The run was broken off.",)))


def _certificate_name(cause: int) -> str:
    return f"certificate-{cause}.json" if cause else "certificate.json"


def _read(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise _damage_error(path, "it is no plain file")
    try:
        return path.read_bytes()
    except OSError as problem:
        raise _damage_error(path, problem.strerror) from problem


def _damage_error(path: Path, problem: object) -> UsageError:
    return UsageError(f"The record is damaged: {problem}", where=str(path), remedy="Delete the run's directory.")
