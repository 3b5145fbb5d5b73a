"""The loop: observe, diagnose, plan, hunt, choose, judge. Everything that touches the world comes in as a part."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from analysis.errors import OutOfTimeError
from analysis.facts import Digest, Files, Limits, Outcome
from analysis.functions import span_of
from repair.engine.behaviour_clusters import BehaviourClusters, Comparing
from repair.engine.choosing import Choice, Textual, chosen
from repair.engine.deciding import Deciding, next_action, place_of, told
from repair.engine.diagnosing import Diagnosed, Looks, parseable
from repair.engine.extra_fixes import ExtraFixes, besides
from repair.engine.judging import Judging
from repair.engine.reached import Reached, unjudged
from repair.engine.rivals import joined, rivals_around
from repair.gates.regressions import count_also_mended
from repair.hunt.partial import best_partial
from repair.hunt.search_loop import EngineParts, SearchLoop
from repair.hunt.search_result import SearchResult, Survivor
from repair.observe.baseline import FURTHER_RUNS, NothingToMend
from repair.observe.complete_runs import SuiteWatch
from repair.observe.groups import groups
from repair.observe.nearest_first import PATIENCE
from repair.observe.parsing import ParseProblem, Sources, check_sources
from repair.records.events import phase
from repair.records.functions import as_trial, edit_scope
from repair.records.outcome import RunOutcome
from repair.records.plan import plan
from repair.records.ports import Gate
from repair.records.result import Status
from repair.records.task import Baseline, RepairTask
from repair.records.verdict import CORE_GATES, Verdict
from repair.records.wording import count_noun
from repair.trials.pool import Pool
from sandbox.deadline import Deadline
from transforms.tree.candidate import Candidate

HUNT_SHARE = 0.7
"""The part of the time budget that baseline and hunt may use; the rest is kept for the gates."""

LATE_SHARE = 0.9
"""The same while nothing was found: a patch that few gates could be asked about is worth more than none."""

LEAST_JUDGING_SECONDS = 2.0
"""What those few take beside two runs of the suite; with less time than for them, nothing could be said of a find."""

JUDGING_SECONDS = 6.0
"""What the gates take beside runs of the tests; those take about as long again as the baseline's."""

LEAST_RIVAL_SECONDS, RIVAL_SHARE = 6.0, 0.25
"""Time for the search for rivals of the best candidate, however late it was found; of what is left a share at most."""

CHOOSING_SHARE = 0.1
"""The part of the time budget in which the plausible candidates are compared."""

LATE_CHOOSING = 1.5
"""After so many times that a comparison that has begun is given up, and with it what was compared before."""

NOT_MENDED = (Status.UNREPAIRED, Status.REJECTED, Status.UNPARSEABLE)
"""After which the tests of another function are tried."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brought home, ranked, with what was seen of its candidates' behaviour."""

    catch: SearchResult
    choices: tuple[Choice, ...]
    conducts: tuple[BehaviourClusters, ...]
    besides: ExtraFixes = field(default_factory=ExtraFixes)


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine: parts of a hunt, the gates of the judge, and the files as they were at the start."""

    parts: EngineParts
    gates: tuple[Gate, ...]
    sources: Files
    baseline_limits: Limits
    parse_problems: Callable[[Sources], Sequence[ParseProblem]] = check_sources
    order: Callable[[Sequence[Choice]], Sequence[Choice]] = tuple
    """In which order ranked choices are judged: the most promising first."""
    required: tuple[str, ...] = CORE_GATES
    """The gates without whose acceptance nothing is certified."""
    deadline: Deadline = field(default_factory=Deadline)
    """When all has to be over."""
    stop: Callable[[], None] = lambda: None
    """Ends what goes on beside a run that is broken off."""
    release: Callable[[], None] = lambda: None
    """Ends what the gates have kept for one another, when a candidate is judged."""
    reached: Reached = field(default_factory=Reached)
    """What it has come to, should it be broken off."""

    @property
    def judging(self) -> Judging:
        """The gates, and what they are shown."""
        return Judging(self.parts, self.gates, self.sources, self.required, self.release, self.stop, self.reached)

    def explain(self, task: RepairTask) -> RunOutcome:
        """The diagnosis alone: failures, suspects, and the plan that a fix would be held to."""
        with self.further_runs() as beside:
            seen = Looks(self.parts, self.sources, self.baseline_limits, task, beside).whole()
        if isinstance(seen, RunOutcome):
            return seen
        ending = replace(seen.ending(Status.DIAGNOSED), next_action="repair fix")
        if not seen.localized.suspects:
            return ending
        first_plan = plan(seen.localized.suspects[0], seen.localized.diagnoses)
        planned = replace(ending, plan=first_plan)
        self.reached.make = lambda: planned
        first = next(groups(seen.baseline, seen.localized))
        with contextlib.closing(self._pool(first.baseline)) as pool:
            tier, reason = pool.ladder.tier_of(first_plan.function), pool.ladder.why(first_plan.function)
        return replace(planned, tier=tier.value, tier_reason=reason)

    def fix(self, task: RepairTask) -> RunOutcome:
        """The best judged patch of one function, or why there is none."""
        started = self.parts.clock()
        with self.further_runs() as beside:
            looks = Looks(self.parts, self.sources, self.baseline_limits, task, beside, PATIENCE)
            early = looks.first()
            ending = None
            if not isinstance(early, RunOutcome) and early.localized.suspects:
                ending = self._searched(early, looks, started, task)
            return ending or self._searched_again(looks, started, task)

    @contextlib.contextmanager
    def further_runs(self) -> Iterator[ThreadPoolExecutor]:
        """Threads for the further runs of the unpatched program, which end with a run that is broken off."""
        with ThreadPoolExecutor(FURTHER_RUNS) as pool:
            try:
                yield pool
            except BaseException:
                self.stop()  # nobody reads them any more, and they may take long
                raise

    def _searched_again(self, looks: Looks, started: float, task: RepairTask) -> RunOutcome:
        """How it ends by what all runs of the unpatched program say: by fewer alone nothing ends."""
        seen = looks.whole()
        if isinstance(seen, RunOutcome):
            return seen
        if not seen.localized.suspects:
            return _without_suspects(seen)
        ending = self._searched(seen, looks, started, task)
        assert ending is not None, "what all runs say is not contradicted by them"
        return ending

    def _searched(self, seen: Diagnosed, looks: Looks, started: float, task: RepairTask) -> RunOutcome | None:
        """How it ends with the first group that can be mended, while there is time; what could not be is said.

        ``None`` where other tests fail than what was seen when it began.
        """
        if task.function:
            seen = replace(seen, localized=replace(seen.localized, suspects=seen.localized.suspects[:1]))
        # Who names tests wants these; who names none gets the first group that can be mended.
        waiting = list(groups(seen.baseline, seen.localized))[: 1 if task.tests or task.function else None]
        best: RunOutcome | None = None
        for group in waiting:
            ending = self._mended(seen.focused(group), looks, started, task, last=group is waiting[-1])
            if ending is None:
                return None
            best = ending if best is None or ending.judged else replace(best, warnings=(*best.warnings, _said(ending)))
            if ending.status not in NOT_MENDED or self._late(started, task):
                break
            failing = count_noun(len(group.baseline.failing), "failing test")
            seen = replace(seen, aside=(*seen.aside, f"{failing} not mended: {_said(ending)}"))
        assert best is not None, "suspects are answerable for something"
        return best

    def _mended(
        self, seen: Diagnosed, looks: Looks, started: float, task: RepairTask, *, last: bool
    ) -> RunOutcome | None:
        """The best judged patch for one group of failing tests; unless it is the last, it leaves half of the time.

        ``None`` where all runs of the unpatched program, which are waited for, contradict what was seen, or where only
        they have the tests that each find breaks.
        """
        with contextlib.closing(self._pool(seen.baseline)) as pool:
            pool.begin(seen.localized)
            parsed = parseable(self.parts, self.sources, seen, self.parse_problems)
            if isinstance(parsed, RunOutcome):
                looks.baseline()
                return None if looks.contradicted() else parsed
            seen = looked = parsed
            so_far = self.parts.clock() - started
            suite_seconds = math.inf if seen.baseline.partial else seen.baseline.suite_seconds
            until = hunt_seconds(task.budget.max_seconds, so_far + suite_seconds)
            left = (until - so_far) * (1.0 if last else 0.5)
            suspects = count_noun(len(seen.localized.suspects), "suspect")
            self.parts.listen(phase("search", f"trying edits of {suspects}", max(left, 0.0)))
            hunt_started = self.parts.clock()
            budget = replace(task.budget, max_seconds=max(left, 0.0))
            late = late_seconds(task.budget.max_seconds, suite_seconds)
            more = late - so_far - budget.max_seconds if last else 0.0
            if any(not proposer.eager for proposer in self.parts.proposers):
                looks.baseline()  # who is paid for answers is asked about nothing that may not stand
            hunt = SearchLoop(
                self.parts,
                seen.baseline,
                seen.localized,
                self.sources,
                budget,
                pool,
                looks,
                max(more, 0.0),
            )
            self.reached.make = lambda: self._in_short(looked, hunt.so_far(), task)
            catch = hunt.run()
            agreed = looks.baseline()
            if looks.contradicted() or isinstance(agreed, NothingToMend):
                return None
            narrow, seen = seen.baseline.partial, seen.agreed(agreed)
            if narrow and not agreed.partial:
                pool.screen.widen(agreed)
                until = self.parts.clock() + CHOOSING_SHARE * task.budget.max_seconds
                standing = self._standing(catch.survivors, seen, pool, until)
                lost = len(standing) < len(catch.survivors)
                if not standing and (lost or not catch.cut) and not self._late(started, task):
                    return None
                catch = replace(catch, survivors=standing)
            texts = self._textual(seen)
            with contextlib.suppress(OutOfTimeError):
                catch = self._with_rivals(catch, seen, left - (self.parts.clock() - hunt_started), pool, texts)
            searched = self.parts.clock()
            found = self._chosen(catch, seen, pool, task, texts)
        found = self._with_besides(found, seen, task)
        compared = catch.screen_seconds + self.parts.clock() - searched
        spent = searched - hunt_started - catch.patient_seconds - catch.screen_seconds
        seconds = replace(
            seen.seconds, search=round(spent, 3), model=catch.patient_seconds, validate=round(compared, 3)
        )
        return self._decide(replace(seen, seconds=seconds), found, started, task)

    def _pool(self, baseline: Baseline) -> Pool:
        parts = self.parts
        return Pool(parts.sandbox, baseline, self.sources, parts.limits, parts.jobs)

    def _standing(
        self, survivors: Sequence[Survivor], seen: Diagnosed, pool: Pool, until: float
    ) -> tuple[Survivor, ...]:
        """Those of what passed that pass all passing tests that run their function, seen by the search or not."""
        index, broken = seen.localized.index, set()
        with contextlib.suppress(OutOfTimeError):  # the gates ask whom there was no time to ask here
            for candidate in (survivor.candidate for survivor in survivors):
                span = span_of(index.get(candidate.function.path, ()), candidate.function)
                trial = as_trial(edit_scope(self.sources, candidate.function), candidate.text, "screened again")
                late = self.parts.clock() > until
                if span is not None and not candidate.imports and not late and pool.screen.breaks(trial, span):
                    broken.add(candidate.digest)
        return tuple(survivor for survivor in survivors if survivor.candidate.digest not in broken)

    def _textual(self, seen: Diagnosed) -> Textual:
        """Asks the gates that read texts, once for each candidate."""
        known: dict[Digest, Verdict] = {}

        def textual(candidate: Candidate) -> Verdict:
            if candidate.digest not in known:
                known[candidate.digest] = self.judging.textual(candidate, seen)
            return known[candidate.digest]

        return textual

    def _with_rivals(
        self, catch: SearchResult, seen: Diagnosed, left: float, pool: Pool, texts: Textual
    ) -> SearchResult:
        """The catch with what else passes where its best candidate stands."""
        if not catch.survivors:
            return catch
        best = chosen(catch.survivors, texts)[0].survivor
        seconds = max(left, min(LEAST_RIVAL_SECONDS, RIVAL_SHARE * self.deadline.left))
        found = rivals_around(self.parts, seen.baseline, seen.localized, self.sources, best.candidate, seconds, pool)
        if found is None:
            return catch
        return replace(
            catch,
            survivors=joined(catch.survivors, best, found.survivors),
            rivals=found.executed,
        )

    def _chosen(self, catch: SearchResult, seen: Diagnosed, pool: Pool, task: RepairTask, texts: Textual) -> Found:
        """The survivors ranked by what is known of them, and where there are several, by how they behave."""
        ranked = chosen(catch.survivors, texts)
        if len(ranked) < 2:
            return Found(catch, tuple(self.order(ranked)), ())
        watch = SuiteWatch(self.parts.clock, self.parts.clock() + CHOOSING_SHARE * task.budget.max_seconds)
        compared = Comparing(pool, seen.baseline, seen.localized, self.sources, task.seed, watch)
        conducts: tuple[BehaviourClusters, ...] = ()
        with contextlib.suppress(OutOfTimeError), self.deadline.at_most(LATE_CHOOSING * watch.left):
            conducts = compared.conducts([choice.candidate for choice in ranked])
        return Found(catch, tuple(self.order(chosen(catch.survivors, texts, conducts))), conducts)

    def _with_besides(self, found: Found, seen: Diagnosed, task: RepairTask) -> Found:
        """What was found with what it mends of the other failing tests; what mends more of them comes first."""
        until = self.parts.clock() + CHOOSING_SHARE * task.budget.max_seconds
        known = ExtraFixes()
        with contextlib.suppress(OutOfTimeError):
            limits = seen.baseline.relax_limits(self.parts.limits)
            known = besides(self.parts.sandbox, seen.others, found.choices, limits, lambda: self.parts.clock() > until)
        return replace(found, choices=known.ordered(found.choices), besides=known)

    def _decide(self, seen: Diagnosed, found: Found, started: float, task: RepairTask) -> RunOutcome:
        """Judge the survivors, the most promising first, until one is certified."""
        gates_started, catch = self.parts.clock(), found.catch
        self.reached.make = lambda: self._in_short(seen, catch, task)
        ending = _unrepaired(seen, catch)
        if not catch.survivors:
            ending = replace(ending, messages=told(catch), next_action=next_action(task, exhausted=not catch.cut))
            return self._with_partial(ending, seen, catch, lambda: self._late(started, task))
        candidates = count_noun(len(catch.survivors), "plausible candidate")
        self.parts.listen(phase("gates", f"gathering evidence on {candidates}", 10.0))

        def late(seconds: float) -> bool:
            return self._late(started - seconds, task)

        deciding = Deciding(self.judging, seen, found.choices, found.conducts, late, catch.hurried, found.besides)
        judged = deciding.decide(task.alternatives)
        seconds = replace(ending.seconds, gates=round(self.parts.clock() - gates_started, 3))
        if not judged:
            said = unjudged(len(catch.survivors))
            return replace(ending, seconds=seconds, messages=said, next_action=next_action(task))
        status = Status(judged[0].verdict.status.value)
        answered = found.besides.seen_with(judged[0].submission.candidate, seen)
        warnings = (*answered.warnings(count_also_mended(judged[0].verdict)), *catch.warnings)
        return replace(ending, status=status, judged=judged, seconds=seconds, plan=judged[0].plan, warnings=warnings)

    def _in_short(self, seen: Diagnosed, catch: SearchResult, task: RepairTask) -> RunOutcome:
        """How it ends where there is no more time, not even to ask anybody about what was found."""
        ending = replace(_unrepaired(seen, catch), next_action=next_action(task))
        judged = sorted(self.reached.judged(), key=place_of)
        if judged:
            return replace(ending, status=Status(judged[0].verdict.status.value), judged=tuple(judged))
        return replace(ending, messages=unjudged(len(catch.survivors)) if catch.survivors else told(catch))

    def _with_partial(
        self, ending: RunOutcome, seen: Diagnosed, catch: SearchResult, over: Callable[[], bool]
    ) -> RunOutcome:
        """The ending with the edit that mends a part of the failing tests, where there is one."""
        parts = self.parts
        found = None
        with contextlib.suppress(OutOfTimeError):
            found = best_partial(parts.sandbox, seen.baseline, self.baseline_limits, catch.partial, over)
        if found is None:
            return ending
        several = (
            f"the failing tests may have several causes: name {count_noun(len(found.mended), 'test')} of one alone"
        )
        return replace(ending, brief=found.brief, next_action=f"{several}, or {ending.next_action}")

    def _late(self, started: float, task: RepairTask) -> bool:
        return self.parts.clock() - started > task.budget.max_seconds


def _unrepaired(seen: Diagnosed, catch: SearchResult) -> RunOutcome:
    """An ending without a patch, with what was counted."""
    warnings = (*seen.warnings(), *catch.warnings)
    return replace(seen.ending(Status.UNREPAIRED), counts=catch.counts(), warnings=warnings)


def _without_suspects(seen: Diagnosed) -> RunOutcome:
    """Nothing runs that could be changed, or it is not known what runs, since a test was killed before it could say."""
    failures = [d.failure for d in seen.localized.diagnoses]
    hung = [f.test for f in failures if f.outcome is Outcome.HANG and not f.exceptions]
    if hung:
        message = (
            f"{hung[0]} hangs where it cannot be interrupted, so that it is not known which functions it runs: "
            "name the one to mend with --function"
        )
        return replace(seen.ending(Status.UNREPAIRED), messages=(message,))
    message = "No function of the project runs in the failing tests: there is nothing that a patch could change"
    return replace(seen.ending(Status.OUT_OF_SCOPE), messages=(message,), brief=message)


def hunt_seconds(max_seconds: float, baseline_seconds: float) -> float:
    """When to stop looking, counted from the start: what judging will take is kept, at most three tenths of all."""
    return max_seconds - min(max_seconds * (1 - HUNT_SHARE), JUDGING_SECONDS + baseline_seconds)


def late_seconds(max_seconds: float, suite_seconds: float) -> float:
    """The same while nothing was found. Of a suite that is not known it cannot be told what it will take."""
    needed = 0.0 if math.isinf(suite_seconds) else LEAST_JUDGING_SECONDS + 2 * suite_seconds
    return max_seconds - min(max_seconds * (1 - HUNT_SHARE), max(needed, max_seconds * (1 - LATE_SHARE)))


def _said(ending: RunOutcome) -> str:
    """How it went with one group, in a line."""
    named = ", ".join(str(d.failure.test) for d in ending.diagnoses[:3])
    why = ending.messages[0] if ending.messages else f"the best patch is {ending.status}"
    return f"{named}: {why}"
