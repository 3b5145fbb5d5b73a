"""`make bench-search`: what search alone mends, in the learned order and in a uniform one; if asked, by hand as well.

Each suite is a `repair bench run` with a fixed seed and one process a bug, kept in a folder of its own. A run that ends
early goes on where it was. A suite whose corpus is not named is named as missing.
"""

from __future__ import annotations

import datetime
import functools
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from corpora.bench.grading import grade, read_rows
from corpora.bench.live import Board
from corpora.bench.run_bench import BenchRequest, run_bench
from corpora.bench.scoring import Bench
from corpora.bench.summary import ScoredCell as Cell
from corpora.bench.summary import first_seeds
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.setup import machine_of, say, versions

QUIXBUGS, HUMANEVAL, REAL = SUITES = ("quixbugs", "humanevalfix", "real")
ORDERS = ("search", "uniform", "hand")
"""Configurations of the bench: the engine as it is, and with operators in a uniform order or in the one set by hand."""

USUAL = ORDERS[:2]

EVEN = "*[02468]"

_RATE = "search_candidates_per_second"
_FIGURES = (
    Figure("quixbugs_plausible", 36, 40),
    Figure("quixbugs_agree", 34, 40),
    Figure("quixbugs_median_seconds", 5.0, 1.0, floor=False),
    Figure("humanevalfix_even_agree", 0.5, 1.0),
    Figure("real_plausible_share", 1 / 3, 1.0),
    Figure(_RATE, 300, 5000),
)


@dataclass(frozen=True, slots=True)
class Suite:
    """One part of the benchmark: the corpora that it is, and which of their bugs."""

    name: str
    corpora: tuple[str, ...]
    bugs: str


@click.command()
@click.option("--quixbugs", metavar="DIR", help="A checkout of QuixBugs.")
@click.option("--humaneval", metavar="PATH", help="HumanEvalFix: its file, or a checkout that holds it.")
@click.option("--real", multiple=True, metavar="CORPUS", help="Mined bugs, such as mined:DIR; repeatable.")
@click.option("--python", default="", metavar="PATH", help="Runs the tests of real bugs.")
@click.option("--only", type=click.Choice(SUITES), multiple=True, default=SUITES, show_default=True)
@click.option("--bugs", default="*", show_default=True, help="Only bugs of such ids.")
@click.option("--seconds", type=float, default=60.0, show_default=True, help="For each bug.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Bugs at once.")
@click.option("--order", "orders", type=click.Choice(ORDERS), multiple=True, default=USUAL, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), default=Path("build/search"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/search.json"), show_default=True)
def main(
    quixbugs: str | None,
    humaneval: str | None,
    real: tuple[str, ...],
    python: str,
    only: tuple[str, ...],
    bugs: str,
    seconds: float,
    seed: int,
    jobs: int,
    orders: tuple[str, ...],
    folder: Path,
    out: Path,
) -> None:
    """Mend the bugs of each suite by search alone, and say how many and how soon."""
    given = (
        Suite(QUIXBUGS, (f"quixbugs:{quixbugs}",) if quixbugs else (), bugs),
        Suite(HUMANEVAL, (f"humaneval:{humaneval}",) if humaneval else (), EVEN if bugs == "*" else bugs),
        Suite(REAL, real, bugs),
    )
    found: dict[str, tuple[Cell, ...]] = {}
    missing = []
    for suite in (each for each in given if each.name in only):
        if not suite.corpora:
            missing.append(f"{suite.name} is not measured: its corpus is not named")
            continue
        where = folder / suite.name
        asked = BenchRequest(
            suite.corpora, orders, where, None, suite.bugs, seconds, (seed,), jobs, resume=True, python=python
        )
        run_bench(
            asked, os.environ, time.monotonic, functools.partial(Board, color="never", quiet=False, progress=False)
        )
        grade(where, Bench(python), jobs, say)
        found[suite.name] = read_rows(where)[0]
    result = search_figures(found, missing)
    click.echo(table(result))
    for note in result.notes:
        click.echo(f"- {note}")
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, result, date=now, versions=versions(), machine={**machine_of(), "load": os.getloadavg()})


def search_figures(found: dict[str, tuple[Cell, ...]], missing: Sequence[str]) -> Measured:
    """The figures of each order, with how many bugs each is of."""
    rows: list[Row] = []
    notes = list(missing)
    for order in ORDERS:
        suites = {name: _done_cells(cells, order) for name, cells in found.items()}
        suites = {name: cells for name, cells in suites.items() if cells}
        values = dict(_values(suites))
        rows += [
            Row(_name_figure(figure, order), ((order, values[figure.name]),))
            for figure in _FIGURES
            if figure.name in values
        ]
        notes += [f"{order}: {name}: {_describe_cells(cells)}" for name, cells in suites.items()]
    return Measured(tuple(rows), notes=tuple(notes))


def _done_cells(cells: Sequence[Cell], order: str) -> list[Cell]:
    return first_seeds([cell for cell in cells if cell.cell.configuration == order and not cell.failed])


def _name_figure(figure: Figure, order: str) -> Figure:
    if order == ORDERS[0]:
        return figure
    return Figure(f"{figure.name}_{order}", figure.least, figure.aim, figure.floor)


def _values(suites: dict[str, list[Cell]]) -> Iterator[tuple[str, float]]:
    """Each figure that these suites tell, by name."""
    if QUIXBUGS in suites:
        cells = suites[QUIXBUGS]
        yield "quixbugs_plausible", sum(cell.answered for cell in cells)
        yield "quixbugs_agree", sum(cell.agrees for cell in cells)
        times = [cell.record.plausible_seconds for cell in cells if cell.record.plausible_seconds]
        if times:
            yield "quixbugs_median_seconds", statistics.median(times)
    if HUMANEVAL in suites:
        yield "humanevalfix_even_agree", statistics.mean(cell.agrees for cell in suites[HUMANEVAL])
    if REAL in suites:
        yield "real_plausible_share", statistics.mean(cell.answered for cell in suites[REAL])
    results = [cell.record.result for cells in suites.values() for cell in cells]
    rates = [(r.counts.executed + r.counts.rivals) / r.seconds.search for r in results if r and r.seconds.search]
    if rates:
        yield _RATE, statistics.median(rates)


def _describe_cells(cells: Sequence[Cell]) -> str:
    """How many bugs there were, and what became of them."""
    words = {"answered": "plausible", "agrees": "agree", "differs": "differ", "certified": "certified"}
    counts = ", ".join(f"{sum(getattr(cell, name) for cell in cells)} {word}" for name, word in words.items())
    return f"{len(cells)} bugs: {counts}"


if __name__ == "__main__":
    main()
