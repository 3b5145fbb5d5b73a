"""The speed of a trial: forks and batches against cold runs and against their floor, on each of the timed libraries."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from corpora.lab.benchmarks.cold import open_cold
from corpora.lab.benchmarks.cost import Cost
from corpora.lab.benchmarks.figures import Measured, row
from corpora.lab.benchmarks.floor import Floor, floor_of
from corpora.lab.benchmarks.pool import BATCH, BATCH_ALL, FORK, FORK_OPEN, FORK_TWO, costs, find_steady
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.steps import Step
from corpora.lab.benchmarks.subject import Subject, open_subject, spread_evenly
from corpora.lab.benchmarks.work import WORKS, Work

BATCH_DISPATCH_MS = 0.2


@dataclass(frozen=True, slots=True)
class Speeds:
    """What a candidate costs in one library: in each round of each variant, cold, and at the least."""

    name: str
    pool: Mapping[str, Sequence[Cost]]
    cold: Sequence[tuple[str, Cost]]
    floor: Floor


def speed_steps() -> tuple[Step, ...]:
    """Forks and batches against cold runs and against their floor, a step for each of the timed libraries."""
    return tuple(Step(f"speed/{work.name}", partial(_speed, work)) for work in WORKS if work.timed)


def _speed(work: Work, setup: Setup) -> Measured:
    with open_subject(work, setup.directory, setup.cache, setup.jail) as subject:
        return speed_figures([speeds_of(subject, setup)])


def speeds_of(subject: Subject, setup: Setup) -> Speeds:
    """Measure one library; half of the cold runs before the pool's rounds, half after."""
    known = find_steady(subject)
    work = [(FORK, known.trials), (BATCH, known.failing), (BATCH_ALL, known.trials), (FORK_TWO, known.trials)]
    if setup.jail.kind != "none":
        work.append((FORK_OPEN, known.trials))
    failing = frozenset(trial.digest for trial in known.failing)
    sample = spread_evenly(known.trials, setup.cold_runs)
    with open_cold(subject) as cold:
        before = [cold.run(trial) for trial in sample[::2]]
        pool = costs(subject, work, setup.rounds)
        after = [cold.run(trial) for trial in sample[1::2]]
    return Speeds(subject.name, pool, (*before, *after), floor_of(subject, known.trials, failing, setup.rounds))


def speed_figures(found: Sequence[Speeds]) -> Measured:
    """The six figures of speed, and what they were made of."""
    rows = [
        row("fork_vs_cold", {s.name: _cold_cost(s).cpu / _middle(s, "fork").cpu for s in found}),
        row("batch_vs_cold", {s.name: _cold_cost(s, "failed").cpu / _middle(s, "batch").cpu for s in found}),
        row("fork_vs_floor", {s.name: 1000 * _middle(s, "fork").cpu / (s.floor.mutants + s.floor.fork) for s in found}),
        row("batch_vs_floor", {s.name: 1000 * _middle(s, "batch").cpu / batch_floor(s.floor) for s in found}),
        row("two_cores_vs_one", {s.name: _paired_ratio(s, "fork", "fork_two") for s in found}),
    ]
    notes = [
        "All are ratios of the CPU time of all processes, the engine's own part included; two_cores_vs_one and *_wall "
        "are ratios of wall time.",
        "The bare bodies under fork_vs_floor and batch_vs_floor are those of the same mutants, up to the first test "
        "that fails; *_passing takes those of the unpatched program, all of whose tests pass.",
        "The batch rows are of the mutants that fail, which a batch settles; batch_all_* is of all mutants, where each "
        "that passes runs again in a fork of its own.",
    ]
    if all("fork_open" in s.pool for s in found):
        rows.append(
            row("isolation_overhead", {s.name: _paired_ratio(s, "fork", "fork_open", cpu=True) - 1 for s in found})
        )
    else:
        notes.append("isolation_overhead is left out: no isolation holds on this machine.")
    return Measured(tuple(rows), tuple(_numbers(found)), tuple(notes))


def batch_floor(floor: Floor) -> float:
    """Milliseconds that a candidate of a batch cannot be expected to fall below."""
    return floor.failing + floor.compiling + BATCH_DISPATCH_MS


def _cold_cost(speeds: Speeds, word: str = "") -> Cost:
    """The mean cold run, or that of those that ended in this word where there are any."""
    chosen = [cost for said, cost in speeds.cold if said == word] or [cost for _, cost in speeds.cold]
    return Cost(statistics.mean(c.wall for c in chosen), statistics.mean(c.cpu for c in chosen))


def _middle(speeds: Speeds, variant: str) -> Cost:
    each = speeds.pool[variant]
    return Cost(statistics.median(c.wall for c in each), statistics.median(c.cpu for c in each))


def _paired_ratio(speeds: Speeds, over: str, under: str, *, cpu: bool = False) -> float:
    """The median of the ratios within a round, which load disturbs less than the ratio of medians."""
    pairs = zip(speeds.pool[over], speeds.pool[under], strict=True)
    return statistics.median(a.cpu / b.cpu if cpu else a.wall / b.wall for a, b in pairs)


def _numbers(found: Sequence[Speeds]) -> list[tuple[str, float]]:
    """What the ratios were made of, in milliseconds a candidate."""
    numbers: list[tuple[str, float]] = []
    for s in found:
        key = s.name.replace("-", "_")
        numbers += [(f"cold_ms_{key}", 1000 * _cold_cost(s).wall), (f"cold_cpu_ms_{key}", 1000 * _cold_cost(s).cpu)]
        for variant in s.pool:
            numbers.append((f"{variant}_ms_{key}", 1000 * _middle(s, variant).wall))
            numbers.append((f"{variant}_cpu_ms_{key}", 1000 * _middle(s, variant).cpu))
        floor = s.floor
        numbers += [(f"bare_ms_{key}", floor.mutants), (f"bare_failing_ms_{key}", floor.failing)]
        numbers += [(f"bare_passing_ms_{key}", floor.bare), (f"compile_ms_{key}", floor.compiling)]
        numbers += [(f"bare_fork_ms_{key}", floor.fork), (f"resident_mb_{key}", floor.resident_mb)]
    return [*numbers, *_further_ratios(found)]


def _further_ratios(found: Sequence[Speeds]) -> list[tuple[str, float]]:
    """The same ratios in other readings: wall time, all mutants in batches, bodies that all pass."""
    each: dict[str, list[float]] = {
        "fork_vs_cold_wall": [_cold_cost(s).wall / _middle(s, "fork").wall for s in found],
        "batch_vs_cold_wall": [_cold_cost(s, "failed").wall / _middle(s, "batch").wall for s in found],
        "batch_all_vs_cold": [_cold_cost(s).cpu / _middle(s, "batch_all").cpu for s in found],
        "fork_vs_floor_passing": [1000 * _middle(s, "fork").cpu / (s.floor.bare + s.floor.fork) for s in found],
        "batch_vs_floor_passing": [
            1000 * _middle(s, "batch").cpu / (s.floor.bare + s.floor.compiling + BATCH_DISPATCH_MS) for s in found
        ],
    }
    return [(name, statistics.median(values)) for name, values in each.items()]
