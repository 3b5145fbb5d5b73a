"""The trials of our side beside mutmut: mutants of functions of one file, or given texts, and what becomes of them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from analysis.facts import Digest, Files, FunctionId, Limits
from analysis.functions import FunctionSpan, functions_of
from analysis.mutation_score import MutantState
from analysis.trials import Trial, TrialOutcome, TrialState
from corpora.lab.benchmarks.cost import tree_cpu
from corpora.lab.benchmarks.mutation_asked import Answered, Asked
from repair.compare.mutant_states import mutant_state
from repair.records.functions import as_trial, edit_scope
from repair.trials.ladder import Ladder, Selection, TrialTier
from sandbox.sandbox import LocalSandbox
from sandbox.warm import WarmServer
from transforms.mutants import mutants

LEAST_SECONDS = 2.0
"""For each trial, beside five times what the tests take; as ``repair.trials.screening``, which loads much more."""

NO_TEST = "no passing test runs it"
"""How the server says so."""


@dataclass(frozen=True, slots=True)
class Work:
    """One function: its own text, and the texts to try in its place."""

    function: FunctionId
    control: Trial
    trials: tuple[Trial, ...]


def made(asked: Asked, sources: Files, patient: Limits) -> Callable[[LocalSandbox, WarmServer], Answered]:
    """What tries the mutants or the given texts, all of them made; ``patient`` bounds cold runs.

    Without a function's name it is all functions of the file that lie in no other.
    """
    spans = functions_of(asked.path, dict(sources)[asked.path])
    name = asked.qualname
    chosen = [s for s in spans if s.function.qualname == name or (not name and not _is_inner(s, spans))]
    works = [_work(sources, span.function, asked.texts) for span in chosen]
    return partial(_tried, [work for work in works if work.trials], sources, patient)


def _is_inner(span: FunctionSpan, spans: Sequence[FunctionSpan]) -> bool:
    """Whether the function is a part of another one, with which it is mutated."""
    return any(other.start <= span.start and span.end <= other.end for other in spans if other is not span)


def _work(sources: Files, function: FunctionId, texts: Sequence[tuple[str, str]]) -> Work:
    scope = edit_scope(sources, function)
    given = [text.encode(scope.encoding) for name, text in texts if name == function.qualname]
    every = given if texts else [mutant.text for mutant in mutants(scope)]
    return Work(function, as_trial(scope, scope.text, "as it is"), tuple(as_trial(scope, t, "mutant") for t in every))


def _tried(
    works: Sequence[Work], sources: Files, patient: Limits, sandbox: LocalSandbox, server: WarmServer
) -> Answered:
    """Every text in the quickest tier that can answer for it, with the time that the gate would give it.

    A function's own text comes first: where that does not pass, its mutants say nothing. Texts of a function that no
    passing test runs are not run.
    """
    seconds = LEAST_SECONDS + 5.0 * server.took
    server.bound(seconds)
    limits = Limits(wall_seconds=seconds, test_seconds=seconds)
    server.mode = "batch"  # of mutants none is likelier than another, so that none needs a fork of its own first
    ladder = Ladder(sandbox, Selection(server.tests, sources, limits, patient, passes=True), warm=server)
    try:
        said = {work.function: _said(ladder, work) for work in works}
        ready = [work for work in works if said[work.function] is None]
        cpu, began = _spent(), time.monotonic()
        outcomes = _outcomes(ladder, list(chain.from_iterable(work.trials for work in ready)))
        states: dict[Digest, MutantState] = {found: mutant_state(outcome) for found, outcome in outcomes.items()}
        wall, whole = time.monotonic() - began, _spent()
        tiers = sorted({ladder.tier_of(work.function).value for work in ready})
    finally:
        ladder.close()
    found = [said[work.function] or states[trial.digest] for work in works for trial in work.trials]
    return Answered(tuple(s.value for s in found), len(server.tests), ", ".join(tiers), wall, whole - cpu, whole)


def _said(ladder: Ladder, work: Work) -> MutantState | None:
    """``None`` where the function's texts can be tried, else what is said of all of them."""
    if NO_TEST in ladder.reason(TrialTier.WARM, work.function):
        return MutantState.NO_COVERAGE
    control = _outcomes(ladder, [work.control])[work.control.digest]
    return None if control.state is TrialState.PASSED else MutantState.INVALID


def _outcomes(ladder: Ladder, trials: Sequence[Trial]) -> dict[Digest, TrialOutcome]:
    """What becomes of each; one that was set aside because it seemed to be stuck runs again, with all of its time."""
    found = {outcome.digest: outcome for outcome in ladder.trials(trials)}
    again = [replace(trial, patient=True) for trial in trials if found[trial.digest].hasty]
    return found | {outcome.digest: outcome for outcome in ladder.trials(again)}


def _spent() -> float:
    """CPU seconds of this process and of all that it has started."""
    return tree_cpu(os.getpid())
