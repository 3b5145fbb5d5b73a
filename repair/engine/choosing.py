"""From what a search found to a ranking: rivals are looked for, behaviour is compared, and what else each mends.

A rival of a candidate could stand in its place and passes the same tests. A certificate is worth what its rivals are,
and a search that ends soon after its first survivor has seen few of them. So the edits of the same statements are tried
on purpose. Where one passes that behaves differently, the tests do not settle which is meant. A change that somebody
else made has rivals too: they show a half fix, or a limit that is gone.

What each mends besides is found out in `repair/engine/extra_fixes.py`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from analysis.errors import OutOfTimeError, RepairError
from analysis.facts import Files, FunctionId, Limits, Suspect
from analysis.functions import span_of
from repair.compare.patched_server import Lend
from repair.engine.behaviour_clusters import BehaviourClusters, Comparing
from repair.engine.diagnosing import Diagnosed
from repair.engine.extra_fixes import AskingOthers, ExtraFixes
from repair.engine.ranking import RankedCandidate, ReadText, is_rival, rank_candidates
from repair.engine.task_time import TaskTime
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.hunt.tried_edit import TriedEdit
from repair.observe.complete_runs import SuiteWatch
from repair.records.functions import edit_scope
from repair.records.plan import Localized, covering_tests
from repair.records.ports import OUT_OF_TIME, Sandbox, Submission, Unsought
from repair.records.task import Attempt, Baseline, Budget
from repair.trials.pool import LentPool, Pool
from repair.trials.trial_router import TrialTier
from sandbox.deadline import Deadline
from transforms.mutants.made import changed_old_lines
from transforms.patch.apply import place
from transforms.patch.renaming import give_docstring_of
from transforms.synthesis.candidates import PROPOSER
from transforms.tree.candidate import Candidate

MOST_SECONDS = 15.0
"""What the search for rivals may take."""

MOST_TRIED = 800
"""Candidates that the search for rivals tries at most."""

MOST_TRIED_HANGING = 100
"""The same for a change elsewhere of a function that hangs: most edits hang as well, and each is waited for."""

LEAST_RIVAL_SECONDS, RIVAL_SHARE = 6.0, 0.25
"""Time for the search for rivals of the best candidate, however late it was found; of what is left a share at most."""

LATE_CHOOSING = 1.5
"""After so many times that a comparison that has begun is given up, and with it what was compared before."""

MOST_SECONDS_AROUND = 6.0
"""What the search may take, once its servers stand."""

MOST_RIVALS = 16
"""Rivals that are compared with the change, the smallest edits first."""


NOBODY = Unsought("no proposer of this run looks for edits by itself")

SLOW = Unsought("a trial of this function is too slow for a search of some seconds")

UNTRIED = Unsought("no edit could be tried in the time that is kept for it", needs_time=True)

Order = Callable[[Sequence[RankedCandidate]], Sequence[RankedCandidate]]
"""In which order ranked candidates are judged."""


def search_rivals(
    parts: SearchParts,
    baseline: Baseline,
    localized: Localized,
    sources: Files,
    candidate: Candidate,
    seconds: float,
    pool: Pool,
    *,
    synthesized: bool = True,
) -> SearchResult | None:
    """Plausible edits of the statements that the candidate changes, found without asking a model.

    ``None`` where nobody can look for any. The pool is that of the search that found the candidate. It may have drawn
    what is ``synthesized`` for the failing tests: then nobody draws that again.
    """
    eager = tuple(p for p in parts.proposers if p.eager and not (synthesized and p.name == PROPOSER))
    if not eager or seconds <= 0.0:
        return None
    lines = changed_old_lines(*(edit_scope(files, candidate.function) for files in (sources, candidate.files)))
    scores = tuple((line, 1.0) for line in sorted(lines))
    suspect = Suspect(candidate.function, 1.0, ("a candidate changes it",), scores)
    budget = Budget(max_seconds=min(seconds, MOST_SECONDS), max_candidates=MOST_TRIED)
    around = replace(localized, suspects=(suspect,))
    alone = replace(parts, proposers=eager, joins=False)
    result = SearchLoop(alone, baseline, around, sources, budget, pool, wants_rivals=True).run()
    return result.with_survivors([s for s in result.survivors if s.candidate.digest != candidate.digest])


def merge_rivals(survivors: Sequence[TriedEdit], best: TriedEdit, found: Sequence[TriedEdit]) -> tuple[TriedEdit, ...]:
    """All survivors, each once. What was found around the best one stands behind it in the stream."""
    known = {s.candidate.digest for s in survivors}
    new = [replace(s, position=best.position + s.position) for s in found if s.candidate.digest not in known]
    return (*survivors, *new)


@dataclass(frozen=True, slots=True)
class RivalsOfChange:
    """Other edits of a changed function that pass the same tests, and why none were looked for, if so."""

    found: tuple[Candidate, ...] = ()
    unsought: Unsought | None = None


def is_the_only_change(submission: Submission, seen: Diagnosed) -> bool:
    """Whether the patched program is the old one with another text of one function, and no test is left out.

    Then what another text of it does in the old program can be seen on a server over the patched one: it is swapped in.
    """
    function, known = submission.candidate.function, dict(submission.sources)
    old, text = edit_scope(submission.sources, function), submission.candidate.text
    new = edit_scope(submission.whole, function, text)
    laid = {**known, function.path: place(old, text)}
    span = span_of(seen.localized.index.get(function.path, ()), function)
    if span is None or any(laid.get(path) != content for path, content in submission.whole):
        return False
    asked = covering_tests(seen.baseline.traced.line_map, seen.baseline.passing, span)
    alike = new.function == old.function and give_docstring_of(old, new) == old.text
    return alike and {*asked, *seen.baseline.failing} <= {*submission.vouching}


def find_rivals_of_change(
    parts: SearchParts,
    submission: Submission,
    seen: Diagnosed,
    seconds: float,
    lend: Lend | None = None,
) -> RivalsOfChange:
    """Other edits of the candidate's old function that pass the same tests, where something fails to begin with.

    Only where trials are quick: elsewhere a few seconds are a few edits. They are tried on the server that is lent to
    the gates as well, where that can say the same.
    """
    candidate, sources = submission.candidate, submission.sources
    eager = tuple(proposer for proposer in parts.proposers if proposer.eager)
    function, baseline = candidate.function, seen.baseline
    if not eager:
        return RivalsOfChange(unsought=NOBODY)
    if seconds <= 0.0:
        return RivalsOfChange(unsought=OUT_OF_TIME)
    suspect = _suspect(seen.localized.suspects, sources, candidate)
    around = replace(seen.localized, suspects=(suspect,))
    most = MOST_TRIED_HANGING if baseline.hangs else MOST_TRIED
    budget = Budget(max_seconds=min(seconds, MOST_SECONDS_AROUND), max_candidates=most)

    def search(pool: Pool) -> SearchResult | None:
        pool.begin(around)
        if pool.router.tier_of(function) is not TrialTier.WARM:
            return None
        alone = replace(parts, proposers=eager, joins=False)
        return SearchLoop(alone, baseline, around, sources, budget, pool, wants_rivals=True).run()

    result = None
    try:
        if lend is not None and is_the_only_change(submission, seen):
            with lend(submission) as server:
                result = search(LentPool(server, parts.sandbox, baseline, sources, parts.limits, submission.vouching))
        if result is None:
            with contextlib.closing(parts.open_pool(baseline, sources)) as pool:
                result = search(pool)
        if result is None:
            return RivalsOfChange(unsought=SLOW)
    except OutOfTimeError:
        return RivalsOfChange(unsought=OUT_OF_TIME)
    except RepairError as problem:
        return RivalsOfChange(unsought=Unsought(f"the search for them failed: {str(problem).rstrip('.')}"))
    if not result.counts.executed + result.counts.remembered:
        return RivalsOfChange(unsought=UNTRIED)
    rivals = [each.candidate for each in result.survivors if is_rival(each.candidate, candidate)]
    plain = [each for each in rivals if not each.imports]
    return RivalsOfChange(tuple(sorted(plain, key=lambda each: each.size)[:MOST_RIVALS]))


def _suspect(known: Sequence[Suspect], sources: Files, candidate: Candidate) -> Suspect:
    """The candidate's function with its suspicious lines, and those that the candidate changes as the first of them."""
    function = candidate.function
    scores = {line: score / 2 for each in known if each.function == function for line, score in each.line_scores}
    lines = changed_old_lines(*(edit_scope(files, function) for files in (sources, candidate.files)))
    scores |= dict.fromkeys(lines, 1.0)
    return Suspect(function, 1.0, ("a change edits it",), tuple(sorted(scores.items())))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates in the order in which they are judged, with what was seen of their behaviour."""

    candidates: tuple[RankedCandidate, ...]
    clusters: tuple[BehaviourClusters, ...] = ()
    extra_fixes: ExtraFixes = field(default_factory=ExtraFixes)


@dataclass(frozen=True, slots=True)
class Choosing:
    """Ranks what one search found, for the failing tests that were ``seen``."""

    seen: Diagnosed
    sources: Files
    time: TaskTime
    deadline: Deadline
    read_text: ReadText
    order: Order

    def add_rivals(self, result: SearchResult, parts: SearchParts, pool: Pool, left: float) -> SearchResult:
        """The result with what else passes where its best candidate stands; the search had so many seconds ``left``."""
        if not result.survivors:
            return result
        first = rank_candidates(result.survivors, self.read_text)[0].candidate
        best = next(survivor for survivor in result.survivors if survivor.candidate is first)
        seconds = max(left, min(LEAST_RIVAL_SECONDS, RIVAL_SHARE * self.deadline.left))
        seen = self.seen
        drawn = (first.function, PROPOSER) not in result.unasked
        found = search_rivals(
            parts, seen.baseline, seen.localized, self.sources, first, seconds, pool, synthesized=drawn
        )
        if found is None:
            return replace(result, unsought=result.unsought or (OUT_OF_TIME if seconds <= 0.0 else NOBODY))
        return result.with_rivals(merge_rivals(result.survivors, best, found.survivors), found.counts.executed)

    def search_once_more(
        self, parts: SearchParts, function: FunctionId, attempts: Sequence[Attempt], seconds: float
    ) -> SearchResult:
        """What the proposers of these parts make of one function, after these attempts, in so many seconds."""
        localized, baseline = self.seen.localized, self.seen.baseline
        own = tuple(suspect for suspect in localized.suspects if suspect.function == function)
        around = replace(localized, suspects=own or (Suspect(function, 1.0, ("a candidate changes it",)),))
        budget = Budget(max_seconds=seconds)
        with contextlib.closing(parts.open_pool(baseline, self.sources)) as pool:
            return SearchLoop(parts, baseline, around, self.sources, budget, pool, attempts=attempts).run()

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
            asking = AskingOthers(
                sandbox.for_purpose("other failing tests"), self.seen, self.sources, bounds, lambda: clock() > until
            )
            known = asking.find(ranking.candidates)
        return replace(ranking, candidates=known.reorder(ranking.candidates), extra_fixes=known)
