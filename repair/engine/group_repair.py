"""One group of failing tests: searched for, chosen among, decided, and told in an outcome."""

from __future__ import annotations

import contextlib
import enum
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analysis.errors import OutOfTimeError
from analysis.facts import Files, Limits
from analysis.functions import span_of
from repair.engine.choosing import Choosing, Order, Ranking, ReadTexts
from repair.engine.deciding import Deciding, place_of
from repair.engine.diagnosing import Diagnosed, keep_parseable
from repair.engine.endings import describe_search, describe_unjudged, end_unrepaired, suggest_next
from repair.engine.judging import Judging
from repair.engine.reached import Reached
from repair.engine.task_time import TaskTime
from repair.gates.regressions import count_also_mended
from repair.hunt.partial import find_best_partial
from repair.hunt.search_loop import SearchLoop
from repair.hunt.search_parts import SearchParts
from repair.hunt.search_result import SearchResult
from repair.hunt.tried_edit import TriedEdit
from repair.observe.observation import Observation, ObservationState
from repair.observe.parsing import ParseProblem, Sources
from repair.records.events import Listener, phase
from repair.records.functions import as_trial, edit_scope
from repair.records.outcome import RunOutcome
from repair.records.ports import Sandbox
from repair.records.result import Status
from repair.records.task import Baseline, RepairTask
from repair.records.wording import count_noun
from repair.trials.pool import Pool
from sandbox.deadline import Deadline


class WhyAgain(enum.Enum):
    """Why work that began by the first runs of the unpatched program begins again by all of them."""

    NOTHING_TO_SEARCH = "the first runs show nothing that could be searched for, and by fewer than all nothing ends"
    OTHER_TESTS_FAIL = "other tests fail in all runs"
    NO_FIND_STANDS = "each find breaks a test that only the whole suite has"


@dataclass(frozen=True, slots=True)
class StartAgain:
    """No outcome: the observation is to be based on all runs, and the work begins again."""

    why: WhyAgain


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
    """Repairs one group of failing tests after another, as parts of one task.

    ``observation`` goes on beside: it is waited for before anything is judged.
    """

    task: RepairTask
    time: TaskTime
    observation: Observation
    search: SearchParts
    judging: Judging
    reached: Reached
    sandbox: Sandbox
    sources: Files
    limits: Limits
    """Bounds of a run of the whole suite."""
    deadline: Deadline
    listen: Listener
    parse_problems: Callable[[Sources], Sequence[ParseProblem]]
    order: Order

    def repair(self, seen: Diagnosed, *, last: bool) -> RunOutcome | StartAgain:
        """The best judged patch for the failing tests that were ``seen``; unless ``last``, half of the time is left."""
        with contextlib.closing(self.search.open_pool(seen.baseline, self.sources)) as pool:
            pool.begin(seen.localized)
            parsed = keep_parseable(self.listen, self.sources, seen, self.parse_problems)
            if isinstance(parsed, RunOutcome):
                contradicted = self.observation.wait() is ObservationState.CONTRADICTED
                return StartAgain(WhyAgain.OTHER_TESTS_FAIL) if contradicted else parsed
            searched = self._search(parsed, pool, last=last)
            if isinstance(searched, StartAgain):
                return searched
            choosing = self._choosing(searched.seen)
            result = searched.result
            with contextlib.suppress(OutOfTimeError):
                left = searched.left - (self.time.clock() - searched.began)
                result = choosing.add_rivals(result, self.search, pool, left)
            ended = self.time.clock()
            ranking = choosing.rank(result, pool, self.task.seed)
        ranking = choosing.add_extra_fixes(ranking, self.sandbox, self.search.limits)
        compared = result.screen_seconds + self.time.clock() - ended
        spent = ended - searched.began - result.patient_seconds - result.screen_seconds
        seconds = replace(
            searched.seen.seconds,
            search=round(spent, 3),
            model=result.patient_seconds,
            validate=round(compared, 3),
        )
        return self._decide(replace(searched.seen, seconds=seconds), result, ranking)

    def _search(self, seen: Diagnosed, pool: Pool, *, last: bool) -> Searched | StartAgain:
        """What a search finds that all runs of the unpatched program, which are waited for, do not speak against."""
        suite_seconds = math.inf if seen.baseline.partial else seen.baseline.suite_seconds
        time = self.time.for_search(suite_seconds, last=last)
        suspects = count_noun(len(seen.localized.suspects), "suspect")
        self.listen(phase("search", f"trying edits of {suspects}", time.seconds))
        began = self.time.clock()
        if self.search.costs_money:
            self.observation.wait()  # who is paid for answers is asked about nothing that may not stand
        budget = replace(self.task.budget, max_seconds=time.seconds)
        loop = SearchLoop(
            self.search, seen.baseline, seen.localized, self.sources, budget, pool, self.observation, time.more
        )
        self.reached.make = lambda: self._end_in_short(seen, loop.result_so_far())
        result = loop.run()
        match self.observation.wait():
            case ObservationState.CONTRADICTED:
                return StartAgain(WhyAgain.OTHER_TESTS_FAIL)
            case ObservationState.WIDER:
                agreed = self.observation.agreed_baseline()
                known = seen.take_over(agreed)
                standing = self._screen_again(result, known, agreed, pool)
                lost = len(standing.survivors) < len(result.survivors)
                if not standing.survivors and (lost or not result.cut) and not self.time.is_up():
                    return StartAgain(WhyAgain.NO_FIND_STANDS)
                result = standing
            case _:
                known = seen.take_over(self.observation.agreed_baseline())
        return Searched(known, result, began, time.left)

    def _screen_again(self, result: SearchResult, seen: Diagnosed, wider: Baseline, pool: Pool) -> SearchResult:
        """The result with those survivors that pass all passing tests that run their function, seen before or not."""
        pool.screen.widen(wider)
        until = self.time.end_of_choosing()
        index, broken = seen.localized.index, set()
        with contextlib.suppress(OutOfTimeError):  # the gates ask whom there was no time to ask here
            for candidate in (survivor.candidate for survivor in result.survivors):
                span = span_of(index.get(candidate.function.path, ()), candidate.function)
                trial = as_trial(edit_scope(self.sources, candidate.function), candidate.text, "screened again")
                late = self.time.clock() > until
                if span is not None and not candidate.imports and not late and pool.screen.breaks(trial, span):
                    broken.add(candidate.digest)
        return result.with_survivors([s for s in result.survivors if s.candidate.digest not in broken])

    def _choosing(self, seen: Diagnosed) -> Choosing:
        read_text = ReadTexts(lambda candidate: self.judging.read_text(candidate, seen))
        return Choosing(seen, self.sources, self.time, self.deadline, read_text, self.order)

    def _decide(self, seen: Diagnosed, result: SearchResult, ranking: Ranking) -> RunOutcome:
        """Judge the survivors, the most promising first, until one is certified."""
        gates_started, task = self.time.clock(), self.task
        self.reached.make = lambda: self._end_in_short(seen, result)
        ending = end_unrepaired(seen, result)
        if not result.survivors:
            said = describe_search(result)
            ending = replace(ending, messages=said, next_action=suggest_next(task, exhausted=not result.cut))
            return self._show_partial(ending, seen, result.partial)
        candidates = count_noun(len(result.survivors), "plausible candidate")
        self.listen(phase("gates", f"gathering evidence on {candidates}", 10.0))
        deciding = Deciding(self.judging, seen, ranking, self.time.clock, self.time.is_up, result.hurried)
        judged = deciding.decide(task.alternatives)
        seconds = replace(ending.seconds, gates=round(self.time.clock() - gates_started, 3))
        if not judged:
            said = describe_unjudged(len(result.survivors))
            return replace(ending, seconds=seconds, messages=said, next_action=suggest_next(task))
        status = Status(judged[0].verdict.status.value)
        answered = ranking.extra_fixes.add_to(seen, judged[0].submission.candidate)
        warnings = (*answered.warnings(count_also_mended(judged[0].verdict)), *result.warnings)
        return replace(ending, status=status, judged=judged, seconds=seconds, plan=judged[0].plan, warnings=warnings)

    def _end_in_short(self, seen: Diagnosed, result: SearchResult) -> RunOutcome:
        """How it ends where there is no more time, not even to ask anybody about what was found."""
        ending = replace(end_unrepaired(seen, result), next_action=suggest_next(self.task))
        judged = sorted(self.reached.list_judged(), key=place_of)
        if judged:
            return replace(ending, status=Status(judged[0].verdict.status.value), judged=tuple(judged))
        survivors = len(result.survivors)
        return replace(ending, messages=describe_unjudged(survivors) if survivors else describe_search(result))

    def _show_partial(self, ending: RunOutcome, seen: Diagnosed, partial: Sequence[TriedEdit]) -> RunOutcome:
        """The ending with the edit that mends a part of the failing tests, where there is one."""
        found = None
        with contextlib.suppress(OutOfTimeError):
            found = find_best_partial(self.sandbox, seen.baseline, self.limits, partial, self.time.is_up)
        if found is None:
            return ending
        several = (
            f"the failing tests may have several causes: name {count_noun(len(found.mended), 'test')} of one alone"
        )
        return replace(ending, brief=found.brief, next_action=f"{several}, or {ending.next_action}")
