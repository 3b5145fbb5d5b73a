"""What the map of the lines that each test runs costs, beside coverage's own with contexts, in processor time."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import InvalidRun, Limits, LineMap, TestId, TestRun
from corpora.environment import environment
from corpora.lab.benchmarks.figures import Measured, row
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.steps import Step
from corpora.lab.benchmarks.work import BOLTONS, MORE, NETWORKX
from corpora.lab.cases import HUMANIZE, SQLPARSE
from corpora.source_package import SourcePackage, fetch, unpack
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from sandbox.walls import NO_JAIL

TOOLS = (
    *("iniconfig==2.1.0", "packaging==25.0", "pluggy==1.6.0", "pytest==8.4.2", "Pygments==2.19.2"),
    *("coverage==7.10.7", "freezegun==1.5.5", "python-dateutil==2.9.0.post0", "six==1.17.0"),
)
FIGURES = (("3.11", "line_map_ratio_311"), ("3.12", "line_map_ratio_312"))
_LEAST_SECONDS = 0.05
"""No interpreter starts and runs a suite in less."""

_PLAIN, _OURS, _RIVAL = "", "auto", "coverage"
_NAMED = 3

Executed = tuple[TestId, str, int]
"""A test, a file, and a line of it that the test runs."""

_LIMITS = Limits(wall_seconds=900.0, cpu_seconds=900.0, test_seconds=300.0)


@dataclass(frozen=True, slots=True)
class Library:
    """One library and the part of its suite that is timed."""

    package: SourcePackage
    tests: tuple[str, ...]


LIBRARIES = (
    Library(BOLTONS, ("tests",)),
    Library(HUMANIZE.pair.new, ("tests",)),
    Library(SQLPARSE.pair.new, ("tests",)),
    Library(MORE, ("tests/test_recipes.py", "tests/test_more.py")),
    Library(
        NETWORKX,
        ("networkx/classes/tests", "networkx/algorithms/shortest_paths", "networkx/algorithms/tests/test_dag.py"),
    ),
)


def line_map_steps() -> tuple[Step, ...]:
    """A step for each interpreter and library."""
    return tuple(
        Step(f"line_map/{version}/{library.package.name}", partial(bench_line_map, version, figure, library))
        for version, figure in FIGURES
        for library in LIBRARIES
    )


def bench_line_map(version: str, figure: str, library: Library, setup: Setup) -> Measured:
    """The ratio of one library, and in how many pairs its map differs from coverage's.

    An interpreter that is not there leaves a note instead.
    """
    python = interpreter(version, setup.python312)
    if python is None:
        return Measured(notes=(f"{figure} was not measured: there is no Python {version} here.",))
    root = _tree(setup, library.package)
    target = open_target(
        str(root),
        python=environment(TOOLS, setup.cache, python),
        environ={"PATH": os.environ.get("PATH", os.defpath)},
    )
    # Without walls: bubblewrap ends before it has reaped what it ran, whose processor time then nobody sees.
    with LocalSandbox(target, limits=_LIMITS, jail=NO_JAIL, selection=library.tests) as sandbox:
        return _figures(figure, library.package.name, compared(sandbox, setup.rounds))


def interpreter(version: str, named: str = "") -> str | None:
    """A Python of that version: the one named if it is of it, our own, one of pyenv's, or one on the path."""
    if named and _version(named) == version:
        return named
    if version == "{}.{}".format(*sys.version_info[:2]):
        return sys.executable
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    found = str(kept[-1]) if kept else shutil.which(f"python{version}")
    return found if found and _version(found) == version else None


def _version(python: str) -> str:
    """The version that an interpreter says it has; empty where it does not start."""
    asked = "import sys; print('{}.{}'.format(*sys.version_info))"
    try:
        return subprocess.run([python, "-I", "-c", asked], capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Compared:
    """Processor seconds of a suite, the least of some rounds: plain, with our map, with coverage's (which runs once).

    ``differing`` are the (test, file, line) that only one of both maps has; where there are any, both are made again.
    ``unsteady`` are those where one of the kinds does not agree with itself: threads that race with their test.
    """

    plain: float
    ours: float
    rival: float
    tests: int
    pairs: int
    differing: tuple[Executed, ...]
    unsteady: int


def compared(sandbox: LocalSandbox, rounds: int) -> Compared:
    """Run the suite in turns without a map, with ours, and with coverage's."""
    least = {_PLAIN: float("inf"), _OURS: float("inf"), _RIVAL: float("inf")}
    runs: dict[str, TestRun] = {}
    for turn in range(rounds):
        for tracer in (_PLAIN, _OURS) if turn else (_PLAIN, _OURS, _RIVAL):
            before = _spent()
            runs[tracer] = _run(sandbox, tracer)
            least[tracer] = min(least[tracer], _spent() - before)
    assert least[_PLAIN] > _LEAST_SECONDS, "the processor time of the suite was not seen"
    reference = runs[_RIVAL].line_map
    odd = difference(runs[_OURS].line_map, reference)
    again = {tracer: _run(sandbox, tracer).line_map for tracer in (_OURS, _RIVAL) if odd}
    own = frozenset().union(*(difference(each, runs[tracer].line_map) for tracer, each in again.items()))
    pairs = sum(len(lines) for _, files in reference for _, lines in files)
    counts = (len(runs[_OURS].results), pairs, tuple(sorted(odd - own)), len(own))
    return Compared(least[_PLAIN], least[_OURS], least[_RIVAL], *counts)


def _run(sandbox: LocalSandbox, tracer: str) -> TestRun:
    run = sandbox.run((), trace=tracer)
    if isinstance(run, InvalidRun):
        raise TargetError(f"The suite does not run: {run.detail} {run.output[-500:]}")
    if not run.results or bool(run.line_map) != bool(tracer):
        raise TargetError("The suite ran no test, or its line map is not there", where=tracer)
    return run


def difference(one: LineMap, other: LineMap) -> frozenset[Executed]:
    """All (test, file, line) that only one of the maps has."""
    found: set[Executed] = set()
    maps = [{test: dict(files) for test, files in each} for each in (one, other)]
    for test in maps[0].keys() | maps[1].keys():
        files, others = (each.get(test, {}) for each in maps)
        for path in files.keys() | others.keys():
            odd = files.get(path, frozenset()) ^ others.get(path, frozenset())
            found.update((test, path, line) for line in odd)
    return frozenset(found)


def _figures(figure: str, key: str, found: Compared) -> Measured:
    """The row's value for one library, what stands beside it, and which pairs differ."""
    numbers = (
        (f"{figure}_coverage_{key}", found.rival / found.plain),
        (f"{figure}_plain_seconds_{key}", found.plain),
        (f"{figure}_tests_{key}", found.tests),
        (f"{figure}_pairs_{key}", found.pairs),
        (f"{figure}_differing_{key}", len(found.differing)),
        (f"{figure}_unsteady_{key}", found.unsteady),
    )
    some = "; ".join(f"{test} {path}:{line}" for test, path, line in found.differing[:_NAMED])
    notes = (f"{figure}, {key}: {len(found.differing)} pairs differ from coverage's, such as {some}.",) if some else ()
    return Measured((row(figure, {key: found.ours / found.plain}),), numbers, notes)


def _spent() -> float:
    """Processor time of all processes that we started and that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _tree(setup: Setup, package: SourcePackage) -> Path:
    root = (setup.directory / "lines" / str(package)).absolute()
    shutil.rmtree(root, ignore_errors=True)
    unpack(fetch(package, setup.cache), root)
    return root
