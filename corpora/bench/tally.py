"""What a run came to, in numbers for each configuration: for the live table and the last one, not for a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from corpora.bench.plan import Listed
from corpora.bench.record import BenchRecord, settled_records
from corpora.bench.score import ANSWERS
from repair.records.result import Status


@dataclass(frozen=True, slots=True)
class Count:
    """One configuration: ``fixed`` have a patch that passes all tests, ``certified`` are those that every gate accepts.

    ``infrastructure`` are cells that the machine has failed: they say nothing of the method.
    """

    configuration: str
    cells: int
    done: int = 0
    fixed: int = 0
    certified: int = 0
    infrastructure: int = 0
    engine_seconds: float = 0.0
    cpu_seconds: float = 0.0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """The end of a run."""

    schema: Literal["repair.bench.run/1"] = field(default="repair.bench.run/1", kw_only=True)
    directory: str
    counts: tuple[Count, ...] = field(metadata={"json": "configurations"})
    set_aside: tuple[Listed, ...] = ()
    messages: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every cell was measured."""
        return all(line.done == line.cells for line in self.counts)


def counts_of(cells: Sequence[tuple[str, int]], records: Sequence[BenchRecord]) -> tuple[Count, ...]:
    """A line for each configuration with its number of cells."""
    settled = settled_records(records)
    return tuple(_count(name, number, [r for r in settled if r.cell.configuration == name]) for name, number in cells)


def _count(name: str, cells: int, records: Sequence[BenchRecord]) -> Count:
    results = [record.result for record in records if record.ending == "done" and record.result is not None]
    return Count(
        configuration=name,
        cells=cells,
        done=sum(record.ending == "done" for record in records),
        fixed=sum(result.status in ANSWERS for result in results),
        certified=sum(result.status is Status.CERTIFIED for result in results),
        infrastructure=sum(record.ending == "infrastructure" for record in records),
        engine_seconds=round(sum(record.engine_seconds for record in records), 1),
        cpu_seconds=round(sum(record.cpu_seconds for record in records), 1),
        usd=round(sum(result.cost.usd for result in results), 4),
    )
