"""`make bench-judge`: how many wrong patches that pass their tests are stopped, and how many right ones withheld."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from analysis.errors import UsageError
from corpora.lab.benchmarks.figures import table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.benchmarks.steps import engine_digest
from corpora.lab.judging.records import judgements, materials
from corpora.lab.judging.report import judge_figures, shortfalls, tables, write_lists
from corpora.lab.judging.run_all import Plan, judge_all, make_all
from corpora.lab.judging.subjects import Terms
from corpora.lab.judging.tally import cases

STAGES = ("make", "judge", "report")


@click.command()
@click.option("--corpus", "corpora", multiple=True, default=("flat:corpora/own",), show_default=True)
@click.option("--python", "pythons", nargs=2, multiple=True, metavar="CORPUS PATH", help="Who runs its tests.")
@click.option("--only", type=click.Choice(STAGES), multiple=True, default=STAGES, show_default=True)
@click.option("--bugs", default="*", show_default=True, help="Only bugs of such ids.")
@click.option(
    "--most", type=click.IntRange(min=1), default=4, show_default=True, help="Patches of a kind for each bug."
)
@click.option("--search-seconds", type=click.FloatRange(min=0), default=10.0, show_default=True)
@click.option(
    "--suite-seconds", type=click.FloatRange(min=0), default=60.0, show_default=True, help="Longer: set aside."
)
@click.option("--minutes", type=click.FloatRange(min=0), default=1e6, help="No bug is begun later.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--isolation", default="auto", show_default=True)
@click.option("--known", is_flag=True, help="Read the patches that lie beside the bugs, and make none.")
@click.option("--weighed-alone", is_flag=True, help="Ask only the gates that weigh: enough to learn weights.")
@click.option(
    "--answered/--not-answered",
    default=True,
    show_default=True,
    help="Put the question of each verdict to the fix, and judge again with its answer.",
)
@click.option("--model", default="", help="Ask this model for second opinions, blind to the patches.")
@click.option("--base-url", default="", help="Its endpoint.")
@click.option("--replies", default="", help="A folder that keeps its replies: what was asked is not asked again.")
@click.option("--second-alone", is_flag=True, help="Compare patches with the second opinion, and ask nothing else.")
@click.option("--again", is_flag=True, help="Judge anew what another revision of the engine has judged.")
@click.option(
    "--records",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Records of `repair bench run` for false_certified_share; repeatable.",
)
@click.option("--folder", type=click.Path(path_type=Path), default=Path("build/judge"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/judge.json"), show_default=True)
def main(
    corpora: tuple[str, ...],
    pythons: tuple[tuple[str, str], ...],
    only: tuple[str, ...],
    bugs: str,
    most: int,
    search_seconds: float,
    suite_seconds: float,
    minutes: float,
    jobs: int,
    isolation: str,
    known: bool,
    weighed_alone: bool,
    answered: bool,
    model: str,
    base_url: str,
    replies: str,
    second_alone: bool,
    again: bool,
    records: tuple[Path, ...],
    folder: Path,
    out: Path,
) -> None:
    """Make patches, have them judged, and count. What was made or judged before is not made or judged again."""
    terms = Terms(
        isolation=isolation,
        most=most,
        search_seconds=search_seconds,
        suite_seconds=suite_seconds,
        weighed_alone=weighed_alone,
        second_alone=second_alone,
        answered=answered and not (weighed_alone or second_alone),
        model=model,
        base_url=base_url,
        replies=replies and str(Path(replies).absolute()),
    )
    plan = Plan(corpora, pythons, bugs, jobs, time.monotonic() + 60 * minutes, known)
    revision = engine_digest(Path(__file__).parents[3])
    missing: tuple[str, ...] = ()
    if "make" in only:
        missing = make_all(plan, folder, terms, say)
    if "judge" in only:
        judge_all(plan, folder, terms, revision, say, again=again)
    if "report" in only:
        _report(folder, out, records, most, missing)


def _report(folder: Path, out: Path, records: Sequence[Path], most: int, missing: Sequence[str]) -> None:
    made_so_far = materials(folder)
    said = judgements(folder)
    every = cases(made_so_far, said, most)
    try:
        found = judge_figures(every, records, most)
    except UsageError as problem:
        raise click.UsageError(str(problem)) from problem
    lost = sum(bool(judgement.error) for judgement in said.values())
    notes = (*missing, *shortfalls(made_so_far), *([f"{lost} patches got no verdict"] if lost else []))
    found = replace(found, notes=(*found.notes, *notes))
    write_lists(folder, every)
    click.echo(table(found))
    click.echo()
    click.echo(tables(every))
    for note in found.notes:
        click.echo(f"- {note}")
    revisions = ", ".join(sorted({case.said.revision for case in every}))
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    known = {**versions(), "engine": revisions}
    write_record(out, found, date=now, versions=known, machine={**machine_of(), "load": os.getloadavg()})
    click.echo(f"Written to {out}; lists of the judge's errors to {folder}")


if __name__ == "__main__":
    main()
