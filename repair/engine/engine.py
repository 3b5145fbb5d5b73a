"""The loop: observe, diagnose, search, choose, judge. Everything that touches the world comes in as a part."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from analysis.facts import Files, Limits
from repair.engine.choosing import Order
from repair.engine.diagnosing import Diagnosed, Diagnosing
from repair.engine.endings import describe_ending, end_without_suspects
from repair.engine.group_repair import GroupRepair, StartAgain, WhyAgain
from repair.engine.judging import Judging
from repair.engine.reached import Reached
from repair.engine.task_time import TaskTime
from repair.hunt.search_parts import SearchParts
from repair.observe.baseline import FURTHER_RUNS
from repair.observe.groups import groups
from repair.observe.nearest_first import PATIENCE
from repair.observe.observation import Observation
from repair.observe.parsing import ParseProblem, Sources, check_sources
from repair.records.events import Listener
from repair.records.outcome import RunOutcome
from repair.records.plan import plan
from repair.records.ports import Sandbox
from repair.records.result import Status
from repair.records.task import RepairTask
from repair.records.wording import count_noun
from sandbox.deadline import Deadline

NOT_MENDED = (Status.UNREPAIRED, Status.REJECTED, Status.UNPARSEABLE)
"""After which the tests of another function are tried."""


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
    reached: Reached = field(default_factory=Reached)
    """What it has come to, should it be broken off; the judging tells it of candidates."""

    def explain(self, task: RepairTask) -> RunOutcome:
        """The diagnosis alone: failures, suspects, and the plan that a fix would be held to."""
        diagnosing = self._diagnosing(task)
        with run_beside(self.stop) as beside:
            observation = diagnosing.observe(beside)
            seen = diagnosing.diagnose(observation.base_on_all_runs())
        if isinstance(seen, RunOutcome):
            return seen
        ending = replace(seen.end_with(Status.DIAGNOSED), next_action="repair fix")
        if not seen.localized.suspects:
            return ending
        first_plan = plan(seen.localized.suspects[0], seen.localized.diagnoses)
        planned = replace(ending, plan=first_plan)
        self.reached.make = lambda: planned
        first = next(groups(seen.baseline, seen.localized))
        with contextlib.closing(self.search.open_pool(first.baseline, self.sources)) as pool:
            tier, reason = pool.ladder.tier_of(first_plan.function), pool.ladder.why(first_plan.function)
        return replace(planned, tier=tier.value, tier_reason=reason)

    def fix(self, task: RepairTask) -> RunOutcome:
        """The best judged patch of one function, or why there is none.

        The work begins by the first runs of the unpatched program. It begins again by all of them where it has to:
        by fewer alone nothing ends.
        """
        diagnosing = self._diagnosing(task)
        with run_beside(self.stop) as beside:
            observation = diagnosing.observe(beside, PATIENCE)
            repair = self._group_repair(diagnosing, observation)
            match self._fix_first(diagnosing.diagnose(observation.basis), repair):
                case RunOutcome() as ending:
                    return ending
                case StartAgain():
                    return self._fix_by_all_runs(diagnosing.diagnose(observation.base_on_all_runs()), repair)

    def _fix_first(self, seen: Diagnosed | RunOutcome, repair: GroupRepair) -> RunOutcome | StartAgain:
        """How it ends by what the first runs say."""
        if isinstance(seen, RunOutcome) or not seen.localized.suspects:
            return StartAgain(WhyAgain.NOTHING_TO_SEARCH)
        return self._repair_groups(seen, repair)

    def _fix_by_all_runs(self, seen: Diagnosed | RunOutcome, repair: GroupRepair) -> RunOutcome:
        """How it ends by what all runs say."""
        if isinstance(seen, RunOutcome):
            return seen
        if not seen.localized.suspects:
            return end_without_suspects(seen)
        ending = self._repair_groups(seen, repair)
        assert isinstance(ending, RunOutcome), f"what all runs say is not contradicted by them: {ending}"
        return ending

    def _repair_groups(self, seen: Diagnosed, repair: GroupRepair) -> RunOutcome | StartAgain:
        """How it ends with the first group that can be mended, while there is time; what could not be is said."""
        task = repair.task
        if task.function:
            seen = replace(seen, localized=replace(seen.localized, suspects=seen.localized.suspects[:1]))
        # Who names tests wants these; who names none gets the first group that can be mended.
        waiting = list(groups(seen.baseline, seen.localized))[: 1 if task.tests or task.function else None]
        best: RunOutcome | None = None
        for group in waiting:
            ending = repair.repair(seen.focus(group), last=group is waiting[-1])
            if isinstance(ending, StartAgain):
                return ending
            told = describe_ending(ending)
            best = ending if best is None or ending.judged else replace(best, warnings=(*best.warnings, told))
            if ending.status not in NOT_MENDED or repair.time.is_up():
                break
            failing = count_noun(len(group.baseline.failing), "failing test")
            seen = replace(seen, aside=(*seen.aside, f"{failing} not mended: {told}"))
        assert best is not None, "suspects are answerable for something"
        return best

    def _diagnosing(self, task: RepairTask) -> Diagnosing:
        time = TaskTime(self.clock, self.clock(), task.budget.max_seconds)
        return Diagnosing(self.sandbox, self.sources, self.limits, task, time, self.listen)

    def _group_repair(self, diagnosing: Diagnosing, observation: Observation) -> GroupRepair:
        return GroupRepair(
            task=diagnosing.task,
            time=diagnosing.time,
            observation=observation,
            search=self.search,
            judging=self.judging,
            reached=self.reached,
            sandbox=self.sandbox,
            sources=self.sources,
            limits=self.limits,
            deadline=self.deadline,
            listen=self.listen,
            parse_problems=self.parse_problems,
            order=self.order,
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
