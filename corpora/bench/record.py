"""One line of a bench: what one configuration made of one bug, with one seed.

Records are only ever appended. Everything that a report says comes from them: the engine's whole result is inside, and
scores are records of their own, made afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from corpora.json_lines import JsonRecord
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
