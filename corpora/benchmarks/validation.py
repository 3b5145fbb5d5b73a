"""`make bench-validation`: what validation costs and whether it is right, beside its rivals, in one run."""

from __future__ import annotations

import datetime
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from analysis.errors import RepairError
from corpora.benchmarks.agreement import agreeing
from corpora.benchmarks.engine import engine
from corpora.benchmarks.figures import Measured, joined, table, write_record
from corpora.benchmarks.line_map import bench_line_map
from corpora.benchmarks.mutmut_rival import bench_mutmut
from corpora.benchmarks.probing import probing
from corpora.benchmarks.setup import Setup, machine_of, say, versions
from corpora.benchmarks.speed import speed
from corpora.source_package import case_cache
from sandbox.jail import choose

Part = Callable[[Setup], Measured]

PARTS: Mapping[str, Part] = {
    "speed": speed,
    "mutmut": bench_mutmut,
    "line_map": bench_line_map,
    "probes": probing,
    "engine": engine,
    "agreement": agreeing,
}


@click.command()
@click.option("--only", default="", help=f"Parts to run, with commas between: {', '.join(PARTS)}.  [default: all]")
@click.option(
    "--candidates", type=click.IntRange(min=1), default=1000, show_default=True, help="To compare with cold runs."
)
@click.option(
    "--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="How often each variant is timed."
)
@click.option("--cold-runs", type=click.IntRange(min=2), default=10, show_default=True, help="Timed, in each library.")
@click.option("--isolation", default="auto", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/validation.json"), show_default=True)
def main(only: str, candidates: int, rounds: int, cold_runs: int, isolation: str, out: Path) -> None:
    """Measure, print the table, and write the record. A part that cannot run is named, and its figures are left out."""
    names = [name.strip() for name in only.split(",") if name.strip()] or list(PARTS)
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise click.UsageError(f"There is no part {unknown[0]!r}; there are: {', '.join(PARTS)}")
    setup = Setup(out.parent / "trees", case_cache(), choose(isolation), candidates, rounds, cold_runs, say)
    load = os.getloadavg()
    began = time.monotonic()
    measured = measure({name: PARTS[name] for name in names}, setup)
    left_out = [f"{name} was not asked for (--only {only})." for name in PARTS if name not in names]
    measured = joined([measured, Measured(notes=tuple(left_out))])
    click.echo(table(measured))
    for note in measured.notes:
        click.echo(f"- {note}")
    machine = {**machine_of(), "isolation": setup.jail.kind, "load_before": load, "load_after": os.getloadavg()}
    machine["seconds"] = round(time.monotonic() - began)
    machine["command"] = " ".join(["make bench-validation", *(sys.argv[1:] and [f'ARGS="{" ".join(sys.argv[1:])}"'])])
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, measured, date=now, versions=versions(), machine=machine)
    click.echo(f"Written to {out}")
    sys.exit(0 if measured.rows or measured.numbers else 3)


def measure(parts: Mapping[str, Part], setup: Setup) -> Measured:
    """All parts in order. One that the machine or the index does not allow leaves a note in place of its figures."""
    found: list[Measured] = []
    for name, part in parts.items():
        setup.say(f"== {name}")
        try:
            found.append(part(setup))
        except (RepairError, OSError, AssertionError) as problem:
            said = " ".join(str(problem).split())[:500]
            words = f"{name} could not be measured: {type(problem).__name__}: {said}"
            setup.say(words)
            found.append(Measured(notes=(words,)))
    return joined(found)


if __name__ == "__main__":
    main()
