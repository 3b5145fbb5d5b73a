"""`make bench-validation`: what validation costs and whether it is right, beside its rivals, in one run."""

from __future__ import annotations

import datetime
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from analysis.errors import RepairError
from analysis.facts import digest
from corpora.lab.benchmarks.agreement import measure_agreement
from corpora.lab.benchmarks.engine import engine_steps
from corpora.lab.benchmarks.figures import FIGURES, Measured, join_measured, table, write_record
from corpora.lab.benchmarks.line_map import line_map_steps
from corpora.lab.benchmarks.mutmut_rival import bench_mutmut
from corpora.lab.benchmarks.named import FORM, named_work, parts_of
from corpora.lab.benchmarks.probing import measure_probes
from corpora.lab.benchmarks.setup import Setup, machine_of, say, versions
from corpora.lab.benchmarks.speed import speed_steps
from corpora.lab.benchmarks.steps import Done, Step, StepRecords, engine_digest, measure
from corpora.source_package import case_cache
from sandbox.jail import choose

STEPS: tuple[Step, ...] = (
    Step("probes", measure_probes),
    *engine_steps(),
    *speed_steps(),
    Step("mutmut", bench_mutmut),
    *line_map_steps(),
    Step("agreement", measure_agreement),
)


def _parts(steps: Sequence[Step]) -> str:
    return ", ".join(dict.fromkeys(step.name.partition("/")[0] for step in steps))


def _libraries(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    for text in given:
        try:
            parts_of(text)
        except ValueError as problem:
            raise click.BadParameter(str(problem)) from problem
    return given


@click.command()
@click.option("--only", default="", help=f"Steps to run, with commas between: {_parts(STEPS)}, or PART/LIBRARY.")
@click.option(
    "--candidates", type=click.IntRange(min=1), default=1000, show_default=True, help="To compare with cold runs."
)
@click.option(
    "--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="How often each variant is timed."
)
@click.option("--cold-runs", type=click.IntRange(min=2), default=8, show_default=True, help="Timed, in each library.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0),
    default=40,
    show_default=True,
    help="No step begins later, and no cold run of the comparison.",
)
@click.option("--resume", is_flag=True, help="Go on with a run that was broken off: same engine, same options.")
@click.option(
    "--library", multiple=True, callback=_libraries, metavar=FORM, help="Compare verdicts on it instead of ours."
)
@click.option("--with", "extra", multiple=True, metavar="NAME==VERSION", help="What tests of --library need.")
@click.option("--build", is_flag=True, help="Build the extension modules of --library in its tree.")
@click.option("--python312", default="", help="An interpreter for line_map_ratio_312.  [default: one that is found]")
@click.option("--isolation", default="auto", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/validation.json"), show_default=True)
def main(
    only: str,
    candidates: int,
    rounds: int,
    cold_runs: int,
    minutes: float,
    resume: bool,
    library: tuple[str, ...],
    extra: tuple[str, ...],
    build: bool,
    python312: str,
    isolation: str,
    out: Path,
) -> None:
    """Measure, print the table, and write the record. A step that cannot run is named, and its figures are left out.

    Cold verdicts of the comparison are kept: they do not depend on the engine.
    """
    names = [name.strip() for name in only.split(",") if name.strip()]
    unknown = [name for name in names if not any(step.is_asked([name]) for step in STEPS)]
    if unknown:
        raise click.UsageError(f"There is no step {unknown[0]!r}; there are: {', '.join(s.name for s in STEPS)}")
    until = time.monotonic() + 60 * minutes
    try:
        works = tuple(named_work(text, extra, build=build) for text in library)
    except RepairError as problem:
        raise click.ClickException(str(problem)) from problem
    jail = choose(isolation)
    setup = Setup(
        *(out.parent / "trees", case_cache(), jail, candidates, rounds, cold_runs, say), until, works, python312
    )
    engine = engine_digest(Path(__file__).parents[3])
    run = (engine, jail.kind, python312, *map(str, (candidates, rounds, cold_runs)), *library, *extra)
    records = StepRecords(out.parent / "steps", digest(*run))
    if not resume:
        records.forget()
    sys.exit(0 if _measure(setup, records, names, engine, out) else 3)


def _measure(setup: Setup, records: StepRecords, names: Sequence[str], engine: str, out: Path) -> bool:
    """Run the steps, print and write what they found; whether they found anything."""
    began, load = time.monotonic(), os.getloadavg()
    found = measure([step for step in STEPS if step.is_asked(names)], setup, records)
    measured = join_measured([*(done.measured for done in found), Measured(notes=_missing_notes(found, names))])
    click.echo(table(measured))
    for note in measured.notes:
        click.echo(f"- {note}")
    machine: dict[str, object] = {
        **machine_of(),
        "isolation": setup.jail.kind,
        "load_before": load,
        "load_after": os.getloadavg(),
        "seconds": round(time.monotonic() - began),
        "command": " ".join(["make bench-validation", *(sys.argv[1:] and [f'ARGS="{" ".join(sys.argv[1:])}"'])]),
    }
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    steps = [{name: value for name, value in asdict(done).items() if name != "measured"} for done in found]
    known = {**versions(), "engine": engine}
    write_record(out, measured, date=now, versions=known, machine=machine, steps=steps)
    click.echo(f"Written to {out}")
    return bool(measured.rows or measured.numbers)


def _missing_notes(found: Sequence[Done], names: Sequence[str]) -> tuple[str, ...]:
    """A note for each step without figures, and for each figure that nothing was measured of."""
    asked = {done.name for done in found}
    notes = [f"{done.name} could not be measured: {done.problem}." for done in found if done.problem]
    left = _parts([step for step in STEPS if step.name not in asked])
    notes += [f"Not asked for (--only {','.join(names)}): {left}."] if left else []
    rows = {each.figure.name for done in found for each in done.measured.rows}
    notes += [f"{figure.name} has no value." for figure in FIGURES if figure.name not in rows and not names]
    return tuple(notes)


if __name__ == "__main__":
    main()
