"""`make bench-scale`: what 1,000,000 candidate repairs would take over a cluster. **Simulated**; see docs/scale.md.

Prints a table for as many cells as execute that many candidates, and one for that many cells; for each number of
workers with one ledger, and with shards of at most 500 workers.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from pathlib import Path

import click

from corpora.lab.benchmarks.cluster import Measured, Outcome, Site, drawn, most_workers, simulate
from corpora.lab.benchmarks.measured_cells import LATE, REAL_CASES, cells_of, compared

WORKERS = (10, 100, 1_000, 10_000)
MILLION = 1_000_000
MOST_DRAWN = 10 * MILLION


@click.command()
@click.option("--records", type=click.Path(path_type=Path, exists=True), help="A bench whose cells to draw from.")
@click.option(
    "--candidates", type=click.IntRange(min=0), default=MILLION, show_default=True, help="0 for no such table."
)
@click.option("--cells", type=click.IntRange(min=0), default=MILLION, show_default=True, help="0 for no such table.")
@click.option(
    "--late", type=click.FloatRange(0, 0.5), default=0.02, show_default=True, help="Share ended from outside."
)
@click.option("--shard-workers", type=click.IntRange(min=1), default=500, show_default=True)
@click.option("--lifetime", type=float, default=500.0, show_default=True, help="Hours until a worker is lost.")
@click.option("--append", type=float, default=Site().append, show_default=True, help="Seconds for a durable record.")
@click.option("--core-hour", type=float, default=0.04, show_default=True, help="US dollars; no offer, put in yours.")
@click.option("--input-price", type=float, default=0.0, show_default=True, help="US dollars a million tokens.")
@click.option("--output-price", type=float, default=0.0, show_default=True, help="US dollars a million tokens.")
@click.option(
    "--tokens", nargs=2, type=int, default=(0, 0), help="Tokens of a cell, in and out, where none is recorded."
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--compare", type=click.Path(path_type=Path, exists=True), help="A finished bench to hold against it.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, show_default=True, help="Of that bench."
)
def main(
    records: Path | None,
    candidates: int,
    cells: int,
    late: float,
    shard_workers: int,
    lifetime: float,
    append: float,
    core_hour: float,
    input_price: float,
    output_price: float,
    tokens: tuple[int, int],
    seed: int,
    compare: Path | None,
    jobs: int,
) -> None:
    """Simulate and print, or compare a bench that was run with its simulation."""
    if compare:
        _say_compared(compare, jobs)
        return
    table = cells_of(records) if records else with_late(REAL_CASES, late)
    site = Site(append=append, lifetime=3600 * lifetime)
    seconds = statistics.fmean(cell.seconds for cell in table)
    click.echo(
        f"Simulated. Cells take {seconds:.1f} s on average and execute {_mean_candidates(table):.0f} candidates."
    )
    click.echo(f"By arithmetic, one ledger feeds {most_workers(site, seconds):.0f} workers with such cells.")
    for many in filter(None, (cells_for(table, candidates, seed), cells)):
        made = drawn(table, many, seed)
        tokened = (sum(c.input_tokens or tokens[0] for c in made), sum(c.output_tokens or tokens[1] for c in made))
        model = (tokened[0] * input_price + tokened[1] * output_price) / MILLION
        click.echo(f"\n{many:,} cells, {sum(cell.candidates for cell in made):,} candidates; models {model:,.0f} USD")
        click.echo("workers shards       wall efficiency core hours       USD records MB  writer scheduler full")
        for workers in WORKERS:
            for shards in sorted({1, -(-workers // shard_workers)}):
                outcome = simulate(made, site, workers, seed, shards)
                click.echo(row_of(outcome, core_hour, model))


def with_late(table: tuple[Measured, ...], share: float) -> tuple[Measured, ...]:
    """The cells so many times over that this share of all of them is late."""
    late = round(1_000 * share)
    return (*(table * ((1_000 - late) // len(table))), *(LATE,) * late)


def cells_for(table: Sequence[Measured], candidates: int, seed: int) -> int:
    """How many cells are drawn until they have executed so many candidates."""
    mean = _mean_candidates(table)
    if not candidates:
        return 0
    if candidates > MOST_DRAWN * mean:
        raise click.UsageError("These cells execute too few candidates for that.")
    found, executed = 0, 0
    for cell in drawn(table, 2 * round(candidates / mean) + 100, seed):
        if executed >= candidates:
            break
        found, executed = found + 1, executed + cell.candidates
    return found


def row_of(outcome: Outcome, core_hour: float, model: float) -> str:
    """One line of the table."""
    busy = outcome.shards * outcome.wall
    return (
        f"{outcome.workers:7} {outcome.shards:6} {_duration(outcome.wall):>10} {outcome.efficiency:10.1%}"
        f" {outcome.core_hours:10,.1f} {outcome.core_hours * core_hour + model:9,.2f} {outcome.bytes / 1e6:10,.1f}"
        f" {outcome.writer / busy:7.2%} {outcome.scheduler / busy:9.2%} {outcome.full}"
    )


def _mean_candidates(table: Sequence[Measured]) -> float:
    return statistics.fmean(cell.candidates for cell in table)


def _duration(seconds: float) -> str:
    if seconds < 600:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 36_000 else f"{seconds / 3600:.1f} h"


def _say_compared(directory: Path, jobs: int) -> None:
    found = compared(directory, jobs)
    middle, low, high = found.foretold
    click.echo(f"{found.cells} cells, {jobs} at once: {found.actual:.0f} s from the first start to the last record")
    click.echo(f"replayed with each cell's own time: {found.replayed:.0f} s ({found.replayed / found.actual - 1:+.1%})")
    click.echo(
        f"the second half took {found.rest:.0f} s; foretold from the first half's cells: {middle:.0f} s"
        f" ({middle / found.rest - 1:+.1%}), nine in ten draws {low:.0f} to {high:.0f} s"
    )


if __name__ == "__main__":
    main()
