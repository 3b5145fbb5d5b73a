"""The records of a bench on disk: lines that are only ever appended, by one writer, each durable before the next.

A line that a crash tore off is passed over by readers, as is any other that cannot be read; either is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.errors import UsageError
from corpora.bench.record import SCHEMA, BenchRecord
from corpora.json_lines import JsonLines, records_of
from corpora.os_errors import explained

RECORDS = "records"


class Ledger:
    """The file that one run (or one shard of it) appends to. Nobody else writes to it meanwhile."""

    def __init__(self, directory: Path, suffix: str = "") -> None:
        self.path = directory / f"{RECORDS}{suffix}.jsonl"
        self.repaired = ""
        self.is_begun = False

    def __enter__(self) -> Ledger:
        with explained("The records cannot be opened", self.path, "Name another --out."):
            try:
                self._lines = JsonLines(self.path, wait=False)
            except BlockingIOError as problem:
                raise UsageError(
                    "Another run writes to this directory",
                    where=str(self.path),
                    remedy="Wait for its end, or name another --out.",
                ) from problem
        if self._lines.torn:
            self.repaired = f"{self.path.name}: the last line was broken off and is cut away; its cell is run again"
        self.is_begun = not self._lines.is_empty
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()

    def append(self, record: BenchRecord) -> None:
        """Write one record so that it survives any crash; where there is no room, nothing of it stays."""
        with explained(
            "A record cannot be written",
            self.path,
            "What was measured before is kept. Make room, then go on with --resume.",
        ):
            self._lines.append(record.to_json())


def read_records(directory: Path) -> tuple[tuple[BenchRecord, ...], tuple[str, ...]]:
    """All records of all files, in their order, and a sentence on each line that is none. Others' lines are let be."""
    paths = sorted(directory.glob("*.jsonl"))
    found = [line for path in paths for line in records_of(path, BenchRecord, SCHEMA)]
    records = tuple(line for line in found if isinstance(line, BenchRecord))
    return records, tuple(line for line in found if isinstance(line, str))


def settled_records(records: Sequence[BenchRecord]) -> tuple[BenchRecord, ...]:
    """What counts of each cell: its measurement, else the last time that the machine failed it."""
    found: dict[object, BenchRecord] = {}
    for record in records:
        if found.get(record.cell) is None or found[record.cell].ending != "done":
            found[record.cell] = record
    return tuple(found.values())
