"""What a bench measured: one line for what one configuration made of one bug with one seed.

Lines are only ever appended, by one writer, each durable before the next. Everything that a report says comes from
them: the engine's whole result is inside, and scores are records of their own, made afterwards. A line that a crash
tore off is passed over by readers, as is any other that cannot be read; either is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from analysis.errors import UsageError
from corpora.json_lines import JsonLines, JsonRecord, records_of
from corpora.os_errors import explained
from repair.records.result import Result

SCHEMA: Literal["repair.bench.record/1"] = "repair.bench.record/1"

Ending = Literal["done", "infrastructure"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What is run once: a bug of a corpus under a configuration with one seed."""

    corpus: str
    bug: str
    configuration: str
    seed: int


@dataclass(frozen=True, slots=True)
class BenchRecord(JsonRecord):
    """One cell's outcome. ``result`` is what the engine or the judge said; ``None`` where it never got so far.

    ``ending`` is ``infrastructure`` where the machine failed and not the method: such a cell is counted apart and run
    again. ``engine_seconds`` is the engine's own wall time, ``seconds`` the cell's with all that the bench adds.
    ``plausible_seconds`` is when the first candidate of our own engine had passed its tests (0 for none).
    ``cpu_seconds`` counts all processes, ``peak_mb`` is the memory of the largest. ``started`` is ISO time in UTC.
    ``submitted`` is the whole patch of an external method as a unified diff, which the result shows function by
    function.
    """

    called = "record"
    schema: Literal["repair.bench.record/1"] = field(default=SCHEMA, kw_only=True)
    cell: Cell
    ending: Ending
    seconds: float
    started: str
    attempt: int = 1
    engine_seconds: float = 0.0
    plausible_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0
    result: Result | None = None
    submitted: str = ""
    error: str = ""


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
