"""A bench over a cluster as a discrete-event simulation: what a run would take, and what is full first.

It goes as ``corpora.bench.run`` goes: one loop hands out cells up to its room, waits for any of them, makes the records
of all that are there durable one after the other, and fills its room again. Between the loop and the workers is a
scheduler that does one thing at a time, and a network. A worker measures one cell at a time, and may be lost.

Chance enters by the seed alone, and each cell's fate by its own number, so that runs with more workers meet the same
cells. Nothing here is measured: durations and costs are given, and what comes out is as good as they are.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

from corpora.bench.run import MOST_ATTEMPTS

FORGIVEN_LOSSES = 3
"""How many workers may die under one cell before Dask gives it back (``distributed.scheduler.allowed-failures``)."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One cell as it was once measured. ``is_failed`` is one that the machine fails at each attempt."""

    seconds: float
    candidates: int
    record_bytes: int
    input_tokens: int = 0
    output_tokens: int = 0
    is_failed: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """What everything beside the cells takes, in seconds.

    The loop: ``append`` for a record that is durable, ``wait_each`` for each cell it waits for, ``hand_out`` for a cell
    (and ``hand_out_each`` for each worker besides: it asks how many there are). ``schedule`` is the scheduler's own
    time for a cell. ``ahead`` cells are handed out for each worker. ``lifetime`` is the mean time until a worker is
    lost, and ``restart`` that until there is another one; what it was doing is done again from the start.

    The figures are of 2026-11-22 at a load of 16 on two cores (docs/scale.md says how): medians of wall time for
    ``append``, CPU time for the rest. ``latency``, ``lifetime`` and ``restart`` are assumed.
    """

    append: float = 0.0064
    wait_each: float = 0.9e-6
    hand_out: float = 0.0015
    hand_out_each: float = 0.4e-6
    schedule: float = 0.0027
    latency: float = 0.001
    ahead: int = 2
    lifetime: float = math.inf
    restart: float = 60.0
    start: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulated run came to.

    ``useful`` and ``wasted`` are seconds of workers, ``writer`` and ``scheduler`` those in which these were busy.
    ``written`` counts records, which are more than ``cells`` where the machine failed some; ``given_up`` are cells that
    it failed at each attempt.
    """

    workers: int
    shards: int
    wall: float
    useful: float
    wasted: float
    writer: float
    scheduler: float
    cells: int
    written: int
    given_up: int
    lost_workers: int
    bytes: int

    @property
    def efficiency(self) -> float:
        """The share of the workers' time that went into cells which were recorded."""
        return self.useful / (self.workers * self.wall)

    @property
    def core_hours(self) -> float:
        """What is paid for: each worker from the first to the last moment, busy or not."""
        return self.workers * self.wall / 3600

    @property
    def full(self) -> str:
        """What bounds the run: ``writer``, ``scheduler`` or ``workers``, whoever is hardly ever idle.

        Else ``tail``: too few cells for so many workers, of which most wait for the last ones.
        """
        busy = {"writer": self.writer, "scheduler": self.scheduler}
        most = max(busy, key=lambda name: busy[name])
        if busy[most] >= 0.8 * self.shards * self.wall:
            return most
        return "workers" if self.efficiency >= 0.8 else "tail"


def drawn(table: Sequence[Measured], cells: int, seed: int) -> list[Measured]:
    """So many cells, each one of the measured ones by chance."""
    return random.Random(seed).choices(table, k=cells)


def simulate(cells: Sequence[Measured], site: Site, workers: int, seed: int, shards: int = 1) -> Outcome:
    """The run of these cells. Shards are dealt cells and workers one by one, and know nothing of each other."""
    assert 1 <= shards <= workers, "each shard has a worker"
    runs = [
        _Run(cells[part::shards], site, len(range(part, workers, shards)), seed + part).through()
        for part in range(shards)
    ]
    return Outcome(
        workers,
        shards,
        max(run.wall for run in runs),
        sum(run.useful for run in runs),
        sum(run.wasted for run in runs),
        sum(run.writer for run in runs),
        sum(run.scheduler for run in runs),
        sum(run.settled.count(1) for run in runs),
        sum(run.written for run in runs),
        sum(run.given_up for run in runs),
        sum(run.losses.total() for run in runs),
        sum(run.bytes for run in runs),
    )


def most_workers(site: Site, seconds: float) -> float:
    """How many workers one shard can feed with cells of so many seconds: by arithmetic, to hold the simulation against.

    A full loop finds several records at each look, so what it waits with is shared by them and left out here.
    """
    loop = site.append + site.hand_out
    # w workers are fed where w * (loop + each * w) = seconds: the root, in the form that allows each = 0
    by_loop = 2 * seconds / (loop + math.sqrt(loop * loop + 4 * site.hand_out_each * seconds))
    return min(by_loop, seconds / site.schedule) if site.schedule else by_loop


class _Run:
    """One shard: its events in the order of time, and the state that they change."""

    def __init__(self, cells: Sequence[Measured], site: Site, workers: int, seed: int) -> None:
        self._cells, self._site, self._seed = cells, site, seed
        self._events: list[tuple[float, int, int, int]] = []
        self._number = itertools.count()
        self._deeds = (self._ready, self._ended, self._lost, self._back, self._arrived, self._look)
        self._waiting, self._room, self._running = deque(range(len(cells))), site.ahead * workers, 0
        self._hand_out = site.hand_out + site.hand_out_each * workers
        self._queue, self._idle = deque[int](), workers
        self._scheduler_free = 0.0
        self._there: list[int] = []
        self._is_looking = True
        self._attempts, self._dropped = Counter[int](), set[int]()
        self.losses = Counter[int]()
        self.settled = bytearray(len(cells))
        self.wall = self.useful = self.wasted = self.writer = self.scheduler = 0.0
        self.written = self.given_up = self.bytes = 0

    def through(self) -> _Run:
        """This run at its end."""
        self._at(self._filled(self._site.start), _LOOK)
        while self._events:
            now, _, kind, cell = heapq.heappop(self._events)
            self._deeds[kind](now, cell)
        assert all(self.settled), "each cell has come to its end"
        return self

    def _at(self, time: float, kind: int, cell: int = -1) -> None:
        heapq.heappush(self._events, (time, next(self._number), kind, cell))

    def _filled(self, now: float) -> float:
        """When the loop has handed out what it has room for."""
        began = now
        while self._waiting and self._running < self._room:
            now += self._hand_out
            self._running += 1
            self._at(now + self._site.latency, _READY, self._waiting.popleft())
        self.writer += now - began
        return now

    def _scheduled(self, now: float) -> float:
        """When the scheduler is through with half of a cell: its coming or its end."""
        half = self._site.schedule / 2
        self._scheduler_free = max(now, self._scheduler_free) + half
        self.scheduler += half
        return self._scheduler_free

    def _ready(self, now: float, cell: int) -> None:
        self._queue.append(cell)
        self._dealt(self._scheduled(now))

    def _dealt(self, now: float) -> None:
        while self._queue and self._idle:
            self._idle -= 1
            self._begun(now + self._site.latency, self._queue.popleft())

    def _begun(self, now: float, cell: int) -> None:
        seconds = self._cells[cell].seconds
        left = self._lifetime(cell)
        if left < seconds:
            self.wasted += left
            self._at(now + left + self._site.latency, _LOST, cell)
        else:
            self._at(now + seconds + self._site.latency, _ENDED, cell)

    def _lifetime(self, cell: int) -> float:
        if math.isinf(self._site.lifetime):
            return math.inf
        chance = random.Random(f"{self._seed}/{cell}/{self._attempts[cell]}/{self.losses[cell]}").random()
        return -self._site.lifetime * math.log(1 - chance)

    def _ended(self, now: float, cell: int) -> None:
        through = self._scheduled(now)
        self._at(through + self._site.latency, _ARRIVED, cell)
        self._idle += 1
        self._dealt(through)

    def _lost(self, now: float, cell: int) -> None:
        self._at(now + self._site.restart, _BACK)
        self.losses[cell] += 1
        if self.losses[cell] % (FORGIVEN_LOSSES + 1):
            self._queue.appendleft(cell)
            self._dealt(now)
        else:
            self._dropped.add(cell)
            self._at(now + self._site.latency, _ARRIVED, cell)

    def _back(self, now: float, cell: int) -> None:
        self._idle += 1
        self._dealt(now)

    def _arrived(self, now: float, cell: int) -> None:
        self._there.append(cell)
        if not self._is_looking:
            self._look(now, cell)

    def _look(self, now: float, cell: int) -> None:
        """One round of the loop over all that has arrived; it looks again when it is through."""
        self._is_looking = bool(self._there)
        if not self._there:
            return
        end = now + self._site.wait_each * self._running
        there, self._there = self._there, []
        for each in there:
            end += self._site.append
            self._write(each)
        self.wall = end
        self.writer += end - now
        self._at(self._filled(end), _LOOK)

    def _write(self, cell: int) -> None:
        self._running -= 1
        self.written += 1
        self.bytes += self._cells[cell].record_bytes
        is_failed = self._cells[cell].is_failed or cell in self._dropped
        seconds = self._cells[cell].seconds
        if is_failed:
            self.wasted += 0.0 if cell in self._dropped else seconds
            self._dropped.discard(cell)
            self._attempts[cell] += 1
            if self._attempts[cell] < MOST_ATTEMPTS:
                self._waiting.append(cell)
                return
            self.given_up += 1
        else:
            self.useful += seconds
        assert not self.settled[cell], "no cell is settled twice"
        self.settled[cell] = 1


_READY, _ENDED, _LOST, _BACK, _ARRIVED, _LOOK = range(6)
