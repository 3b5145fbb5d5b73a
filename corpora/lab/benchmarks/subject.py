"""One opened piece of work: the unpacked library, its interpreter, its passing tests, its mutants as trials."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import TargetError
from analysis.facts import FunctionId, InvalidRun, Limits, Outcome, TestId, TestResult
from analysis.functions import find_function, functions_of
from analysis.trials import Trial
from corpora.environment import environment
from corpora.lab.benchmarks.work import Work
from corpora.lab.pinned import fetch
from corpora.source_package import unpack
from repair.front.run_inputs import limits_of
from repair.records.functions import as_trial, edit_scope
from repair.trials.screening import LEAST_SECONDS
from sandbox.jail_protocol import Jail
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from transforms.mutants.made import mutants

_RUN_SECONDS = 120.0
_PATIENT = Limits(wall_seconds=600.0, cpu_seconds=600.0, test_seconds=120.0)
"""For the first run, which shows how long the tests take: on a busy machine they may take long."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A piece of work in a sandbox that is wired as `repair fix` wires it."""

    name: str
    sandbox: LocalSandbox
    tests: tuple[TestId, ...]
    """Exact ids of the selection, all of which pass on the unpatched program."""
    selection: tuple[str, ...]
    """What a person would hand to pytest."""
    trials: tuple[Trial, ...]
    limits: Limits

    @property
    def path(self) -> str:
        """The file that all trials change."""
        return self.trials[0].function.path

    def source(self) -> bytes:
        """That file as it is."""
        return dict(self.sandbox.sources())[self.path]

    def patch_file(self, trial: Trial) -> bytes:
        """The whole file with the trial's text in the function's place."""
        source = self.source()
        span = find_function(functions_of(self.path, source), trial.function.qualname)
        assert span is not None, "the trial was made from this file"
        return source[: span.start] + trial.text + source[span.end :]


@contextlib.contextmanager
def open_subject(work: Work, directory: Path, cache: Path, jail: Jail) -> Iterator[Subject]:
    """The library unpacked afresh below the directory and opened; everything but the tree is removed at the end."""
    root = (directory / str(work.package)).absolute()
    shutil.rmtree(root, ignore_errors=True)
    archive = fetch(work.package, cache)
    unpack(archive, root)
    python = environment(work.requirements, cache)
    if work.build:
        _build(root, python)
    with open_tree(work.name, root, python, work.path, work.functions, work.tests, jail) as subject:
        yield subject


@contextlib.contextmanager
def open_tree(
    name: str, root: Path, python: str, path: str, functions: Sequence[str], tests: Sequence[str], jail: Jail
) -> Iterator[Subject]:
    """A tree that is there already, opened in the same way."""
    environ: Mapping[str, str] = {"PATH": os.environ.get("PATH", os.defpath)}
    target = open_target(str(root), python=python, environ=environ, jail=jail)
    limits = limits_of(_RUN_SECONDS)
    with LocalSandbox(target, limits=limits, jail=jail, selection=tests) as sandbox:
        results = _results(sandbox, name)
        ids = tuple(result.test for result in results if result.outcome is Outcome.PASSED)
        seconds = sum(result.seconds for result in results if result.outcome is Outcome.PASSED)
        usual = LEAST_SECONDS + 5.0 * seconds  # as ``repair.trials.screening.trial_limits`` gives it
        trials = tuple(trial for function in functions for trial in _mutants(sandbox, path, function))
        yield Subject(
            name,
            sandbox,
            ids,
            plain_selection(tests, results),
            trials,
            replace(limits, test_seconds=usual, wall_seconds=usual),
        )


def _build(root: Path, python: str) -> None:
    """Build the extension modules of the tree where they stand."""
    command = [python, "setup.py", "build_ext", "--inplace"]
    run = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if run.returncode:
        raise TargetError(f"The extension modules cannot be built: {run.stderr[-300:]}", where=root.name)


def spread_evenly(trials: Sequence[Trial], most: int) -> tuple[Trial, ...]:
    """At most so many of the trials, spread over all of them."""
    if len(trials) <= most:
        return tuple(trials)
    return tuple(trials[place * len(trials) // most] for place in range(most))


def _results(sandbox: LocalSandbox, name: str) -> tuple[TestResult, ...]:
    """What becomes of the selection's tests, in the order in which they are run; at least one passes."""
    run = sandbox.run((), limits=_PATIENT)
    if isinstance(run, InvalidRun):
        raise TargetError(f"The tests of {name} do not run: {run.detail} {run.output[-500:]}")
    if all(result.outcome is not Outcome.PASSED for result in run.results):
        raise TargetError(f"No test of {name} passes")
    return run.results


def plain_selection(tests: Sequence[str], results: Sequence[TestResult]) -> tuple[str, ...]:
    """What a plain pytest that has to pass is handed: the words as they are, or the passing tests where others fail."""
    if all(result.outcome not in (Outcome.FAILED, Outcome.ERROR) for result in results):
        return tuple(tests)
    return tuple(result.test for result in results if result.outcome is Outcome.PASSED)


def _mutants(sandbox: LocalSandbox, path: str, qualname: str) -> Iterator[Trial]:
    source = dict(sandbox.sources())[path]
    span = find_function(functions_of(path, source), qualname)
    if span is None:
        raise TargetError(f"There is no function {qualname}", where=path)
    function: FunctionId = span.function
    scope = edit_scope(((path, source),), function)
    return (as_trial(scope, mutant.text, mutant.label) for mutant in mutants(scope))
