"""`make bench-grow`: which mutants that no test notices grown tests kill, beside Hypothesis's ghostwriter and Pynguin.

A mutant counts as told apart where a search with one of three other seeds finds an input for it, or any test does.
All tests run on the same mutants, in the same forks.
"""

from __future__ import annotations

import datetime
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
from corpora.lab.benchmarks.rival_tests import (
    GHOST,
    PYNGUIN,
    RivalFile,
    lines_of_tests,
    write_ghost,
    write_pynguin,
)
from corpora.lab.benchmarks.setup import machine_of, say, versions
from corpora.lab.cases import HUMANIZE, PYTEST
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


@dataclass(frozen=True, slots=True)
class Library:
    """A library, the files whose public functions are grown, its environment, and its ``tests`` where not all count."""

    package: SourcePackage
    paths: tuple[str, ...]
    sources: str = "."
    requirements: tuple[str, ...] = PYTEST
    tests: tuple[str, ...] = ()


LIBRARIES = {
    "inflection": Library(
        SourcePackage("inflection", "0.5.1", "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417"),
        ("inflection",),
    ),
    "humanize": Library(
        HUMANIZE.pair.new,
        ("src/humanize/filesize.py", "src/humanize/lists.py", "src/humanize/number.py"),
        "src",
        HUMANIZE.requirements,
    ),
    "idna": Library(
        SourcePackage("idna", "3.20", "a7db850025b95ded1eae8a46181a1a6c56c92c96f0e2b005d9ff8dc0210cab44"),
        ("idna/core.py", "idna/intranges.py"),
        tests=(
            "tests/test_idna.py",
            "tests/test_idna_compat.py",
            "tests/test_idna_codec.py",
        ),  # not the 6,000 of a table
    ),
    "isodate": Library(
        SourcePackage("isodate", "0.7.2", "4cd1aa0f43ca76f4a6c6c0292a85f40b35ec2e43e315b59f06e6d32171a953e6"),
        ("src/isodate",),
        "src",
    ),
    "rfc3986": Library(
        SourcePackage("rfc3986", "2.0.0", "97aacf9dbd4bfd829baad6e6309fa6573aaf1be3f6fa735c8ab05e46cecb261c"),
        ("src/rfc3986/normalizers.py", "src/rfc3986/misc.py", "src/rfc3986/validators.py"),
        "src",
    ),
    "validators": Library(
        SourcePackage("validators", "0.36.0", "92ad9ed00bbed320b784cec0ea90b213cf08904cf605b3d0852cfa4108e32a2c"),
        ("src/validators",),
        "src",
    ),
    "webcolors": Library(
        SourcePackage("webcolors", "25.10.0", "62abae86504f66d0f6364c2a8520de4a0c47b80c03fc3a5f1815fedbef7c19bf"),
        ("src/webcolors",),
        "src",
    ),
}
"""Growing was never tried on the last five before they were measured."""


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
@click.option("--only", default="inflection", show_default=True, help=f"Libraries: {', '.join(LIBRARIES)}.")
@click.option("--seconds", default=60, show_default=True, help="Time for a function.")
@click.option("--mutants", default=100, show_default=True, help="Mutants of a function at most.")
@click.option("--runs", default=50, show_default=True, help="Shuffled runs of what was grown.")
@click.option("--most", default=1000, show_default=True, help="Functions of a library at most, by chance.")
@click.option("--pynguin/--no-pynguin", default=True, show_default=True, help="Whether Pynguin takes part.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("build/bench/grow.json"), show_default=True)
def main(only: str, seconds: int, mutants: int, runs: int, most: int, pynguin: bool, out: Path) -> None:
    """Measure, print the table, and write the record."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - LIBRARIES.keys():
        raise click.UsageError(f"There is no library {sorted(unknown)[0]!r}")
    began, load = time.monotonic(), os.getloadavg()
    found: dict[str, tuple[list[Compared], int, list[int]]] = {}
    for name in names:
        options = Options(root="", max_seconds=3600.0, mutants=mutants)
        found[name] = measure_library(LIBRARIES[name], options, seconds, runs, most, out.parent, pynguin=pynguin)
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


def measure_library(
    library: Library, options: Options, seconds: int, runs: int, most: int, folder: Path, *, pynguin: bool
) -> tuple[list[Compared], int, list[int]]:
    """Each function compared, how many tests differed in shuffled runs, and the lines of each test."""
    tree = folder / "grow-trees" / str(library.package)
    if not tree.exists():
        unpack(fetch(library.package, case_cache()), tree)
    python = environment((*library.requirements, *_missing(GHOST, library.requirements)), case_cache())
    options = replace(options, root=str(tree.resolve()), python=python, tests=library.tests)
    with open_surveyor(options, lambda _: None, os.environ, time.monotonic()) as (sandbox, surveyor, _):
        seen = surveyor.look(SurveyRequest(library.paths, mutants=0, seed=0))
        maker = FileMaker.of(seen, "", failing=False)
        grower = FunctionGrower(
            sandbox, seen, surveyor.limits, maker.printer, maker.constructors, maker.path, 0, options.mutants,
            time.monotonic,
        )  # fmt: skip
        sources = tree.resolve() / library.sources
        wanted = _some_of(seen.public, most)
        searched = _search_with_pynguin(seen.sources, wanted, sources, seconds) if pynguin else {}
        compared = [_compare(grower, each, seconds, python, sources, searched) for each in wanted]
        flaky, lines = 0, []
        for program in dict.fromkeys(each.function.path for each in wanted):
            own = [case for one, each in zip(compared, wanted, strict=True) if each.function.path == program
                   for case in one.cases]  # fmt: skip
            printed = Verifier(sandbox, surveyor.limits, maker.printer).verify(maker.path(program), own).printed
            if printed is not None:
                path = maker.path(program)
                files = ((path, marked(printed.text).encode()),)
                ends = [sandbox.run((TestId(path),), files, shuffle=n, steady=n % 2 == 0) for n in range(runs)]
                flaky += count_flaky(ends)
                lines += lines_of_tests(printed.text)
                kept = folder / "grown" / str(library.package) / path
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(marked(printed.text), "utf-8")
        return compared, flaky, lines


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


def _compare(
    grower: FunctionGrower,
    vouched: VouchedFunction,
    seconds: int,
    python: str,
    sources: Path,
    searched: Mapping[str, tuple[RivalFile, int]],
) -> Compared:
    name = vouched.function.qualname
    say(f"{vouched.function.path}: {name}")
    opened = grower.open_function(vouched, time.monotonic() + seconds)
    if isinstance(opened, str) or not opened.mutants:
        return Compared(name, 0, frozenset(), Side(problem=opened if isinstance(opened, str) else ""), {})
    began = time.monotonic()
    grown = grower.grow(vouched, began + seconds)
    took = time.monotonic() - began
    text = grower.printer.print_tests(grown.cases).text if grown.cases else ""
    ours = Side(_kills(grower, opened, text), took, sum(lines_of_tests(text)))
    apart = [find_inputs(grower.sandbox, grower.seen, opened, grower.limits, seed).apart for seed in (1, 2, 3)]
    module = module_of(vouched.function.path, grower.seen.sources)
    ghost = write_ghost(python, sources, module, name) if "." not in name else RivalFile(problem="a method")
    rivals = {"ghost": _side(grower, opened, ghost, 1)}
    if vouched.function.path in searched:
        rivals["pynguin"] = _side(grower, opened, *searched[vouched.function.path])
    everyone = frozenset[Mutant]().union(*apart, ours.killed, *(side.killed for side in rivals.values()))
    return Compared(name, len(opened.mutants), everyone, ours, rivals, grown.cases)


def _side(grower: FunctionGrower, opened: OpenFunction, made: RivalFile, share: int) -> Side:
    """A rival's tests on the mutants; what they took is shared by so many functions."""
    killed = _kills(grower, opened, made.text) if made.text else frozenset[Mutant]()
    return Side(killed, made.seconds / share, made.lines // share, made.problem)


def _kills(grower: FunctionGrower, opened: OpenFunction, text: str) -> frozenset[Mutant]:
    """The mutants that a file of tests kills, without those of its tests that the program fails."""
    if not text:
        return frozenset()
    path = grower.path(opened.function.path).replace("test_grown", "test_rival")
    files = ((path, text.encode()),)
    run = grower.sandbox.run((TestId(path),), files, limits=replace(grower.limits, wall_seconds=120.0))
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
    for name, (compared, _, _) in found.items():
        for side in ("ours", "ghost", "pynguin"):
            sides = _sides(compared, side)
            killed, seconds = sum(len(s.killed) for s in sides), sum(s.seconds for s in sides)
            yield f"{name}: {side} kills {killed} in {seconds:.0f} s with {sum(s.lines for s in sides)} lines"
            problems = {s.problem for s in sides if s.problem}
            yield from (f"{name}: {side}: {problem}" for problem in sorted(problems))


if __name__ == "__main__":
    main()
