"""The records of a bench on disk: lines that are only ever appended, by one writer, each durable before the next.

A crash can tear the last line alone. It is cut off when the file is next written to, and passed over by readers, as is
any other line that cannot be read; either is said.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from analysis.errors import TargetError, UsageError
from corpora.bench.record import SCHEMA, BenchRecord

RECORDS = "records"


class Ledger:
    """The file that one run (or one shard of it) appends to. Nobody else writes to it meanwhile."""

    def __init__(self, directory: Path, suffix: str = "") -> None:
        self.path = directory / f"{RECORDS}{suffix}.jsonl"
        self._lock = FileLock(directory / f".{self.path.name}.lock")
        self.repaired = ""
        self.is_begun = False

    def __enter__(self) -> Ledger:
        try:
            self._lock.acquire(timeout=0)
        except Timeout as problem:
            raise UsageError(
                "Another run writes to this directory",
                where=str(self.path),
                remedy="Wait for its end, or name another --out.",
            ) from problem
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self.repaired = self._without_torn_line()
        self.is_begun = os.fstat(self._descriptor).st_size > 0
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)
        self._lock.release()

    def append(self, record: BenchRecord) -> None:
        """Write one record so that it survives any crash; where there is no room, nothing of it stays."""
        line = json.dumps(record.to_json()).encode() + b"\n"
        end = os.lseek(self._descriptor, 0, os.SEEK_END)
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError as problem:
            os.ftruncate(self._descriptor, end)
            raise TargetError(
                f"A record cannot be written: {problem.strerror}",
                where=str(self.path),
                remedy="What was measured before is kept. Make room, then go on with --resume.",
            ) from problem

    def _without_torn_line(self) -> str:
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole == len(content):
            return ""
        os.ftruncate(self._descriptor, whole)
        return f"{self.path.name}: the last line was broken off and is cut away; its cell is run again"


def read_records(directory: Path) -> tuple[tuple[BenchRecord, ...], tuple[str, ...]]:
    """All records of all files, in their order, and a sentence on each line that is none. Others' lines are let be."""
    records: list[BenchRecord] = []
    said: list[str] = []
    for path in sorted(directory.glob("*.jsonl")):
        for number, line in enumerate(lines_of(path), 1):
            try:
                values = json.loads(line)
                if isinstance(values, dict) and values.get("schema") == SCHEMA:
                    records.append(BenchRecord.from_json(values))
            except ValueError as problem:
                said.append(f"{path.name}, line {number} is no record and is passed over: {problem}")
    return tuple(records), tuple(said)


def settled(records: Sequence[BenchRecord]) -> tuple[BenchRecord, ...]:
    """What counts of each cell: its measurement, else the last time that the machine failed it."""
    found: dict[object, BenchRecord] = {}
    for record in records:
        if found.get(record.cell) is None or found[record.cell].ending != "done":
            found[record.cell] = record
    return tuple(found.values())


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file that hold anything."""
    with path.open("rb") as file:
        yield from (line for line in file if line.strip())
