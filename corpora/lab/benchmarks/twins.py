"""The impossible twins of whole test suites, on the programs that they belong to: each must fail."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from analysis.errors import RepairError
from analysis.facts import Limits, Outcome
from corpora.environment import environment
from corpora.lab.benchmarks.named import pin_package
from corpora.lab.benchmarks.work import BOLTONS, MORE, NETWORKX, PLUGINS, TOOLZ
from corpora.lab.cases import HUMANIZE, SQLPARSE, TABULATE
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import case_cache, unpack
from repair.gates.controls import Noticed, TwinAnswer, judge_twins, twins_of
from repair.observe.complete_runs import complete_run
from repair.records.ports import Sandbox
from repair.trials.layered import LayeredSandbox
from sandbox.jail import choose
from sandbox.jail_protocol import Jail
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target

FORM = "NAME==VERSION:TESTS"
_LIMITS = Limits(wall_seconds=900.0, cpu_seconds=900.0, test_seconds=120.0, output_bytes=256 << 20)
"""A suite whose tests all fail writes much."""
_CLOCKS = ("freezegun==1.5.5", "python-dateutil==2.9.0.post0", "six==1.17.0")
_ALARMS = (Noticed.HOLDS, Noticed.PASSED, Noticed.FORGED)


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of one library, as words for pytest."""

    package: SourcePackage
    tests: tuple[str, ...]
    pytest_args: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The library and the words."""
        return " ".join([str(self.package), *self.tests, *self.pytest_args])


SUITES = (
    Suite(BOLTONS, ("tests",)),
    Suite(BOLTONS, ("boltons",), ("--doctest-modules",)),
    Suite(HUMANIZE.pair.new, ("tests",), requirements=_CLOCKS),
    Suite(SQLPARSE.pair.new, ("tests",)),
    Suite(TABULATE.pair.new, ("test",)),
    Suite(MORE, ("tests/test_more.py",)),
    Suite(TOOLZ, ("toolz/tests",)),
    Suite(NETWORKX, ("networkx/classes/tests", "networkx/algorithms/shortest_paths")),
)


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the twins of one suite's tests, those that pass as they are."""

    tests: int
    exempt: int
    answers: tuple[TwinAnswer, ...]

    @property
    def alarms(self) -> tuple[TwinAnswer, ...]:
        """Twins that did not fail on the very program that their tests are for."""
        return tuple(answer for answer in self.answers if answer.noticed in _ALARMS)

    def counts(self) -> dict[str, int]:
        """How many tests there are, and how many ended in each way."""
        found = Counter(answer.noticed for answer in self.answers)
        return {"tests": self.tests, "exempt": self.exempt, **{kind.value: found[kind] for kind in Noticed}}


def _suites(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    for text in given:
        name, _, rest = text.partition("==")
        version, _, tests = rest.partition(":")
        if not (name and version and tests):
            raise click.BadParameter(f"{text!r} is not of the form {FORM}")
    return given


@click.command()
@click.option("--library", "named", multiple=True, metavar=FORM, callback=_suites, help="Another library's tests.")
@click.option("--with", "extra", multiple=True, metavar="NAME==VERSION", help="What tests of --library need.")
@click.option("--dir", "directory", type=click.Path(path_type=Path), default=Path("build/twins"), show_default=True)
def main(named: tuple[str, ...], extra: tuple[str, ...], directory: Path) -> None:
    """Run the twin of every passing test on the unchanged program; exit 1 where one passes all the same."""
    alarms = 0
    try:
        jail = choose("auto")
        for suite in tuple(_parse_suite(text, extra) for text in named) or SUITES:
            found = tally_suite(suite, directory, jail)
            alarms += len(found.alarms)
            click.echo(json.dumps({"suite": suite.name, **found.counts()}))
            for alarm in found.alarms:
                click.echo(f"  {alarm.noticed.value}: {alarm.test}, line {alarm.line}")
    except RepairError as problem:
        click.echo(f"twins: {problem}", err=True)
        sys.exit(problem.exit_code)
    sys.exit(1 if alarms else 0)


def _parse_suite(text: str, extra: Sequence[str]) -> Suite:
    name, _, rest = text.partition("==")
    version, _, tests = rest.partition(":")
    return Suite(pin_package(name, version), tuple(tests.split(",")), requirements=tuple(extra))


def tally_suite(suite: Suite, directory: Path, jail: Jail) -> Tally:
    """The suite of the library, unpacked afresh below the directory."""
    root = (directory / str(suite.package)).absolute()
    shutil.rmtree(root, ignore_errors=True)
    unpack(fetch(suite.package, case_cache()), root)
    python = environment((*PLUGINS, *suite.requirements), case_cache())
    environ = {"PATH": os.environ.get("PATH", os.defpath)}
    target = open_target(str(root), python=python, environ=environ, pytest_args=suite.pytest_args)
    with LocalSandbox(target, limits=_LIMITS, jail=jail, selection=suite.tests) as sandbox:
        return tally(sandbox)


def tally(sandbox: Sandbox) -> Tally:
    """The whole selection run once as it is, and once as its twins with the lines that each test runs.

    Raises ``TargetError`` where it does not run to its end; tests that hang are told apart.
    """
    plain = complete_run(sandbox, (), _LIMITS)
    tests = [result.test for result in plain.results if result.outcome is Outcome.PASSED]
    twins = twins_of(tests, sandbox.sources())
    run = complete_run(LayeredSandbox(sandbox, twins.files), tests, _LIMITS, trace=True)
    return Tally(len(tests), len(twins.exempt), tuple(judge_twins(twins, tests, run)))


if __name__ == "__main__":
    main()
