"""From what a search found to a ranking: rivals are looked for, behaviour is compared, and what else each mends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from analysis.errors import OutOfTimeError
from analysis.facts import Digest, Files, Limits
from repair.engine.behaviour_clusters import BehaviourClusters, Comparing
from repair.engine.diagnosing import Diagnosed
from repair.engine.extra_fixes import ExtraFixes, find_extra_fixes
from repair.engine.ranking import RankedCandidate, rank_candidates
from repair.engine.rivals import merge_rivals, search_rivals
from repair.engine.task_time import TaskTime
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.observe.complete_runs import SuiteWatch
from repair.records.ports import Sandbox
from repair.records.verdict import Verdict
from repair.trials.pool import Pool
from sandbox.deadline import Deadline
from transforms.tree.candidate import Candidate

LEAST_RIVAL_SECONDS, RIVAL_SHARE = 6.0, 0.25
"""Time for the search for rivals of the best candidate, however late it was found; of what is left a share at most."""

LATE_CHOOSING = 1.5
"""After so many times that a comparison that has begun is given up, and with it what was compared before."""

Order = Callable[[Sequence[RankedCandidate]], Sequence[RankedCandidate]]
"""In which order ranked candidates are judged."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates in the order in which they are judged, with what was seen of their behaviour."""

    candidates: tuple[RankedCandidate, ...]
    clusters: tuple[BehaviourClusters, ...] = ()
    extra_fixes: ExtraFixes = field(default_factory=ExtraFixes)


class ReadTexts:
    """Asks the gates that read texts, once for each candidate."""

    def __init__(self, ask: Callable[[Candidate], Verdict]) -> None:
        self._ask = ask
        self._known: dict[Digest, Verdict] = {}

    def __call__(self, candidate: Candidate) -> Verdict:
        """What they say of this one."""
        if candidate.digest not in self._known:
            self._known[candidate.digest] = self._ask(candidate)
        return self._known[candidate.digest]


@dataclass(frozen=True, slots=True)
class Choosing:
    """Ranks what one search found, for the failing tests that were ``seen``."""

    seen: Diagnosed
    sources: Files
    time: TaskTime
    deadline: Deadline
    read_text: Callable[[Candidate], Verdict]
    order: Order

    def add_rivals(self, result: SearchResult, parts: SearchParts, pool: Pool, left: float) -> SearchResult:
        """The result with what else passes where its best candidate stands; the search had so many seconds ``left``."""
        if not result.survivors:
            return result
        first = rank_candidates(result.survivors, self.read_text)[0].candidate
        best = next(survivor for survivor in result.survivors if survivor.candidate is first)
        seconds = max(left, min(LEAST_RIVAL_SECONDS, RIVAL_SHARE * self.deadline.left))
        seen = self.seen
        found = search_rivals(parts, seen.baseline, seen.localized, self.sources, first, seconds, pool)
        if found is None:
            return result
        merged = merge_rivals(result.survivors, best, found.survivors)
        return result.with_rivals(merged, found.counts.executed)

    def rank(self, result: SearchResult, pool: Pool, seed: int) -> Ranking:
        """The survivors ranked by what is known of them, and where there are several, by how they behave."""
        ranked = rank_candidates(result.survivors, self.read_text)
        if len(ranked) < 2:
            return Ranking(tuple(self.order(ranked)))
        watch = SuiteWatch(self.time.clock, self.time.end_of_choosing())
        comparing = Comparing(pool, self.seen.baseline, self.seen.localized, self.sources, seed, watch)
        clusters: tuple[BehaviourClusters, ...] = ()
        with contextlib.suppress(OutOfTimeError), self.deadline.at_most(LATE_CHOOSING * watch.left):
            clusters = comparing.cluster([each.candidate for each in ranked])
        return Ranking(tuple(self.order(rank_candidates(result.survivors, self.read_text, clusters))), clusters)

    def add_extra_fixes(self, ranking: Ranking, sandbox: Sandbox, limits: Limits) -> Ranking:
        """The ranking with what each mends of the other failing tests; what mends more of them comes first."""
        until, clock = self.time.end_of_choosing(), self.time.clock
        known = ExtraFixes()
        with contextlib.suppress(OutOfTimeError):
            bounds = self.seen.baseline.relax_limits(limits)
            known = find_extra_fixes(sandbox, self.seen.others, ranking.candidates, bounds, lambda: clock() > until)
        return replace(ranking, candidates=known.reorder(ranking.candidates), extra_fixes=known)
