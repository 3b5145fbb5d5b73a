"""`make bench-make`: ten tasks by `repair make` with scripted answers of a model, and answers that are cut.

What is measured is what `repair make` does with answers, and no model.
"""

from __future__ import annotations

import datetime
import itertools
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import click

from analysis.errors import RepairError
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.scripted_endpoint import serve_answers
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.made_tasks import MADE_TASKS, PRICES, MadeTask
from repair import api
from repair.records.config import Options
from repair.records.made import MadeReport, MakeRequest

FIGURES = (
    Figure("make_tasks_done", 1.0, 1.0),
    Figure("make_tasks_patched", 1.0, 1.0),
    Figure("make_cuts_refused", 1.0, 1.0),
)
EVERY = 7
"""A reply is cut at each so many bytes."""

AT_ONCE = 3
"""Cut replies in one run: so many answers to one request are asked for."""


def make_task(task: MadeTask, answers: Sequence[str], folder: Path, seconds: float) -> MadeReport:
    """What comes of the task with these answers, in a new folder ``made``; the last answer is given for ever."""
    waiting = itertools.chain(answers, itertools.repeat(answers[-1]))
    with serve_answers(lambda name, asked: next(waiting)) as url:
        options = Options(str(folder), model="m", base_url=f"{url}/m/v1", max_seconds=seconds)
        asked = MakeRequest("TASK.md", task.text, str(folder / "made"))
        report: MadeReport = api.make(asked, options, lambda happened: None, dict(os.environ))
        return report


@click.command()
@click.option("--only", multiple=True, metavar="NAME", help="These tasks alone")
@click.option("--seconds", default=120.0, show_default=True, help="Time for a task")
@click.option("--cuts/--no-cuts", default=True, help="Try cut answers too")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/make.json"), show_default=True)
def main(only: tuple[str, ...], seconds: float, cuts: bool, out: Path) -> None:
    """Measure, print the table, and write the record."""
    began, load = time.monotonic(), os.getloadavg()
    chosen = [task for task in MADE_TASKS if not only or task.name in only]
    with tempfile.TemporaryDirectory() as scratch:
        measured = measure(chosen, Path(scratch), seconds, cuts=cuts)
    click.echo(table(measured))
    for note in measured.notes:
        click.echo(f"- {note}")
    took = round(time.monotonic() - began)
    machine: dict[str, object] = {**machine_of(), "load_before": load, "seconds": took, "command": "make bench-make"}
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, measured, date=now, versions=versions(), machine=machine, steps=[])
    click.echo(f"Written to {out}")


def measure(tasks: Sequence[MadeTask], scratch: Path, seconds: float, *, cuts: bool) -> Measured:
    """Each task in a folder of its own, then a reply that is cut."""
    reports, notes = [], []
    for task in tasks:
        folder = scratch / task.name
        folder.mkdir()
        try:
            reports.append(make_task(task, task.replies, folder, seconds))
            notes.append(tell(task, reports[-1]))
        except RepairError as problem:  # one that the machine was too slow for is not done; the others go on
            notes.append(f"{task.name}: {problem}")
        say(notes[-1])
    done = sum(report.exit_code == 0 for report in reports)
    patched = sum(bool(report.patches) for report in reports)
    values = [done / len(tasks), patched / len(tasks)]
    if cuts:
        refused, tried = cut_replies(scratch)
        values.append(refused / tried)
        notes.append(f"{refused} of {tried} cut answers refused as cut or empty, and nothing written")
    rows = tuple(Row(figure, (("scripted", value),)) for figure, value in zip(FIGURES, values, strict=False))
    return Measured(rows, (("make_seconds", median([report.seconds for report in reports] or [0.0])),), tuple(notes))


def tell(task: MadeTask, report: MadeReport) -> str:
    """One line on a task."""
    passing = sum(test.outcome == "passed" for test in report.required)
    places = ", ".join(f"{patch.function}: {_new_lines(patch.diff)}" for patch in report.patches)
    return (
        f"{task.name}: {passing} of {len(report.required)} required tests pass, {len(report.patches)} patches "
        f"({places}), {report.cost.requests} questions, {report.seconds:.1f} s; {report.ended or 'done'}"
    )


def _new_lines(diff: str) -> str:
    """What a patch puts in, for a reader who judges by hand whether it is what the task means."""
    lines = (line for line in diff.splitlines() if line.startswith("+") and not line.startswith("+++"))
    return " / ".join(f"`{line[1:].strip()}`" for line in lines)


def cut_replies(scratch: Path) -> tuple[int, int]:
    """How many of a reply's cuts were refused and left nothing, and how many there were."""
    text = PRICES.replies[0]
    cuts = [text.encode()[:end].decode("utf-8", "ignore") for end in range(EVERY, len(text.encode()) - EVERY, EVERY)]
    refused = 0
    for number, start in enumerate(range(0, len(cuts), AT_ONCE)):
        folder = scratch / f"cut{number}"
        folder.mkdir()
        answers = cuts[start : start + AT_ONCE]
        report = make_task(PRICES, answers, folder, 60.0)
        kinds = [step.came.partition(":")[0] for step in report.steps]
        if not report.written and not os.listdir(folder) and set(kinds) <= {"cut", "empty"}:
            refused += len(answers)
    return refused, len(cuts)


if __name__ == "__main__":
    main()
