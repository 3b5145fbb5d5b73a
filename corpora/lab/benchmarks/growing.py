"""`make bench-grow`: which mutants that no test notices grown tests kill, beside Hypothesis's ghostwriter and Pynguin.

A mutant counts as told apart where a search of ten minutes with other seeds finds an input for it. So it does where any
test fails on it: a grown one, one of a rival, of a later release. All run on the same mutants, in the same forks.
"""

from __future__ import annotations

import datetime
import itertools
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from analysis.facts import Files, InvalidRun, Outcome, TestId, TestRun
from analysis.quality.vouching import VouchedFunction
from corpora.environment import environment
from corpora.lab.benchmarks.figures import Figure, Measured, Row, table, write_record
from corpora.lab.benchmarks.grown_libraries import FIVE, LIBRARIES, Library
from corpora.lab.benchmarks.rival_tests import (
    GHOST,
    PYNGUIN,
    RivalFile,
    lines_of_tests,
    write_ghost,
    write_pynguin,
)
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import case_cache, unpack
from repair.compare.answers import module_of
from repair.records.config import Options
from repair.survey.growing.claim import CallCase
from repair.survey.growing.differences import OpenFunction, find_inputs, open_router
from repair.survey.growing.file_maker import FileMaker
from repair.survey.growing.function_growth import FunctionGrower
from repair.survey.growing.kills import killed_by
from repair.survey.growing.new_files import marked
from repair.survey.growing.verified import Verifier
from repair.survey.survey import open_surveyor
from repair.survey.survey_report import SurveyRequest
from transforms.mutants.made import Mutant

KILLS = Figure("grow_kills", 0.6, 0.9)
FLAKY = Figure("grow_flaky", 0, 0, floor=False)
LINES = Figure("grow_lines", 6, 4, floor=False)
PER_SECOND = Figure("grow_kills_per_second_vs_best_rival", 1, 10)
PER_LINE = Figure("grow_kills_per_line_vs_best_rival", 1, 10)


LEAST_SEARCHES = 3
"""So many searches tell apart, however short their time is."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done: seconds and functions, mutants of a function, runs of what was grown, whether Pynguin runs."""

    seconds: int
    apart_seconds: int
    most: int
    mutants: int
    runs: int
    pynguin: bool


WHOLE = Effort(seconds=60, apart_seconds=600, most=1000, mutants=100, runs=50, pynguin=True)
SMALL = Effort(seconds=15, apart_seconds=10, most=1, mutants=30, runs=4, pynguin=False)
"""What runs in some five minutes, to see that all of it works: its figures say next to nothing."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one side's tests of a function killed, what they took, and how long they are."""

    killed: frozenset[Mutant] = frozenset()
    seconds: float = 0.0
    lines: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """One function, with its open mutants and what became of them on each side."""

    name: str
    open: int
    apart: frozenset[Mutant]
    ours: Side
    rivals: Mapping[str, Side]
    cases: tuple[CallCase, ...] = ()


@click.command()
@click.option("--only", default=",".join(FIVE), show_default=True, help=f"Libraries: {', '.join(LIBRARIES)}.")
@click.option("--seconds", default=WHOLE.seconds, show_default=True, help="Time for a function.")
@click.option("--apart-seconds", default=WHOLE.apart_seconds, show_default=True, help="Search for what tells apart.")
@click.option("--mutants", default=WHOLE.mutants, show_default=True, help="Mutants of a function at most.")
@click.option("--runs", default=WHOLE.runs, show_default=True, help="Shuffled runs of what was grown.")
@click.option("--most", default=WHOLE.most, show_default=True, help="Functions of a library at most, by chance.")
@click.option("--pynguin/--no-pynguin", default=True, show_default=True, help="Whether Pynguin takes part.")
@click.option("--small", is_flag=True, help="Of all as little as shows that it works, whatever else is asked.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/grow.json"), show_default=True)
def main(
    only: str, seconds: int, apart_seconds: int, mutants: int, runs: int, most: int, out: Path, *, pynguin: bool,
    small: bool,
) -> None:  # fmt: skip
    """Measure, print the table, and write the record."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - LIBRARIES.keys():
        raise click.UsageError(f"There is no library {sorted(unknown)[0]!r}")
    effort = SMALL if small else Effort(seconds, apart_seconds, most, mutants, runs, pynguin)
    began, load = time.monotonic(), os.getloadavg()
    found: dict[str, tuple[list[Compared], int, list[int]]] = {}
    for name in names:
        found[name] = measure_library(LIBRARIES[name], effort, out.parent)
    measured = Measured(tuple(rows_of(found)), tuple(_numbers(found)), tuple(_notes(found)))
    click.echo(table(measured))
    for note in measured.notes:
        click.echo(f"- {note}")
    machine: dict[str, object] = {
        **machine_of(),
        "isolation": "auto",
        "load_before": load,
        "load_after": os.getloadavg(),
        "seconds": round(time.monotonic() - began),
        "command": " ".join(["make bench-grow", *(sys.argv[1:] and [f'ARGS="{" ".join(sys.argv[1:])}"'])]),
    }
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    write_record(out, measured, date=now, versions=versions(), machine=machine, steps=[])
    click.echo(f"Written to {out}")


def measure_library(library: Library, effort: Effort, folder: Path) -> tuple[list[Compared], int, list[int]]:
    """Each function compared, how many tests differed in shuffled runs, and the lines of each test."""
    tree = unpacked(library.package, folder)
    python = environment((*library.requirements, *_missing(GHOST, library.requirements)), case_cache())
    options = Options(
        root=str(tree.resolve()), max_seconds=3600.0, mutants=effort.mutants, python=python, tests=library.tests
    )
    later = later_tests(unpacked(library.later, folder), library.tests) if library.later else ()
    with open_surveyor(options, lambda _: None, os.environ, time.monotonic()) as (sandbox, surveyor, _):
        seen = surveyor.look(SurveyRequest(library.paths, mutants=0, seed=0))
        maker = FileMaker.of(seen, "", failing=False)
        grower = FunctionGrower(
            sandbox, seen, surveyor.limits, maker.printer, maker.constructors, maker.path, 0, effort.mutants,
            time.monotonic,
        )  # fmt: skip
        sources = tree.resolve() / library.sources
        wanted = _some_of(seen.public, effort.most)
        searched = _search_with_pynguin(seen.sources, wanted, sources, effort.seconds) if effort.pynguin else {}
        compared = [_compare(grower, each, effort, Rivals(python, sources, searched, later)) for each in wanted]
        flaky, lines = 0, []
        for program in dict.fromkeys(each.function.path for each in wanted):
            own = [case for one, each in zip(compared, wanted, strict=True) if each.function.path == program
                   for case in one.cases]  # fmt: skip
            printed = Verifier(sandbox, surveyor.limits, maker.printer).verify(maker.path(program), own).printed
            if printed is not None:
                path = maker.path(program)
                files = ((path, marked(printed.text).encode()),)
                ends = [sandbox.run((TestId(path),), files, shuffle=n, steady=n % 2 == 0) for n in range(effort.runs)]
                flaky += count_flaky(ends)
                lines += lines_of_tests(printed.text)
                kept = folder / "grown" / str(library.package) / path
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(marked(printed.text), "utf-8")
        return compared, flaky, lines


def unpacked(package: SourcePackage, folder: Path) -> Path:
    """The package as a folder that is made once."""
    tree = folder / "grow-trees" / str(package)
    if not tree.exists():
        unpack(fetch(package, case_cache()), tree)
    return tree


def later_tests(tree: Path, only: Sequence[str] = ()) -> Files:
    """The Python files of the folder ``tests`` of a tree; of files of tests those alone that ``only`` names, if any."""
    found = []
    for place in sorted((tree / "tests").rglob("*.py")):
        path = place.relative_to(tree).as_posix()
        if not only or path in only or not place.name.startswith("test_"):
            found.append((path, place.read_bytes()))
    return tuple(found)


def _some_of(functions: Sequence[VouchedFunction], most: int) -> tuple[VouchedFunction, ...]:
    """So many of them at most, drawn by chance with a seed, in their order."""
    drawn = set(random.Random(0).sample(range(len(functions)), min(most, len(functions))))
    return tuple(each for number, each in enumerate(functions) if number in drawn)


def _missing(wanted: Sequence[str], had: Sequence[str]) -> list[str]:
    names = {each.partition("==")[0].lower() for each in had}
    return [each for each in wanted if each.partition("==")[0].lower() not in names]


def count_flaky(ends: Sequence[TestRun | InvalidRun]) -> int:
    """Tests that did not pass in each of the runs; all of them where a run told nothing."""
    runs = [run for run in ends if isinstance(run, TestRun)]
    failed = {r.test for run in runs for r in run.results if r.outcome is not Outcome.PASSED}
    return len(failed) + len(ends) - len(runs)


def _search_with_pynguin(
    program: Files, wanted: Sequence[VouchedFunction], sources: Path, seconds: int
) -> dict[str, tuple[RivalFile, int]]:
    """What Pynguin makes of each file, in the time of all its functions."""
    python = environment(PYNGUIN, case_cache())
    found = {}
    for path in dict.fromkeys(each.function.path for each in wanted):
        count = sum(each.function.path == path for each in wanted)
        say(f"Pynguin on {path}, {seconds * count} s")
        made = write_pynguin(python, sources, module_of(path, program), seconds * count, 0)
        found[path] = (made, count)
    return found


@dataclass(frozen=True, slots=True)
class Rivals:
    """Who else has tests: an interpreter with the ghostwriter, what Pynguin made by file, and a later release."""

    python: str
    sources: Path
    pynguin: Mapping[str, tuple[RivalFile, int]]
    later: Files


def _compare(grower: FunctionGrower, vouched: VouchedFunction, effort: Effort, rivals: Rivals) -> Compared:
    name = vouched.function.qualname
    say(f"{vouched.function.path}: {name}")
    opened = grower.open_function(vouched, time.monotonic() + effort.seconds)
    if isinstance(opened, str) or not opened.mutants:
        return Compared(name, 0, frozenset(), Side(problem=opened if isinstance(opened, str) else ""), {})
    began = time.monotonic()
    grown = grower.grow(vouched, began + effort.seconds)
    took = time.monotonic() - began
    text = grower.printer.print_tests(grown.cases).text if grown.cases else ""
    ours = Side(_kills(grower, opened, _laid(grower, opened, text)), took, sum(lines_of_tests(text)))
    module = module_of(vouched.function.path, grower.seen.sources)
    ghost = (
        write_ghost(rivals.python, rivals.sources, module, name) if "." not in name else RivalFile(problem="a method")
    )
    sides = {"ghost": _side(grower, opened, ghost, 1)}
    if vouched.function.path in rivals.pynguin:
        sides["pynguin"] = _side(grower, opened, *rivals.pynguin[vouched.function.path])
    apart = ours.killed.union(*(side.killed for side in sides.values()))
    apart |= _kills(grower, _only(opened, apart), rivals.later)
    apart |= _search(grower, _only(opened, apart), effort.apart_seconds)
    return Compared(name, len(opened.mutants), apart, ours, sides, grown.cases)


def _only(opened: OpenFunction, known: frozenset[Mutant]) -> OpenFunction:
    """With the mutants that nobody has told apart yet."""
    return replace(opened, mutants=tuple(each for each in opened.mutants if each not in known))


def _search(grower: FunctionGrower, opened: OpenFunction, seconds: int) -> frozenset[Mutant]:
    """The mutants for which searches with other seeds find an input, in so many seconds; no search for none."""
    until = time.monotonic() + seconds
    found: frozenset[Mutant] = frozenset()
    for seed in itertools.count(1):
        left = _only(opened, found)
        if not left.mutants or (seed > LEAST_SEARCHES and time.monotonic() >= until):
            return found
        found |= find_inputs(grower.sandbox, grower.seen, left, grower.limits, seed).apart
    return found


def _side(grower: FunctionGrower, opened: OpenFunction, made: RivalFile, share: int) -> Side:
    """A rival's tests on the mutants; what they took is shared by so many functions."""
    killed = _kills(grower, opened, _laid(grower, opened, made.text))
    return Side(killed, made.seconds / share, made.lines // share, made.problem)


def _laid(grower: FunctionGrower, opened: OpenFunction, text: str) -> Files:
    path = grower.path(opened.function.path).replace("test_grown", "test_rival")
    return ((path, text.encode()),) if text else ()


def _kills(grower: FunctionGrower, opened: OpenFunction, files: Files) -> frozenset[Mutant]:
    """The mutants that files of tests kill, without those of their tests that the program fails."""
    wanted = [TestId(path) for path, _ in files if Path(path).name.startswith("test_")]
    if not wanted or not opened.mutants:
        return frozenset()
    run = grower.sandbox.run(wanted, files, limits=replace(grower.limits, wall_seconds=120.0))
    if isinstance(run, InvalidRun):
        return frozenset()
    tests = [result.test for result in run.results if result.outcome is Outcome.PASSED]
    if not tests:
        return frozenset()
    seen = grower.seen
    with open_router(grower.sandbox, seen.baseline, seen.sources, tests, files, grower.limits) as router:
        if router.why(opened.function):
            return frozenset()
        return killed_by(router, {mutant: opened.trial(mutant) for mutant in opened.mutants})


Found = Mapping[str, tuple[Sequence[Compared], int, Sequence[int]]]


def rows_of(found: Found) -> Iterator[Row]:
    kills, flaky, lines = [], [], []
    for name, (compared, count, own) in found.items():
        apart = sum(len(each.apart) for each in compared)
        if apart:
            kills.append((name, sum(len(each.ours.killed & each.apart) for each in compared) / apart))
        flaky.append((name, float(count)))
        if own:
            lines.append((name, float(statistics.median(own))))
    measured = ((KILLS, kills), (FLAKY, flaky), (LINES, lines))
    yield from (Row(figure, tuple(values)) for figure, values in measured if values)
    for figure, per in ((PER_SECOND, "seconds"), (PER_LINE, "lines")):
        values = []
        for name, (compared, _, _) in found.items():
            rates = {side: _rate(compared, side, per) for side in ("ours", "ghost", "pynguin")}
            best = max(rates["ghost"], rates["pynguin"])
            if best:
                values.append((name, rates["ours"] / best))
        if values:
            yield Row(figure, tuple(values))


def _sides(compared: Sequence[Compared], side: str) -> list[Side]:
    return [each.ours if side == "ours" else each.rivals.get(side, Side()) for each in compared]


def _rate(compared: Sequence[Compared], side: str, per: str) -> float:
    sides = _sides(compared, side)
    total = sum(getattr(each, per) for each in sides)
    return sum(len(each.killed) for each in sides) / total if total else 0.0


def _numbers(found: Found) -> Iterator[tuple[str, float]]:
    for name, (compared, _, _) in found.items():
        yield f"{name}_open", float(sum(each.open for each in compared))
        yield f"{name}_apart", float(sum(len(each.apart) for each in compared))
        for side in ("ours", "ghost", "pynguin"):
            sides = _sides(compared, side)
            yield f"{name}_{side}_killed", float(sum(len(each.killed) for each in sides))
            yield f"{name}_{side}_seconds", round(sum(each.seconds for each in sides), 1)
            yield f"{name}_{side}_lines", float(sum(each.lines for each in sides))


def _notes(found: Found) -> Iterator[str]:
    every = [each for compared, _, _ in found.values() for each in compared]
    killed = sum(len(each.ours.killed & each.apart) for each in every)
    yield f"together: ours kill {killed} of {sum(len(each.apart) for each in every)} that are apart"
    for name, (compared, _, _) in found.items():
        for side in ("ours", "ghost", "pynguin"):
            sides = _sides(compared, side)
            killed, seconds = sum(len(s.killed) for s in sides), sum(s.seconds for s in sides)
            yield f"{name}: {side} kills {killed} in {seconds:.0f} s with {sum(s.lines for s in sides)} lines"
            problems = {s.problem for s in sides if s.problem}
            yield from (f"{name}: {side}: {problem}" for problem in sorted(problems))
        for each in compared:
            missed = sorted(each.apart - each.ours.killed, key=lambda mutant: mutant.line)
            yield from (f"{name}: missed: {each.name}, line {mutant.line}: {mutant.label}" for mutant in missed)


if __name__ == "__main__":
    main()
