"""Mutants of the functions of a project, run by the tests that vouch for them, as far as the time goes.

A function's mutants run in the quickest tier that can answer for them. Functions whose tests lie in the same files
share a server while that costs little. A first trial of each function is its own text. A few tests that do not pass
there, though they do in the suite, are left out, and that is said. Where more do, nothing is said of its mutants.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis.errors import UnparseableError
from analysis.facts import Digest, Files, FunctionId, Limits, TestId
from analysis.mutant_view import MutantView
from analysis.mutation_score import MutantState, MutationScore, score_states
from analysis.quality.vouching import VouchedFunction
from analysis.statement_lines import has_run
from analysis.trials import Trial, TrialState
from repair.compare.mutant_states import MutantFate, fate_of, show_mutant
from repair.records.functions import as_trial, edit_scope
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from repair.records.tests_report import SurvivingMutant
from repair.records.wording import count_noun
from repair.trials.screening import trial_limits
from repair.trials.trial_router import Selection, TrialRouter, TrialTier
from transforms.mutants.made import Mutant, mutants
from transforms.tree.scope import EditScope

TOGETHER_SECONDS = 0.5
"""Tests of several functions share a server up to this time for all of them: a mutant that survives runs them all."""

ASKED_SECONDS = 10.0
"""The quickest tests of a function up to this time are asked about its mutants."""

LEAST_SECONDS = 1.0
"""What each function's mutants get, however many functions there are: a server that is ready costs more."""

TEXTS = "mutmut_string"
"""The operator that changes the text of a literal."""

MOST_LEFT_OUT = 5
"""So many tests of a function may fail in the pool on its own text: they need what the suite runs before them, say."""

NO_TIME = "the time was over"


@dataclass(frozen=True, slots=True)
class Mutated:
    """What became of a function's mutants; ``known`` are those that ran. ``reason`` says why some had no turn.

    ``unrun`` are those of statements that no vouching test runs.
    """

    score: MutationScore = field(default_factory=MutationScore)
    not_run: int = 0
    survivors: tuple[SurvivingMutant, ...] = ()
    reason: str = ""
    known: tuple[tuple[Mutant, MutantFate], ...] = ()
    unrun: tuple[Mutant, ...] = ()
    shown: tuple[MutantView, ...] = ()
    """Each mutant that is in the score, as it is told."""
    left_out: tuple[TestId, ...] = ()
    """Tests that were not asked: they do not pass in the pool, though they do in the suite."""


@dataclass(frozen=True, slots=True)
class MutantBudget:
    """So many mutants of each function, until the clock says ``end``; ``tell`` hears how many have run, and where."""

    most: int
    clock: Callable[[], float]
    end: float
    tell: Callable[[int, str], None]


@dataclass(frozen=True, slots=True)
class _Group:
    functions: tuple[VouchedFunction, ...]
    tests: tuple[TestId, ...]


def run_mutants(
    sandbox: Sandbox,
    baseline: Baseline,
    found: Sequence[VouchedFunction],
    sources: Files,
    limits: Limits,
    budget: MutantBudget,
    into: dict[FunctionId, Mutated] | None = None,
) -> dict[FunctionId, Mutated]:
    """What became of the mutants of each function that tests vouch for; put ``into`` there as it becomes known.

    Each group gets an even share of the time, and in it each function, but no less than is of use. Time that is left
    over goes to the functions that were cut short.
    """
    took = {r.test: r.seconds for r in baseline.outcomes}
    groups = list(_groups([v for v in found if v.tests and v.function.statements], took))
    done = {} if into is None else into
    done.update((function_id(vouched), Mutated(reason=NO_TIME)) for group in groups for vouched in group.functions)
    for _ in range(2):
        for number, group in enumerate(groups):
            now = budget.clock()
            until = now + max(0.0, budget.end - now) / (len(groups) - number)
            bounds = trial_limits(baseline, limits, group.tests)
            selection = Selection(group.tests, sources, bounds, limits, passes=True)
            with contextlib.closing(TrialRouter(sandbox, selection)) as router:
                for place, vouched in enumerate(group.functions):
                    left = max(0.0, until - budget.clock()) / (len(group.functions) - place)
                    budget.tell(sum(each.score.valid for each in done.values()), vouched.function.qualname)
                    before = done.get(function_id(vouched), Mutated())
                    silent = len(set(vouched.tests).difference(group.tests))
                    seconds = max(LEAST_SECONDS, left)
                    done[function_id(vouched)] = _run_function(
                        router, vouched, group.tests, sources, budget, seconds, before, silent
                    )
        short = [[v for v in group.functions if done[function_id(v)].reason == NO_TIME] for group in groups]
        groups = [replace(group, functions=tuple(own)) for group, own in zip(groups, short, strict=True) if own]
        if budget.clock() >= budget.end:
            break
    return done


def function_id(vouched: VouchedFunction) -> FunctionId:
    """The function as the sandbox names it."""
    function = vouched.function
    return FunctionId(function.path, function.qualname, function.first_line)


def choose(every: Sequence[Mutant], most: int) -> tuple[Mutant, ...]:
    """So many of the mutants at most, in source order. Changes of texts come last: few tests look at messages."""
    telling = [mutant for mutant in every if mutant.operator != TEXTS]
    texts = [mutant for mutant in every if mutant.operator == TEXTS]
    taken = {*spread(telling, most), *spread(texts, max(0, most - len(telling)))}
    return tuple(mutant for mutant in every if mutant in taken)


def spread(every: Sequence[Mutant], most: int) -> tuple[Mutant, ...]:
    """So many of them at most, evenly from the first to the last."""
    if len(every) <= most:
        return tuple(every)
    return tuple(every[number * len(every) // most] for number in range(most))


def _groups(found: Sequence[VouchedFunction], took: dict[TestId, float]) -> Iterator[_Group]:
    """Functions in a row whose tests lie in the same files, as long as their tests together are quick."""
    functions: list[VouchedFunction] = []
    tests: set[TestId] = set()
    files: set[str] = set()
    for vouched in sorted(found, key=lambda v: sorted(_files(v.tests))):
        own = set(_choose_tests(vouched.tests, took))
        fits = _files(own) == files and sum(took.get(t, 0.0) for t in tests | own) <= TOGETHER_SECONDS
        if functions and not fits:
            yield _Group(tuple(functions), tuple(sorted(tests)))
            functions, tests = [], set()
        functions.append(vouched)
        tests |= own
        files = _files(tests)
    if functions:
        yield _Group(tuple(functions), tuple(sorted(tests)))


def _files(tests: set[TestId] | Sequence[TestId]) -> set[str]:
    return {test.partition("::")[0] for test in tests}


def _choose_tests(tests: Sequence[TestId], took: dict[TestId, float]) -> Iterator[TestId]:
    total = 0.0
    for number, test in enumerate(sorted(tests, key=lambda t: (took.get(t, 0.0), t))):
        total += took.get(test, 0.0)
        if number and total > ASKED_SECONDS:
            return
        yield test


def _run_function(
    router: TrialRouter,
    vouched: VouchedFunction,
    tests: Sequence[TestId],
    sources: Files,
    budget: MutantBudget,
    seconds: float,
    before: Mutated,
    silent: int,
) -> Mutated:
    """What became of the function's mutants; what ``before`` knows of them is not asked again.

    The time for them begins when a server has taken the function's own text. So many ``silent`` tests are too slow to
    be asked.
    """
    if budget.clock() >= budget.end:
        return replace(before, reason=NO_TIME)
    try:
        scope = edit_scope(sources, function_id(vouched))
    except UnparseableError as problem:
        return Mutated(reason=str(problem))
    taken = choose([m for m in mutants(scope) if _is_run(vouched, m) is not None], budget.most)
    covered = [m for m in taken if _is_run(vouched, m)]
    unrun = tuple(m for m in taken if m not in covered)
    fates = dict.fromkeys(unrun, MutantFate(MutantState.NO_COVERAGE))
    left_out = _find_unable(router, scope, tests) if covered else ()
    if isinstance(left_out, str):
        return Mutated(_score(fates), len(covered), reason=left_out, unrun=unrun, shown=_show(scope, fates))
    only = tuple(test for test in tests if test not in left_out) if left_out else ()
    known = dict(before.known)
    waiting = [m for m in covered if m not in known]
    until = min(budget.end, budget.clock() + seconds)
    known |= _run(router, scope, waiting, only, lambda: budget.clock() < until)
    fates |= known
    alive = [m for m, fate in known.items() if fate.state is MutantState.SURVIVED]
    survivors = tuple(SurvivingMutant(m.line, m.label) for m in covered if m in alive)
    left = len(covered) - len(known)
    reason = NO_TIME if left else ""
    if survivors and not left:
        reason = _name_silent(silent, len(left_out))
    return Mutated(_score(fates), left, survivors, reason, tuple(known.items()), unrun, _show(scope, fates), left_out)


def _name_silent(slow: int, left_out: int) -> str:
    """Which tests said nothing of mutants that survived: too slow ones, and such as pass in the suite alone."""
    kinds = [count_noun(slow, "slow test")] if slow else []
    kinds += [f"{count_noun(left_out, 'test')} that passed in the suite alone"] if left_out else []
    return f"some survived without a word from {' and '.join(kinds)}" if kinds else ""


def _score(fates: Mapping[Mutant, MutantFate]) -> MutationScore:
    return score_states(fate.state for fate in fates.values())


def _show(scope: EditScope, fates: Mapping[Mutant, MutantFate]) -> tuple[MutantView, ...]:
    """The mutants as they are told, in the order of their places."""
    found = [show_mutant(scope, mutant, fate) for mutant, fate in fates.items()]
    return tuple(sorted(found, key=lambda each: (each.line, each.column)))


def _is_run(vouched: VouchedFunction, mutant: Mutant) -> bool | None:
    """Whether a vouching test runs its statement; ``None`` where it lies in none that counts.

    The function's header is run when the module is imported.
    """
    around = [span for span in vouched.function.statements if span[0] <= mutant.line <= span[1]]
    if not around:
        return True if mutant.line < vouched.function.statements[0][0] else None
    return any(has_run(span, vouched.ran) for span in around)


def _find_unable(router: TrialRouter, scope: EditScope, tests: Sequence[TestId]) -> tuple[TestId, ...] | str:
    """The tests that do not pass on the function as it is; a sentence where these are many, or none can be tried."""
    if router.tier_of(scope.function) is TrialTier.COLD:
        return f"each would need a cold run: {router.why(scope.function)}"
    mine, unable = as_trial(scope, scope.text, "as it is"), list[TestId]()
    while len(unable) <= min(MOST_LEFT_OUT, len(tests) - 1):
        able = tuple(test for test in tests if test not in unable)
        outcome = next(iter(router.trials([replace(mine, only=able) if unable else mine])))
        if outcome.state is TrialState.PASSED:
            return tuple(unable)
        if outcome.failed not in able:
            break
        unable.append(outcome.failed)
    return "its tests do not pass in the pool, though they do in the suite"


def _run(
    router: TrialRouter,
    scope: EditScope,
    wanted: Sequence[Mutant],
    only: tuple[TestId, ...],
    in_time: Callable[[], bool],
) -> dict[Mutant, MutantFate]:
    """The fates of those that had their turn, in source order; ``only`` these tests are asked; none: all."""
    named: dict[Digest, Mutant] = {}

    def drawn() -> Iterator[Trial]:
        for mutant in itertools.takewhile(lambda mutant: in_time(), wanted):
            trial = replace(as_trial(scope, mutant.text, mutant.label), only=only)
            named[trial.digest] = mutant
            yield trial

    fates = {named[outcome.digest]: fate_of(outcome) for outcome in router.trials(drawn())}
    return {mutant: fates[mutant] for mutant in wanted if mutant in fates}
