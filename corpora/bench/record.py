"""One line of a bench: what one configuration made of one bug, with one seed.

Records are only ever appended. Everything that a report says comes from them: the engine's whole result is inside, and
scores are records of their own, made afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from repair.records.json_records import from_plain, to_plain
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
class BenchRecord:
    """One cell's outcome. ``result`` is what the engine or the judge said; ``None`` where it never got so far.

    ``ending`` is ``infrastructure`` where the machine failed and not the method: such a cell is counted apart and run
    again. ``engine_seconds`` is the engine's own wall time, ``seconds`` the cell's with all that the bench adds.
    ``plausible_seconds`` is when the first candidate of our own engine had passed its tests (0 for none).
    ``cpu_seconds`` counts all processes, ``peak_mb`` is the memory of the largest. ``started`` is ISO time in UTC.
    ``submitted`` is the whole patch of an external method as a unified diff, which the result shows function by
    function.
    """

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
    schema: Literal["repair.bench.record/1"] = SCHEMA

    def to_json(self) -> dict[str, Any]:
        """The record as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> BenchRecord:
        """The record that the JSON values describe; raises ``ValueError`` for wrong ones."""
        record: BenchRecord = from_plain(cls, values, "record")
        return record
