"""Tests on mutants: which of many to keep, so that few of them kill what any of them kills, and what each one kills.

What counts is that a test failed on a mutant, never what a comparison foretold.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from analysis.errors import UnparseableError
from analysis.facts import Files, FunctionId, Limits, TestId
from analysis.mutation_score import MutantState
from analysis.trials import Trial, TrialState
from repair.compare.mutant_states import mutant_state
from repair.records.functions import as_trial, edit_scope
from repair.records.grown import SaidBy
from repair.records.ports import Sandbox
from repair.survey.growing.claim import CallCase
from repair.survey.suite_mutants import choose as choose_mutants
from repair.trials.layered import lay_over
from repair.trials.trial_router import Selection, TrialRouter, TrialTier
from transforms.mutants.made import Mutant, mutants

_ORDER = tuple(SaidBy)


@dataclass(frozen=True, slots=True)
class TriedCase:
    """A case, the id of its test, and the mutants that a comparison told apart on its input."""

    case: CallCase
    test: TestId
    foretold: frozenset[Mutant]


@dataclass(slots=True)
class KeptCases:
    """What was kept, each with all that it kills, and how many were dropped and why."""

    kept: list[tuple[CallCase, frozenset[Mutant]]] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)

    def drop(self, why: str) -> None:
        """Count one."""
        self.dropped[why] = self.dropped.get(why, 0) + 1

    @property
    def killed(self) -> frozenset[Mutant]:
        """All mutants that are killed."""
        return frozenset[Mutant]().union(*(kills for _, kills in self.kept))


def choose(
    router: TrialRouter,
    candidates: Sequence[TriedCase],
    mine: Trial,
    trials: Mapping[Mutant, Trial],
    rewritten: Sequence[Trial],
    in_time: Callable[[], bool],
) -> KeptCases:
    """A small set of the candidates that kills what they kill. Those that somebody vouches for come first.

    A candidate is dropped that the program fails, that kills nothing new, or that a rewriting of the function fails.
    """
    found, waiting = KeptCases(), list(candidates)
    left = set(trials)
    for rank in range(len(_ORDER) + 1):
        while in_time() and (best := _best(waiting, rank, left)) is not None:
            waiting.remove(best)
            if not _passes(router, mine, best.test):
                found.drop("the program does not pass it again")
                continue
            kills = _kills(router, best.test, {m: t for m, t in trials.items() if m in left})
            if not kills:
                found.drop("kills nothing new")
            elif not all(_passes(router, each, best.test) for each in rewritten):
                found.drop("a rewriting of the function fails it")
            else:
                left -= kills
                found.kept.append((best.case, kills))
    tests = {each.case: each.test for each in candidates}
    every = {case: _kills(router, tests[case], trials) for case, _ in found.kept} if len(found.kept) > 1 else {}
    found.kept = [(case, every.get(case, kills)) for case, kills in found.kept]
    _leave_out_needless(found)
    return found


def _rank(case: CallCase) -> int:
    """How well it is said what the case claims: of what is pinned, a property comes before a value."""
    return _ORDER.index(case.standing) + (case.standing is SaidBy.PINNED and not case.said)


def _best(waiting: Sequence[TriedCase], rank: int, left: Set[Mutant]) -> TriedCase | None:
    """The candidate of that rank that should kill most of what is left; the shortest of equals."""
    own = [each for each in waiting if _rank(each.case) == rank and each.foretold & left]
    return min(own, key=lambda each: (-len(each.foretold & left), len(each.case.source)), default=None)


def _passes(router: TrialRouter, trial: Trial, test: TestId) -> bool:
    return [outcome.state for outcome in router.trials([replace(trial, only=(test,))])] == [TrialState.PASSED]


def _kills(router: TrialRouter, test: TestId, trials: Mapping[Mutant, Trial]) -> frozenset[Mutant]:
    """The mutants that the test fails on: not those that only hang, or crash."""
    named = {trial.digest: mutant for mutant, trial in trials.items()}
    outcomes = router.trials([replace(trial, only=(test,)) for trial in trials.values()])
    return frozenset(named[each.digest] for each in outcomes if mutant_state(each) is MutantState.KILLED)


def killed_by(router: TrialRouter, trials: Mapping[Mutant, Trial]) -> frozenset[Mutant]:
    """The mutants that any test of the router fails on."""
    named = {trial.digest: mutant for mutant, trial in trials.items()}
    outcomes = router.trials(list(trials.values()))
    return frozenset(named[each.digest] for each in outcomes if mutant_state(each) is MutantState.KILLED)


def does_as_much(
    router: TrialRouter, test: TestId, mine: Trial, rewritten: Sequence[Trial], killed: Mapping[Mutant, Trial]
) -> bool:
    """Whether the program and its rewritings pass the test, and all these mutants fail it."""
    if not all(_passes(router, each, test) for each in (mine, *rewritten)):
        return False
    return _kills(router, test, killed) == frozenset(killed)


def _leave_out_needless(found: KeptCases) -> None:
    """Without tests whose kills are all kills of others as well vouched for, the least so and the longest first."""
    for case, kills in sorted(found.kept, key=lambda e: (-_rank(e[0]), -len(e[0].source))):
        rest = [own for other, own in found.kept if other is not case and _rank(other) <= _rank(case)]
        if rest and kills <= frozenset[Mutant]().union(*rest):
            found.kept = [(other, own) for other, own in found.kept if other is not case]
            found.drop("others kill all that it kills")


MOST_MUTANTS = 100

TRIAL_SECONDS, STUCK_SECONDS = 10.0, 1.0
"""What a test may take on a mutant, and the processor time after which it hangs: a grown test takes less than 0.05."""

MutantKey = tuple[str, str, str, int]
"""Operator, what it does to which words, in which line's text, and the how manieth of its like in the function."""


@dataclass(frozen=True, slots=True)
class KillSets:
    """The mutants that were tried, and those that each test kills."""

    tried: frozenset[MutantKey]
    killed: Mapping[TestId, frozenset[MutantKey]]


@dataclass(frozen=True, slots=True)
class MutatedFunction:
    """A function with its tests; ``names`` are other words for those of its text, by which mutants are told apart."""

    function: FunctionId
    tests: tuple[TestId, ...]
    names: Mapping[str, str] = field(default_factory=dict)


def kill_sets(
    sandbox: Sandbox,
    sources: Files,
    files: Files,
    asked: Sequence[MutatedFunction],
    limits: Limits,
    in_time: Callable[[], bool],
) -> list[KillSets | str]:
    """What the tests of each function kill, which pass on the program; a sentence where nothing is known.

    ``files`` lie over the project, and ``sources`` are its Python files without them.
    """
    whole = lay_over(sources, files)
    bounds = replace(limits, wall_seconds=min(limits.wall_seconds, TRIAL_SECONDS))
    tests = tuple(dict.fromkeys(test for each in asked for test in each.tests))
    selection = Selection(tests, whole, bounds, limits, passes=True, files=files)
    with contextlib.closing(TrialRouter(sandbox, selection)) as router:
        return [_kill_set(router, whole, each, in_time) for each in asked]


def _kill_set(
    router: TrialRouter, sources: Files, asked: MutatedFunction, in_time: Callable[[], bool]
) -> KillSets | str:
    try:
        scope = edit_scope(sources, asked.function)
        made = choose_mutants(mutants(scope), MOST_MUTANTS)
    except UnparseableError as problem:
        return str(problem)
    if router.tier_of(asked.function) is not TrialTier.WARM:
        return f"its mutants cannot be tried quickly: {router.why(asked.function)}"
    lines = dict(sources)[asked.function.path].decode("utf-8", "replace").splitlines()
    trials = {m: replace(as_trial(scope, m.text, m.label), stuck_seconds=STUCK_SECONDS) for m in made}
    keys = {mutant: key for key, mutant in _keys(made, lines, asked.names).items()}
    killed: dict[TestId, frozenset[MutantKey]] = {}
    for test in asked.tests:
        if not in_time():
            return "the time was over"
        killed[test] = frozenset(keys[mutant] for mutant in _kills(router, test, trials))
    return KillSets(frozenset(keys.values()), killed)


def _keys(made: Sequence[Mutant], lines: Sequence[str], names: Mapping[str, str]) -> dict[MutantKey, Mutant]:
    def in_old_words(text: str) -> str:
        return re.sub(r"[^\W\d]\w*", lambda match: names.get(match[0], match[0]), text).strip()

    seen: Counter[tuple[str, str, str]] = Counter()
    found: dict[MutantKey, Mutant] = {}
    for mutant in made:
        key = mutant.operator, in_old_words(mutant.label), in_old_words(lines[mutant.line - 1])
        found[(*key, seen[key])] = mutant
        seen[key] += 1
    return found
