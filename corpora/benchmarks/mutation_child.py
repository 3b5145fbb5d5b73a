"""Our side of the comparison with mutmut, in a process of its own: opening, tests, mutants, all as the gate has them.

It reads what to do from its input as JSON and writes what it found as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from analysis.errors import TargetError
from analysis.facts import InvalidRun, Limits, Outcome, TestRun
from analysis.functions import find_function, functions_of
from analysis.trials import Trial, TrialState
from corpora.benchmarks.cost import tree_cpu
from corpora.benchmarks.mutmut_tree import reaped
from repair.comparing import as_trial
from repair.functions import edit_scope
from repair.ladder import Ladder, Selection, TrialTier
from repair.mutant_states import mutant_state
from repair.plan import covering_tests
from repair.screening import LEAST_SECONDS
from sandbox.jail import choose
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from sandbox.warm import WarmServer
from transforms.mutants import mutants

_PATIENT = Limits(wall_seconds=600.0, cpu_seconds=600.0, test_seconds=120.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """What to run: one function's mutants, or these texts of it, on so many workers."""

    root: str
    python: str
    path: str
    qualname: str
    tests: tuple[str, ...]
    workers: int
    isolation: str
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """The state of each mutant in order; what all of them cost, and what the whole process did."""

    states: tuple[str, ...]
    tests: int
    tier: str
    wall: float
    cpu: float
    whole_cpu: float


def main() -> None:
    """Answer one question."""
    asked = json.load(sys.stdin)
    asked |= {"tests": tuple(asked["tests"]), "texts": tuple(asked["texts"])}
    json.dump(asdict(answered(Asked(**asked))), sys.stdout)


def answered(asked: Asked) -> Answered:
    """Open the tree, run its tests once with their lines, and try the mutants on those that run the function."""
    target = open_target(asked.root, python=asked.python, environ={"PATH": os.environ.get("PATH", os.defpath)})
    jail = choose(asked.isolation)
    with LocalSandbox(target, limits=_PATIENT, jail=jail, selection=asked.tests, jobs=asked.workers) as sandbox:
        run = sandbox.run((), trace=True)
        if isinstance(run, InvalidRun):
            raise TargetError(f"The tests do not run: {run.detail} {run.output[-500:]}", where=asked.root)
        selection = _selection(sandbox, run, asked)
        trials = _trials(sandbox, asked)
        ladder = Ladder(sandbox, selection)
        try:
            return _timed(ladder, trials, len(selection.tests))
        finally:
            ladder.close()


def _selection(sandbox: LocalSandbox, run: TestRun, asked: Asked) -> Selection:
    """The passing tests that run the function, with the time that the gate would give them."""
    span = find_function(functions_of(asked.path, dict(sandbox.sources())[asked.path]), asked.qualname)
    passing = [result.test for result in run.results if result.outcome is Outcome.PASSED]
    tests = covering_tests(run.line_map, passing, span) if span is not None else ()
    if not tests:
        raise TargetError(f"No passing test runs {asked.qualname}", where=asked.path)
    usual = LEAST_SECONDS + 5.0 * sum(result.seconds for result in run.results if result.test in set(tests))
    limits = Limits(wall_seconds=usual, test_seconds=usual)
    return Selection(tests, sandbox.sources(), limits, _PATIENT, passes=True)


def _trials(sandbox: LocalSandbox, asked: Asked) -> list[Trial]:
    """The given texts; the function's own mutants where none is given. The function as it is stands first."""
    span = find_function(functions_of(asked.path, dict(sandbox.sources())[asked.path]), asked.qualname)
    assert span is not None, "tests were found to run it"
    scope = edit_scope(sandbox.sources(), span.function)
    texts = [text.encode(scope.encoding) for text in asked.texts] or [mutant.text for mutant in mutants(scope)]
    return [as_trial(scope, text, "mutant") for text in (scope.text, *texts)]


def _timed(ladder: Ladder, trials: Sequence[Trial], tests: int) -> Answered:
    """The control alone first, as in the gate, then all mutants against the clock."""
    control, *every = trials
    tier = ladder.tier_of(control.function)
    if [outcome.state for outcome in ladder.trials([control])] != [TrialState.PASSED]:
        raise TargetError("The function as it is does not pass", where=control.function.path)
    session = ladder.session(tier)
    pid = session.pid if isinstance(session, WarmServer) else 0
    cpu, began = _spent(pid), time.monotonic()
    outcomes = {outcome.digest: mutant_state(outcome) for outcome in ladder.trials(every)}
    wall = time.monotonic() - began
    states = tuple(outcomes[trial.digest].value for trial in every)
    return Answered(states, tests, TrialTier(tier).value, wall, _spent(pid) - cpu, _spent(pid))


def _spent(pid: int) -> float:
    """CPU seconds of this process, of all that it has ended, and of a server with all below it."""
    return time.process_time() + reaped() + (tree_cpu(pid) if pid else 0.0)


if __name__ == "__main__":
    main()
