"""The records of a bench on disk: lines that are only ever appended, by one writer, each durable before the next.

A line that a crash tore off is passed over by readers, as is any other that cannot be read; either is said.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from analysis.errors import TargetError, UsageError
from corpora.bench.record import SCHEMA, BenchRecord
from corpora.json_lines import JsonLines, lines_of

RECORDS = "records"


class Ledger:
    """The file that one run (or one shard of it) appends to. Nobody else writes to it meanwhile."""

    def __init__(self, directory: Path, suffix: str = "") -> None:
        self.path = directory / f"{RECORDS}{suffix}.jsonl"
        self.repaired = ""
        self.is_begun = False

    def __enter__(self) -> Ledger:
        try:
            self._lines = JsonLines(self.path, wait=False)
        except BlockingIOError as problem:
            raise UsageError(
                "Another run writes to this directory",
                where=str(self.path),
                remedy="Wait for its end, or name another --out.",
            ) from problem
        except OSError as problem:
            raise TargetError(
                f"The records cannot be opened: {problem.strerror}", where=str(self.path), remedy="Name another --out."
            ) from problem
        if self._lines.torn:
            self.repaired = f"{self.path.name}: the last line was broken off and is cut away; its cell is run again"
        self.is_begun = not self._lines.is_empty
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lines.close()

    def append(self, record: BenchRecord) -> None:
        """Write one record so that it survives any crash; where there is no room, nothing of it stays."""
        try:
            self._lines.append(record.to_json())
        except OSError as problem:
            raise TargetError(
                f"A record cannot be written: {problem.strerror}",
                where=str(self.path),
                remedy="What was measured before is kept. Make room, then go on with --resume.",
            ) from problem


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


def settled_records(records: Sequence[BenchRecord]) -> tuple[BenchRecord, ...]:
    """What counts of each cell: its measurement, else the last time that the machine failed it."""
    found: dict[object, BenchRecord] = {}
    for record in records:
        if found.get(record.cell) is None or found[record.cell].ending != "done":
            found[record.cell] = record
    return tuple(found.values())
