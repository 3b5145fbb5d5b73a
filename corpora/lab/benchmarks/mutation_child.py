"""Our side of the comparison with mutmut, in a process of its own: what ``repair tests`` does for mutants.

The suite is observed and read as that command does it, and its own ``run_mutants`` tries all mutants. Then one of each
function is tried, and all of them again, some times over, so that what happens once cancels out.

It reads what to do from its input as JSON and writes what it found as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial

from analysis.errors import TargetError
from analysis.facts import Files, FunctionId
from analysis.mutation_score import MutantState
from analysis.quality.vouching import VouchedFunction
from corpora.bench.bounded import Usage
from corpora.lab.benchmarks.mutation_asked import Answered, Asked, Spent
from repair.front.opening import target_of
from repair.observe.parsing import check_sources
from repair.records.config import Options
from repair.records.functions import edit_scope
from repair.survey.suite_mutants import MutantBudget, Mutated, function_id, run_mutants
from repair.survey.survey import Surveyor, limits_of
from repair.survey.survey_report import SurveyRequest, SurveySeen
from sandbox.sandbox import LocalSandbox
from sandbox.scratch import scratch_folder
from transforms.mutants.made import mutants

_SECONDS = 1200.0
_ALL = 1_000_000
_TURNS, _TURNS_SECONDS = 3, 15.0
_LOOK_SECONDS = 0.1
"""Servers are killed with their forks at the end, whose processor time then nobody is told."""


def main() -> None:
    """Answer one question."""
    asked = json.load(sys.stdin)
    json.dump(asdict(answer_request(Asked(**{**asked, "tests": tuple(asked["tests"])}))), sys.stdout)


def answer_request(asked: Asked) -> Answered:
    """Observe the suite, and run the mutants of the function or of the file as a survey runs them."""
    options = Options(root=asked.root, python=asked.python, tests=asked.tests, isolation=asked.isolation)  # type: ignore[arg-type]  # a jail's name
    target, jail = target_of(options, {"PATH": os.environ.get("PATH", os.defpath)})
    with (
        meter_spending() as cpu,
        scratch_folder() as scratch,
        LocalSandbox(target, jail=jail, scratch=str(scratch), selection=asked.tests, jobs=asked.workers) as sandbox,
    ):
        surveyor = Surveyor(sandbox, limits_of(_SECONDS), time.monotonic, lambda happened: None, check_sources)
        began = time.monotonic()
        seen = surveyor.look(SurveyRequest((asked.path,)))
        suite = Spent(0, time.monotonic() - began, cpu())
        chosen = [v for v in seen.functions if _is_meant(v, asked)]
        if not any(each.tests for each in chosen):
            raise TargetError("No test runs what is mutated", where=asked.path)
        found, first = _run(surveyor, seen, chosen, _ALL, cpu=cpu)
        began = time.monotonic()
        one, every = _steady(partial(_run, surveyor, seen, chosen, cpu=cpu))
        later = time.monotonic() - began
    reasons = tuple(dict.fromkeys(each.reason for each in found.values() if each.reason))
    states = tuple(_states(seen.sources, chosen, found))
    return Answered(states, len({t for v in chosen for t in v.tests}), reasons, suite, first, one, every, later)


def _is_meant(each: VouchedFunction, asked: Asked) -> bool:
    function = each.function
    return function.path == asked.path and (
        function.qualname == asked.qualname or (not asked.qualname and function.public)
    )


def _run(
    surveyor: Surveyor, seen: SurveySeen, chosen: Sequence[VouchedFunction], most: int, *, cpu: Callable[[], float]
) -> tuple[Mapping[FunctionId, Mutated], Spent]:
    spent, began = cpu(), time.monotonic()
    budget = MutantBudget(most, time.monotonic, began + _SECONDS, lambda count, where: None)
    found = run_mutants(surveyor.sandbox, seen.baseline, chosen, seen.sources, surveyor.limits, budget)
    count = sum(len(each.known) for each in found.values())
    return found, Spent(count, time.monotonic() - began, cpu() - spent)


def _steady(run: Callable[[int], tuple[object, Spent]]) -> tuple[Spent, Spent]:
    """What one mutant of each function costs, and what all cost: the least of some turns, for load only adds."""
    ones: list[Spent] = []
    everies: list[Spent] = []
    began = time.monotonic()
    while len(ones) < _TURNS and (not ones or time.monotonic() - began < _TURNS_SECONDS):
        ones.append(run(1)[1])
        everies.append(run(_ALL)[1])
    return _least(ones), _least(everies)


def _least(turns: Sequence[Spent]) -> Spent:
    return Spent(turns[0].mutants, min(turn.wall for turn in turns), min(turn.cpu for turn in turns))


def _states(
    sources: Files, chosen: Sequence[VouchedFunction], found: Mapping[FunctionId, Mutated]
) -> Iterator[tuple[str, str, str]]:
    """Every mutant that we make. One that was not run is one that no test runs, unless its function was refused."""
    for vouched in chosen:
        scope = edit_scope(sources, function_id(vouched))
        mutated = found.get(function_id(vouched), Mutated())
        states = {each: fate.state for each, fate in mutated.known}
        absent = MutantState.INVALID if mutated.not_run else MutantState.NO_COVERAGE
        for each in mutants(scope):
            text = scope.header + each.text.decode(scope.encoding)
            yield vouched.function.qualname, text, states.get(each, absent).value


@contextlib.contextmanager
def meter_spending() -> Iterator[Callable[[], float]]:
    """What gives the CPU seconds of this process and of all that it has started, which is looked at all the time."""
    usage, lock, over = Usage(os.getpid()), threading.Lock(), threading.Event()

    def so_far() -> float:
        with lock:
            return usage.so_far()

    def look() -> None:
        while not over.wait(_LOOK_SECONDS):
            so_far()

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    yield so_far
    over.set()
    looking.join()


if __name__ == "__main__":
    main()
