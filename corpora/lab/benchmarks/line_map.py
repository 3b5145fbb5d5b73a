"""What the map of the lines that each test runs costs, beside the same suite without it, in processor time."""

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
from analysis.facts import InvalidRun, Limits, TestRun
from corpora.environment import environment
from corpora.lab.benchmarks.figures import Measured, row
from corpora.lab.benchmarks.setup import Setup
from corpora.lab.benchmarks.steps import Step
from corpora.lab.benchmarks.work import BOLTONS, MORE, NETWORKX
from corpora.lab.cases import HUMANIZE, SQLPARSE
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import unpack
from sandbox.jail_protocol import NO_JAIL
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target

TOOLS = (
    *("iniconfig==2.1.0", "packaging==25.0", "pluggy==1.6.0", "pytest==8.4.2", "Pygments==2.19.2"),
    *("freezegun==1.5.5", "python-dateutil==2.9.0.post0", "six==1.17.0"),
)
FIGURES = (("3.11", "line_map_ratio_311"), ("3.12", "line_map_ratio_312"))
_LEAST_SECONDS = 0.05
"""No interpreter starts and runs a suite in less."""

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
    """The ratio of one library; an interpreter that is not there leaves a note instead."""
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
        return _figures(figure, library.package.name, compare_runs(sandbox, setup.rounds))


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
    """Processor seconds of a suite, the least of some rounds, without a map and with it; and what the map holds."""

    plain: float
    mapped: float
    tests: int
    pairs: int


def compare_runs(sandbox: LocalSandbox, rounds: int) -> Compared:
    """Run the suite in turns without a map and with it, as a baseline does."""
    plain, mapped = float("inf"), float("inf")
    for _ in range(rounds):
        before = _spent_seconds()
        _run(sandbox, traced=False)
        between = _spent_seconds()
        run = _run(sandbox, traced=True)
        plain, mapped = min(plain, between - before), min(mapped, _spent_seconds() - between)
    assert plain > _LEAST_SECONDS, "the processor time of the suite was not seen"
    pairs = sum(len(lines) for _, files in run.line_map for _, lines in files)
    return Compared(plain, mapped, len(run.results), pairs)


def _run(sandbox: LocalSandbox, *, traced: bool) -> TestRun:
    run = sandbox.run((), trace=traced)
    if isinstance(run, InvalidRun):
        raise TargetError(f"The suite does not run: {run.detail} {run.output[-500:]}")
    if not run.results or bool(run.line_map) != traced:
        raise TargetError("The suite ran no test, or its line map is not there")
    return run


def _figures(figure: str, key: str, found: Compared) -> Measured:
    """The row's value for one library, and what stands beside it."""
    numbers = (
        (f"{figure}_plain_seconds_{key}", found.plain),
        (f"{figure}_tests_{key}", found.tests),
        (f"{figure}_pairs_{key}", found.pairs),
    )
    return Measured((row(figure, {key: found.mapped / found.plain}),), numbers)


def _spent_seconds() -> float:
    """Processor time of all processes that we started and that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _tree(setup: Setup, package: SourcePackage) -> Path:
    root = (setup.directory / "lines" / str(package)).absolute()
    shutil.rmtree(root, ignore_errors=True)
    unpack(fetch(package, setup.cache), root)
    return root
