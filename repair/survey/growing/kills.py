"""Tests on mutants: which of many to keep, so that few of them kill what any of them kills.

What counts is that a test failed on a mutant, never what a comparison foretold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from analysis.facts import TestId
from analysis.mutation_score import MutantState
from analysis.trials import Trial, TrialState
from repair.compare.mutant_states import mutant_state
from repair.records.grown import SaidBy
from repair.survey.growing.claim import CallCase
from repair.trials.trial_router import TrialRouter
from transforms.mutants.made import Mutant

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


def _leave_out_needless(found: KeptCases) -> None:
    """Without tests whose kills are all kills of others, the least vouched for and the longest first."""
    for case, kills in sorted(found.kept, key=lambda e: (-_rank(e[0]), -len(e[0].source))):
        rest = [own for other, own in found.kept if other is not case]
        if rest and kills <= frozenset[Mutant]().union(*rest):
            found.kept = [(other, own) for other, own in found.kept if other is not case]
            found.drop("others kill all that it kills")
