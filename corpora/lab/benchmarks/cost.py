"""What work costs: wall time beside the CPU time of a process and of everything that it has started."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from corpora.bench.processes import accounts


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of the wall clock and of processors."""

    wall: float
    cpu: float

    def each(self, count: int) -> Cost:
        """The share of one of so many."""
        return Cost(self.wall / count, self.cpu / count)


@dataclass(slots=True)
class Meter:
    """Filled when the measured block ends."""

    cost: Cost = field(default_factory=lambda: Cost(0.0, 0.0))


@contextlib.contextmanager
def meter_cost(*roots: int) -> Iterator[Meter]:
    """Measure a block: wall time, and the CPU time of this process and of the trees of processes at the roots.

    Children that a root has reaped count; those that end unseen between two looks do not.
    """
    meter = Meter()
    cpu, own, wall = sum(map(tree_cpu, roots)), time.process_time(), time.monotonic()
    yield meter
    spent = time.monotonic() - wall
    meter.cost = Cost(spent, time.process_time() - own + sum(map(tree_cpu, roots)) - cpu)


def tree_cpu(root: int) -> float:
    """CPU seconds of a process, of its living descendants, and of all that these have reaped."""
    return sum(own + reaped for own, reaped in accounts(root).values())
