"""How plausible candidates behave: which of them agree, and how each parts from the others and from the old function.

They are compared in the servers of their search, on the calls of failing and passing tests and on generated inputs
like them. Those that no input tells apart are one cluster, as in AlphaCode (Li et al., Science 2022) and CodeT
(Chen et al., ICLR 2023). What is seen here only ranks; the gates ask anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from analysis.behaviour import Difference, turn
from analysis.calls import Calls, Comparison, join
from analysis.facts import Digest, Files, FunctionId
from analysis.functions import span_of
from analysis.stated.function import stated_of
from repair.checks.check import Behaved
from repair.compare.comparing import RECORDED, Versions, constants, new_constants, signature
from repair.compare.inputs import generate
from repair.observe.complete_runs import SuiteWatch
from repair.records.functions import as_trial, edit_scope
from repair.records.plan import Localized
from repair.records.task import Baseline
from repair.trials.pool import Pool
from repair.trials.trial_router import TrialRouter
from transforms.tree.candidate import Candidate

GENERATED = 60
"""Generated inputs of one comparison: enough to group by, and a third of what the gate tries."""

SLOWER = 1.5
"""No comparison is begun for which there is less time than so many times that of the last one."""


@dataclass(frozen=True, slots=True)
class BehaviourClusters:
    """What was seen of candidates that agree, the ``kin``.

    ``seen`` is how they part from the old function; it knows no rivals, and was perhaps seen on no input. Of so many
    inputs ``near`` the calls of passing tests, ``departures`` end otherwise than with the old function. ``parts`` are
    other candidates with the inputs that tell them apart.
    """

    kin: tuple[Digest, ...]
    seen: Behaved = field(default_factory=Behaved)
    near: int = 0
    departures: int = 0
    parts: tuple[tuple[Digest, Difference], ...] = ()

    @property
    def inputs(self) -> int:
        """On how many inputs they were seen, which may be none."""
        return self.seen.tried.inputs

    @property
    def departing(self) -> float:
        """The share of inputs near passing tests' calls on which the old function's answer changes."""
        return min(1.0, self.departures / self.near) if self.near else 0.0

    def all_of(self, other: Digest) -> tuple[Difference, ...]:
        """Every input that tells the other candidate from these."""
        return tuple(difference for digest, difference in self.parts if digest == other)


@dataclass(frozen=True, slots=True)
class _Round:
    """What one server tells: the comparison of the first of a group with all others, and who agrees with it."""

    group: tuple[Candidate, ...]
    found: Comparison
    both: Versions
    parts: tuple[tuple[Digest, Difference], ...] = ()
    """The others that inputs tell from the group, by the digests of their candidates."""


@dataclass(frozen=True, slots=True)
class Comparing:
    """Where candidates of one search are compared, and until when."""

    pool: Pool
    baseline: Baseline
    localized: Localized
    sources: Files
    seed: int
    watch: SuiteWatch

    def cluster(self, candidates: Sequence[Candidate]) -> tuple[BehaviourClusters, ...]:
        """Groups of candidates that agree, each in the order given. What there is no time to compare is in none.

        Nor is what needs an import that the unpatched module does not have.
        """
        candidates = [candidate for candidate in candidates if not candidate.imports]
        clusters: list[BehaviourClusters] = []
        for function in dict.fromkeys(candidate.function for candidate in candidates):
            own = [candidate for candidate in candidates if candidate.function == function]
            failing = self._compare_in_rounds(self.pool.router, function, own, against_old=not self.baseline.hangs)
            span = span_of(self.localized.index.get(function.path, ()), function)
            passing = self.pool.screen.router(span) if span is not None else None
            for first in failing:
                rounds = self._compare_in_rounds(passing, function, first.group) if passing is not None else iter(())
                others = list(rounds) or [_Round(first.group, Comparison(), first.both)]
                clusters += [self._join(first, second) for second in others]
        return tuple(_add_other_side(each, clusters) for each in clusters)

    def _compare_in_rounds(
        self, router: TrialRouter, function: FunctionId, candidates: Sequence[Candidate], *, against_old: bool = True
    ) -> Iterator[_Round]:
        """Each first of those that are left with the others, until all are grouped or the time is up."""
        left, last = list(candidates), 0.0
        has_time = bool(left) and self.watch.left > 0
        calls = router.questions_about(function).record(function, RECORDED) if has_time else Calls()
        while left and self.watch.left > SLOWER * last:
            began = self.watch.clock()
            old = edit_scope(self.sources, function)
            new = edit_scope(left[0].files, function, left[0].text)
            both = Versions(old, new, as_trial(old, new.text, "candidate"), as_trial(old, old.text, "old"))
            inputs = generate(calls.seen, GENERATED, self.seed, constants(both), signature(both))
            trials = {as_trial(both.old, each.text, each.origin.operator): each for each in left[1:]}
            lines = both.old_lines if against_old else ()
            found = router.questions_about(function).compare(
                both.mine,
                list(trials),
                inputs,
                both.before,
                lines,
                against_old=against_old,
                asked=self.baseline.failing,
            )
            if not found.tried.inputs:  # nothing could be repeated, so nothing tells any of them apart
                yield _Round(tuple(left), found, both)
                return
            unlike = {*dict(found.rivals.differences), *found.rivals.unknown}
            kin = [each for trial, each in trials.items() if trial.digest not in unlike]
            parts = [(each.digest, d) for trial, each in trials.items() for d in found.rivals.all_of(trial.digest)]
            told = replace(found, made=calls.plain)
            yield _Round((left[0], *kin), told, both, tuple(parts))
            left = [each for each in left[1:] if each not in kin]
            last = self.watch.clock() - began

    def _join(self, first: _Round, second: _Round) -> BehaviourClusters:
        """What both servers say of a group of which neither tells one from another."""
        found, failing, passing = join(first.found, second.found), self.baseline.failing, self.baseline.passing
        function = second.both.old.function
        return BehaviourClusters(
            kin=tuple(candidate.digest for candidate in second.group),
            seen=Behaved(
                found.old,
                found.tried,
                failing,
                frozenset(passing),
                held=constants(second.both),
                brought_in=new_constants(second.both),
                inputs=found.seen,
                stated=stated_of(function, dict(self.sources)[function.path]),
            ),
            near=second.found.tried.inputs,
            departures=len(second.found.old.departures),
            parts=(*first.parts, *second.parts),
        )


def _add_other_side(mine: BehaviourClusters, clusters: Sequence[BehaviourClusters]) -> BehaviourClusters:
    """The cluster with what those that were compared before it tell of it, from its own side."""
    known = {digest for digest, _ in mine.parts}
    turned = [
        (digest, turn(difference))
        for theirs in clusters
        if theirs.kin[0] not in known
        for digest in theirs.kin
        for difference in theirs.all_of(mine.kin[0])
    ]
    return replace(mine, parts=(*mine.parts, *turned))


def behave_alike(clusters: Sequence[BehaviourClusters], one: Digest, other: Digest) -> bool:
    """Whether two candidates agreed on all inputs on which they were compared, and these were enough to say so."""
    return any(one in each.kin and other in each.kin and each.seen.tried.is_exercised for each in clusters)


def find_difference(clusters: Sequence[BehaviourClusters], one: Digest, other: Digest) -> Difference | None:
    """An input on which two candidates differ, from the side of the first; ``None`` where none is known."""
    mine = next((cluster for cluster in clusters if one in cluster.kin), None)
    return next(iter(mine.all_of(other)), None) if mine is not None else None
