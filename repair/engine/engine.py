"""One cause: observe, diagnose, search, choose, judge. Everything that touches the world comes in as a part.

A group of failing tests is searched for, chosen among, decided, and told in an outcome; `causes.py` has the loop over
all of them. An engine that trusts its tests is what our gates are compared with: it can say ``plausible``, never
``certified``.
"""

from __future__ import annotations

import contextlib
import functools
import math
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from analysis.errors import OutOfTimeError
from analysis.facts import Files, Limits, TestId
from analysis.functions import span_of
from repair.engine.causes import AllCauses, CauseParts, StartAgain
from repair.engine.choosing import Choosing, Order, Ranking
from repair.engine.combining import combine_causes, tests_of
from repair.engine.deciding import (
    Deciding,
    describe_search,
    end_unjudged,
    end_unrepaired,
    place_of,
    suggest_next,
    tell_doubt,
)
from repair.engine.diagnosing import Diagnosed, Diagnosing, announce_plan, keep_parseable
from repair.engine.judging import Judging
from repair.engine.ranking import RankedCandidate
from repair.engine.reached import Reached
from repair.engine.task_time import TaskTime
from repair.engine.writing_anew import MODEL, WritingAnew
from repair.hunt.candidate_maker import find_best_partial
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.hunt.tried_edit import TriedEdit
from repair.observe.baseline import FURTHER_RUNS
from repair.observe.groups import Group, groups, groups_by_cause
from repair.observe.nearest_first import PATIENCE
from repair.observe.observation import Observation, ObservationState
from repair.observe.parsing import ParseProblem, Sources, check_sources
from repair.observe.statements import Measure, measure_statements
from repair.observe.touching import KnownLines
from repair.records.events import Listener, event, phase
from repair.records.functions import as_trial, edit_scope
from repair.records.outcome import Cause, Judged, RunOutcome
from repair.records.plan import Localized, localize, plan
from repair.records.ports import OUT_OF_TIME, Proposer, Sandbox
from repair.records.result import Status
from repair.records.task import Baseline, RepairTask
from repair.records.wording import count_noun
from repair.trials.pool import Pool
from sandbox.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine: what a search works with, who judges what it finds, and the files as they were at the start."""

    search: SearchParts
    judging: Judging
    sandbox: Sandbox
    sources: Files
    limits: Limits
    """Bounds of a run of the whole suite."""
    clock: Callable[[], float]
    listen: Listener
    parse_problems: Callable[[Sources], Sequence[ParseProblem]] = check_sources
    order: Order = tuple
    """In which order ranked candidates are judged: the most promising first."""
    deadline: Deadline = field(default_factory=Deadline)
    """When all has to be over."""
    stop: Callable[[], None] = lambda: None
    """Ends what goes on beside a run that is broken off."""
    known_lines: KnownLines = tuple
    """The lines of tests as they are known from earlier runs."""
    measure: Measure = measure_statements
    """Says what the statements of files are, by the project's settings."""
    hear_baseline: Callable[[Baseline], None] = lambda baseline: None
    """Is told what all runs of the unpatched program agree on."""
    on_top: Callable[[Files], Engine] | None = None
    """Makes the same engine over the program with these files laid over it: the program as mended so far."""

    def explain(self, task: RepairTask) -> RunOutcome:
        """The diagnosis alone: failures, suspects, and the plan that a fix would be held to."""
        diagnosing = self._diagnosing(task)
        with run_beside(self.stop) as beside:
            observation = diagnosing.observe(beside)
            seen = diagnosing.diagnose(observation.base_on_all_runs())
        if isinstance(seen, RunOutcome):
            return seen
        announce_plan(self.listen, seen)
        ending = replace(seen.end_with(Status.DIAGNOSED), next_action="repair fix")
        if not seen.localized.suspects:
            return ending
        found = groups_by_cause(seen.baseline, seen.localized, lambda tests: self._localize(seen, tests, task))
        planned = _plan_causes(ending, found, seen)
        self.judging.reached.make = lambda: planned
        first = next(groups(seen.baseline, seen.localized))
        function = planned.causes[0].ending.suspects[0].function
        with contextlib.closing(self.search.open_pool(first.baseline, self.sources)) as pool:
            tier, reason = pool.router.tier_of(function), pool.router.why(function)
        return replace(planned, tier=tier.value, tier_reason=reason)

    def fix(self, task: RepairTask) -> RunOutcome:
        """A judged patch for each cause of the failing tests, or why there is none.

        A function that cannot be parsed is written anew where a model is asked.
        """
        began, ending = self.clock(), self._fix_parsed(task)
        if self.on_top is None or not self._models:
            return ending
        anew = WritingAnew(self.sources, self._fix_over, self.listen)
        return anew.mend(task, ending, task.budget.max_seconds - (self.clock() - began))

    @property
    def _models(self) -> tuple[Proposer, ...]:
        return tuple(proposer for proposer in self.search.proposers if proposer.name == MODEL)

    def _fix_over(self, files: Files, task: RepairTask) -> RunOutcome:
        """The failing tests mended by a model alone, on the program with these files laid over it."""
        over = self._over(files)
        search = replace(over.search, proposers=self._models)
        return replace(over, search=search, hear_baseline=lambda baseline: None)._fix_parsed(task)

    def _fix_parsed(self, task: RepairTask) -> RunOutcome:
        """The same for what can be parsed.

        The work begins by the first runs of the unpatched program. It begins again by all of them where it has to:
        by fewer alone nothing ends.
        """
        diagnosing = self._diagnosing(task)
        with run_beside(self.stop) as beside:
            observation = diagnosing.observe(beside, PATIENCE)
            seen = diagnosing.diagnose(observation.basis)
            if isinstance(seen, Diagnosed) and seen.localized.suspects:
                ending = self._mend(task, diagnosing.time, observation, seen)
                if isinstance(ending, RunOutcome):
                    return ending
            seen = diagnosing.diagnose(observation.base_on_all_runs())
            if isinstance(seen, RunOutcome):
                return seen
            ending = self._mend(task, diagnosing.time, observation, seen)
            assert isinstance(ending, RunOutcome), f"what all runs say is not contradicted by them: {ending}"
            return ending

    def _mend(
        self, task: RepairTask, time: TaskTime, observation: Observation, seen: Diagnosed
    ) -> RunOutcome | StartAgain:
        """How the work on all causes ends."""

        def work(base: Files, own: Diagnosed, share: TaskTime, reached: Reached) -> RunOutcome | StartAgain:
            engine = self._over(base)
            engine = replace(engine, judging=replace(engine.judging, reached=reached))
            known = Observation(own.baseline) if base else observation
            return GroupRepair(engine, task, share, known).repair(own)

        def agree(before: Diagnosed) -> Diagnosed:
            agreed = observation.base_on_all_runs()
            return before.take_over(agreed) if isinstance(agreed, Baseline) else before

        parts = CauseParts(
            work,
            agree,
            self.sandbox,
            self.sources,
            self.limits,
            self.listen,
            self.judging.reached,
        )
        return AllCauses(parts, task, time, seen).mend()

    def _over(self, base: Files) -> Engine:
        """The engine for the program with these files laid over it."""
        if not base:
            return self
        assert self.on_top is not None, "whoever works on several causes says how the program as mended is run"
        return self.on_top(base)

    def _localize(self, seen: Diagnosed, tests: Collection[TestId], task: RepairTask) -> Localized:
        failing = tuple(test for test in seen.baseline.failing if test in tests)
        return localize(replace(seen.baseline, failing=failing), self.sources, patch_lines=task.patch_lines)

    def _diagnosing(self, task: RepairTask) -> Diagnosing:
        time = TaskTime(self.clock, self.clock(), task.budget.max_seconds)
        return Diagnosing(
            self.sandbox, self.sources, self.limits, task, time, self.listen, self.hear_baseline, self.known_lines
        )


@contextlib.contextmanager
def run_beside(stop: Callable[[], None]) -> Iterator[ThreadPoolExecutor]:
    """Threads for the further runs of the unpatched program; ``stop`` ends these with a run that is broken off."""
    with ThreadPoolExecutor(FURTHER_RUNS) as pool:
        try:
            yield pool
        except BaseException:
            stop()  # nobody reads them any more, and they may take long
            raise


def _plan_causes(ending: RunOutcome, found: Sequence[Group], seen: Diagnosed) -> RunOutcome:
    """The diagnosis with the plan of each cause, the likeliest first, and behind them those that have none."""
    planned = []
    for group in found:
        theirs = group.localized
        chosen = plan(theirs.suspects[0], theirs.diagnoses)
        one = replace(ending, diagnoses=theirs.diagnoses, suspects=theirs.suspects, plan=chosen)
        planned.append((group.baseline.failing, one))
    planned += [(tests_of(each), each) for each in seen.hopeless]
    causes = tuple(Cause(number, tests, each) for number, (tests, each) in enumerate(planned, 1))
    beside = combine_causes(causes)
    return replace(
        ending, diagnoses=beside.diagnoses, set_aside=beside.set_aside, plan=planned[0][1].plan, causes=causes
    )


MOST_DOUBTS = 2
"""So often the author of a patch in doubt is told of that: a special case is never the last word."""

LEAST_ASKING_SECONDS = 4.0
"""What a reply and its trial take at least."""

ASKING_SHARE = 0.6
"""Of the time that is left then, what asking may take: the rest is for judging."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found, for the failing tests that were ``seen`` by all runs.

    It ``began`` by the clock, and might have taken ``left`` seconds from then on.
    """

    seen: Diagnosed
    result: SearchResult
    began: float
    left: float


@dataclass(frozen=True, slots=True)
class GroupRepair:
    """Repairs one group of failing tests, as a part of one task.

    ``observation`` goes on beside: it is waited for before anything is judged.
    """

    engine: Engine
    task: RepairTask
    time: TaskTime
    observation: Observation

    def repair(self, seen: Diagnosed) -> RunOutcome | StartAgain:
        """The best judged patch for the failing tests that were ``seen``."""
        engine = self.engine
        with contextlib.closing(engine.search.open_pool(seen.baseline, engine.sources)) as pool:
            pool.begin(seen.localized)
            parsed = keep_parseable(engine.listen, engine.sources, seen, engine.parse_problems)
            if isinstance(parsed, RunOutcome):
                contradicted = self.observation.wait() is ObservationState.CONTRADICTED
                return StartAgain.OTHER_TESTS_FAIL if contradicted else parsed
            searched = self._search(parsed, pool)
            if isinstance(searched, StartAgain):
                return searched
            read = functools.cache(functools.partial(engine.judging.read_text, seen=searched.seen))
            choosing = Choosing(searched.seen, engine.sources, self.time, engine.deadline, read, engine.order)
            result = searched.result
            left = searched.left - (self.time.clock() - searched.began)
            try:
                result = choosing.add_rivals(result, engine.search, pool, left)
            except OutOfTimeError:
                result = replace(result, unsought=OUT_OF_TIME)
            ended = self.time.clock()
            ranking = choosing.rank(result, pool, self.task.seed)
        ranking = choosing.add_extra_fixes(ranking, engine.sandbox, engine.search.limits)
        compared = result.screen_seconds + self.time.clock() - ended
        spent = ended - searched.began - result.patient_seconds - result.screen_seconds
        seconds = searched.seen.seconds
        seconds = replace(seconds, search=round(spent, 3), model=result.patient_seconds, validate=round(compared, 3))
        told = replace(searched.seen, seconds=seconds)
        return self._ask_again(told, result, choosing, self._decide(told, result, ranking))

    def _ask_again(self, seen: Diagnosed, result: SearchResult, choosing: Choosing, ending: RunOutcome) -> RunOutcome:
        """The ending after the author of a patch in doubt was told of it, and asked for a better one, while that helps.

        The best by the judge is the answer: an honest patch stays where nothing better comes.
        """
        patient = tuple(proposer for proposer in self.engine.search.proposers if not proposer.eager)
        attempts = result.attempts
        for _ in range(MOST_DOUBTS):
            doubt = tell_doubt(ending.judged, {proposer.name for proposer in patient})
            late = self.time.is_up(ending.seconds.gates + LEAST_ASKING_SECONDS)
            if doubt is None or late or doubt.function is None:
                break
            self._reach(ending)
            self.engine.listen(
                event("doubt", function=doubt.function.qualname, doubt=doubt.doubt, question=doubt.question)
            )
            attempts = (*attempts, doubt)
            own = tuple(proposer for proposer in patient if proposer.name == doubt.author)
            parts = replace(self.engine.search, proposers=own)
            left = self.time.started + self.time.max_seconds - self.time.clock()
            found = choosing.search_once_more(parts, doubt.function, attempts, ASKING_SHARE * left)
            known = {survivor.candidate.digest for survivor in result.survivors}
            new = tuple(each for each in found.survivors if each.candidate.digest not in known)
            attempts, result = found.attempts, result.with_survivors((*result.survivors, *new))
            if not new:
                break
            with contextlib.closing(self.engine.search.open_pool(seen.baseline, self.engine.sources)) as pool:
                ranking = choosing.rank(result, pool, self.task.seed)
            ranking = choosing.add_extra_fixes(ranking, self.engine.sandbox, self.engine.search.limits)
            ending = self._decide(seen, result, ranking, ending.judged)
        return ending

    def _reach(self, ending: RunOutcome) -> None:
        """From now on the run ends so, should it be broken off."""
        self.engine.judging.reached.make = lambda: ending

    def _search(self, seen: Diagnosed, pool: Pool) -> Searched | StartAgain:
        """What a search finds that all runs of the unpatched program, which are waited for, do not speak against."""
        engine, baseline = self.engine, seen.baseline
        suite_seconds = math.inf if baseline.partial else baseline.suite_seconds
        time = self.time.for_search(suite_seconds)
        suspects = count_noun(len(seen.localized.suspects), "suspect")
        announce_plan(engine.listen, seen)
        engine.listen(phase("search", f"trying edits of {suspects}", time.seconds))
        began = self.time.clock()
        if engine.search.costs_money:
            self.observation.wait()  # who is paid for answers is asked about nothing that may not stand
        budget = replace(self.task.budget, max_seconds=time.seconds)
        loop = SearchLoop(
            engine.search, baseline, seen.localized, engine.sources, budget, pool, self.observation, time.more
        )
        engine.judging.reached.make = lambda: self._end_in_short(seen, loop.result_so_far())
        result = loop.run()
        state = self.observation.wait()
        if state is ObservationState.CONTRADICTED:
            return StartAgain.OTHER_TESTS_FAIL
        agreed = self.observation.agreed_baseline()
        known = seen.take_over(agreed)
        if state is ObservationState.WIDER:
            standing = self._screen_again(result, known, agreed, pool)
            lost = len(standing.survivors) < len(result.survivors)
            if not standing.survivors and (lost or not result.cut) and not self.time.is_up():
                return StartAgain.NO_FIND_STANDS
            result = standing
        return Searched(known, result, began, time.left)

    def _screen_again(self, result: SearchResult, seen: Diagnosed, wider: Baseline, pool: Pool) -> SearchResult:
        """The result with those survivors that pass all passing tests that run their function, seen before or not."""
        pool.screen.widen(wider)
        until = self.time.end_of_choosing()
        index, broken = seen.localized.index, set()
        with contextlib.suppress(OutOfTimeError):  # the gates ask whom there was no time to ask here
            for candidate in (survivor.candidate for survivor in result.survivors):
                span = span_of(index.get(candidate.function.path, ()), candidate.function)
                trial = as_trial(edit_scope(self.engine.sources, candidate.function), candidate.text, "screened again")
                late = self.time.clock() > until
                if span is not None and not candidate.imports and not late and pool.screen.breaks(trial, span):
                    broken.add(candidate.digest)
        return result.with_survivors([s for s in result.survivors if s.candidate.digest not in broken])

    def _decide(
        self, seen: Diagnosed, result: SearchResult, ranking: Ranking, before: tuple[Judged, ...] = ()
    ) -> RunOutcome:
        """Judge the survivors, the most promising first, until one is certified; some may have been judged before."""
        gates_started, task = self.time.clock(), self.task
        asked = self.engine.search.costs_money
        self.engine.judging.reached.make = lambda: self._end_in_short(seen, result)
        ending = end_unrepaired(seen, result)
        if not result.survivors:
            said = describe_search(result)
            if result.failure:
                ending = replace(ending, status=Status.MODEL_ERROR)
                said = (result.failure, *said)
            ending = replace(ending, messages=said, next_action=suggest_next(task, result, asked_model=asked))
            return self._show_partial(ending, seen, result.partial)
        candidates = count_noun(len(result.survivors), "plausible candidate")
        self.engine.listen(phase("gates", f"gathering evidence on {candidates}", 10.0))
        deciding = Deciding(self.engine.judging, seen, ranking, self.time, result.unsought, before)
        judged = deciding.decide(task.alternatives)
        judged = tuple(sorted((*before, *judged), key=place_of)) if before else judged
        seconds = replace(ending.seconds, gates=round(self.time.clock() - gates_started, 3))
        if not judged:
            following = suggest_next(task, result, asked_model=asked)
            ending = replace(ending, seconds=seconds, next_action=following)
            return end_unjudged(ending, [survivor.candidate for survivor in result.survivors])
        status = Status(judged[0].verdict.status.value)
        warnings = (*seen.aside, *result.warnings)
        return replace(ending, status=status, judged=judged, seconds=seconds, plan=judged[0].plan, warnings=warnings)

    def _end_in_short(self, seen: Diagnosed, result: SearchResult) -> RunOutcome:
        """How it ends where there is no more time, not even to ask anybody about what was found."""
        asked = self.engine.search.costs_money
        following = suggest_next(self.task, result, asked_model=asked, broken_off=True)
        ending = replace(end_unrepaired(seen, result), next_action=following)
        judged = sorted(self.engine.judging.reached.list_judged(), key=place_of)
        if judged:
            status = Status(judged[0].verdict.status.value)
            return replace(ending, status=status, judged=tuple(judged), next_action="")
        if result.survivors:
            return end_unjudged(ending, [survivor.candidate for survivor in result.survivors])
        return replace(ending, messages=describe_search(result))

    def _show_partial(self, ending: RunOutcome, seen: Diagnosed, partial: Sequence[TriedEdit]) -> RunOutcome:
        """The ending with the edit that mends a part of the failing tests, where there is one."""
        found = None
        with contextlib.suppress(OutOfTimeError):
            found = find_best_partial(self.engine.sandbox, seen.baseline, self.engine.limits, partial, self.time.is_up)
        if found is None:
            return ending
        where = found.candidate.function
        return replace(
            ending, brief=found.brief, partly_mended=found.mended, broken_by_part=found.broken, part_in=where
        )


SHOWN_BY_TESTS = frozenset({"fixes", "regressions"})
"""The gates that do no more than run the tests. A verdict without the other core gates is ``plausible`` at most."""

UNJUDGED = "judged by its tests alone: no other gate was asked"


def trust_tests(engine: Engine, seed: int | None) -> Engine:
    """The engine with no gates but those; with a seed it draws the order of the survivors instead of ranking them."""
    gates = tuple(gate for gate in engine.judging.gates if gate.name in SHOWN_BY_TESTS)
    order = engine.order if seed is None else lambda ranked: shuffle_candidates(ranked, seed)
    above = engine.on_top
    on_top = None if above is None else lambda files: trust_tests(above(files), seed)
    return replace(engine, judging=replace(engine.judging, gates=gates), order=order, on_top=on_top)


def shuffle_candidates(ranked: Sequence[RankedCandidate], seed: int) -> list[RankedCandidate]:
    """The candidates in an order that the seed alone decides, not the order in which they were found."""
    found = sorted(ranked, key=lambda each: each.candidate.digest)
    random.Random(seed).shuffle(found)
    return found
