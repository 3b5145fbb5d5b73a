"""Cells as they were measured: of five real cases, or of any bench's records; and how long such a bench took."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from analysis.errors import UsageError
from corpora.bench.ledger import read_records, settled
from corpora.bench.record import BenchRecord, Cell
from corpora.lab.benchmarks.cluster import Measured, Outcome, Site, drawn, simulate

REAL_CASES = (
    Measured(16.4, 2311, 5_477),
    Measured(32.1, 6202, 7_708),
    Measured(30.3, 4651, 8_221),
    Measured(95.6, 447, 4_918),
    Measured(21.1, 6504, 4_259),
)
"""Search alone on five real cases, at most 110 s: docs/benchmarks.md, "Mending", 2026-11-22, revision 2e5bdfe, loads
of 1 to 6. Bytes: the records of a bench of the same cases, 60 s and one core each, load about 20, same day.
"""

LATE = Measured(180.0, 0, 1_000)
"""A cell of 110 s that is ended from outside: half as much again, and 15 s. Its record says little, 22 such had
991 to 1,014 bytes on the same day; what it had run is not known, so that it counts as nothing.
"""

ONE_MACHINE = Site(hand_out=0.0002, schedule=0.0, latency=0.0, ahead=1)
"""Processes of one machine: no scheduler, no network, and nothing handed out ahead."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Seconds of wall time from the first cell's start to the last record: as it was, replayed, and foretold.

    ``replayed`` knows how long each cell took. ``rest`` is the time of the second half, ``foretold`` its median and the
    middle nine tenths over many draws from the first half's cells alone.
    """

    cells: int
    actual: float
    replayed: float
    rest: float
    foretold: tuple[float, float, float]


def cells_of(directory: Path) -> tuple[Measured, ...]:
    """The cells of a bench, in the order in which they were begun. Raises ``UsageError`` where there is none."""
    return tuple(_measured(record) for _, record in _in_order(directory))


def compared(directory: Path, jobs: int, draws: int = 200) -> Compared:
    """A finished bench of one machine, which ran in one go with so many jobs, held against its simulation."""
    begun = _in_order(directory)
    cells = [_measured(record) for _, record in begun]
    half = len(cells) // 2
    if not half:
        raise UsageError("One cell is too few to compare", where=str(directory), remedy="Name a larger bench.")
    ends = max(_begin(record) + record.seconds for _, record in begun)
    foretold = sorted(_on_one(drawn(cells[:half], len(cells) - half, seed), jobs).wall for seed in range(draws))
    return Compared(
        len(cells),
        ends - begun[0][0],
        _on_one(cells, jobs).wall,
        ends - begun[half][0],
        (foretold[draws // 2], foretold[draws // 20], foretold[-1 - draws // 20]),
    )


def _on_one(cells: Sequence[Measured], jobs: int) -> Outcome:
    return simulate(cells, ONE_MACHINE, jobs, seed=0)


def _in_order(directory: Path) -> list[tuple[float, BenchRecord]]:
    """What counts of each cell, with the time at which its first attempt was begun, and in that order."""
    records, _ = read_records(directory)
    if not records:
        raise UsageError(
            "No records are there", where=str(directory), remedy="Make some: repair bench run … --out DIR."
        )
    first: dict[Cell, float] = {}
    for record in records:
        first[record.cell] = min(first.get(record.cell, _begin(record)), _begin(record))
    return sorted(((first[record.cell], record) for record in settled(records)), key=lambda pair: pair[0])


def _begin(record: BenchRecord) -> float:
    return datetime.fromisoformat(record.started).timestamp()


def _measured(record: BenchRecord) -> Measured:
    result = record.result
    return Measured(
        record.seconds,
        result.counts.executed + result.counts.rivals if result else 0,
        len(json.dumps(record.to_json())) + 1,
        result.cost.input_tokens if result else 0,
        result.cost.output_tokens if result else 0,
        record.ending != "done",
    )
