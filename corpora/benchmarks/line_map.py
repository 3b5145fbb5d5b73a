"""What the map of the lines that each test runs costs, beside coverage's own with contexts, in processor time."""

from __future__ import annotations

import os
import resource
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import InvalidRun, Limits
from corpora.benchmarks.figures import Measured, row
from corpora.benchmarks.setup import Setup
from corpora.benchmarks.work import BOLTONS, MORE, NETWORKX
from corpora.cases import HUMANIZE, SQLPARSE
from corpora.environment import environment
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


def bench_line_map(setup: Setup, libraries: Sequence[Library] = LIBRARIES) -> Measured:
    """Both ratios with a value for each library. An interpreter that is not there leaves a note instead."""
    found: list[Measured] = []
    for version, name in FIGURES:
        python = interpreter(version)
        if python is None:
            found.append(Measured(notes=(f"{name} was not measured: there is no Python {version} here.",)))
        else:
            found.append(_ratios(setup, name, environment(TOOLS, setup.cache, python), libraries))
    rows = tuple(each for part in found for each in part.rows)
    numbers = tuple(each for part in found for each in part.numbers)
    return Measured(rows, numbers, tuple(note for part in found for note in part.notes))


def interpreter(version: str) -> str | None:
    """A Python of that version on this machine: our own, one of pyenv's, or one on the path."""
    if version == "{}.{}".format(*sys.version_info[:2]):
        return sys.executable
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    found = str(kept[-1]) if kept else shutil.which(f"python{version}")
    return found if found and "shims" not in found else None


def _ratios(setup: Setup, name: str, python: str, libraries: Sequence[Library]) -> Measured:
    ours, rivals = {}, {}
    for library in libraries:
        root = _tree(setup, library.package)
        target = open_target(str(root), python=python, environ={"PATH": os.environ.get("PATH", os.defpath)})
        # Without walls: bubblewrap ends before it has reaped what it ran, whose processor time then nobody sees.
        with LocalSandbox(target, limits=_LIMITS, jail=NO_JAIL, selection=library.tests) as sandbox:
            plain, mapped, rival = _seconds(sandbox, setup.rounds)
        key = library.package.name
        ours[key], rivals[key] = mapped / plain, rival / plain
        setup.say(f"{name} {key}: plain {plain:.2f} s, ours {ours[key]:.2f}, coverage with contexts {rivals[key]:.2f}")
    beside = tuple((f"{name}_coverage_{key}", ratio) for key, ratio in rivals.items())
    return Measured((row(name, ours),), beside)


def _seconds(sandbox: LocalSandbox, rounds: int) -> tuple[float, float, float]:
    """The least processor time of the suite: plain, with our map, with the rival's (which runs once)."""
    least = {_PLAIN: float("inf"), _OURS: float("inf"), _RIVAL: float("inf")}
    for turn in range(rounds):
        for tracer in (_PLAIN, _OURS) if turn else (_PLAIN, _OURS, _RIVAL):
            before = _spent()
            run = sandbox.run((), trace=tracer)
            least[tracer] = min(least[tracer], _spent() - before)
            if isinstance(run, InvalidRun):
                raise TargetError(f"The suite does not run: {run.detail} {run.output[-500:]}")
            if not run.results or bool(run.line_map) != bool(tracer):
                raise TargetError("The suite ran no test, or its line map is not there", where=tracer)
    assert least[_PLAIN] > _LEAST_SECONDS, "the processor time of the suite was not seen"
    return least[_PLAIN], least[_OURS], least[_RIVAL]


def _spent() -> float:
    """Processor time of all processes that we started and that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _tree(setup: Setup, package: SourcePackage) -> Path:
    root = (setup.directory / "lines" / str(package)).absolute()
    shutil.rmtree(root, ignore_errors=True)
    unpack(fetch(package, setup.cache), root)
    return root
