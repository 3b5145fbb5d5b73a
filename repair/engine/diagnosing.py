"""From the task to a diagnosis: the baseline, what it says, and which functions may be edited."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from analysis.facts import Diagnosis, FailureClass, Files, Limits, TestId
from repair.hunt.candidate_streams import MOST_SUSPECTS
from repair.hunt.search_loop import EngineParts
from repair.observe.baseline import NothingToMend, begin_observing, uncollected
from repair.observe.complete_runs import SuiteWatch
from repair.observe.groups import Group, left_over
from repair.observe.parsing import ParseProblem, Sources
from repair.records.events import Event, event, phase
from repair.records.outcome import RunOutcome
from repair.records.plan import Localized, localize, plan, require_function
from repair.records.result import Seconds, Status
from repair.records.task import Baseline, RepairTask

OBSERVING_SHARE = 0.5
"""The part of the time budget that observing the unpatched program may use."""


HOPELESS = {
    FailureClass.FORMAT: Status.UNPARSEABLE,
    FailureClass.ENVIRONMENT: Status.ENVIRONMENT,
    FailureClass.TEST_DEFECT: Status.TEST_DEFECT,
}
"""Failures that no patch of a function can answer, and the word for each."""


def hang(said: str) -> Event:
    """A test hangs, as an event."""
    return event("warning", message=said)


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """A baseline with what it says."""

    baseline: Baseline
    localized: Localized
    seconds: Seconds
    aside: tuple[str, ...] = ()
    """What this run does not work on, one sentence each."""
    others: tuple[TestId, ...] = ()
    """Tests that fail too and are not asked for."""

    def ending(self, status: Status) -> RunOutcome:
        """An ending with this word, and nothing judged."""
        localized = self.localized
        return RunOutcome(
            status, localized.diagnoses, localized.suspects, seconds=self.seconds, warnings=self.warnings()
        )

    def warnings(self, mended: int = 0) -> tuple[str, ...]:
        """What this run does not work on, where so many of the other failing tests pass with the answer."""
        return (*self.aside, *left_over(self.others, mended))

    def focused(self, group: Group) -> Diagnosed:
        """The diagnosis of the group alone; the other failing tests are left aside."""
        return replace(self, baseline=group.baseline, localized=group.localized, others=group.others)

    def agreed(self, baseline: Baseline) -> Diagnosed:
        """The diagnosis with what all runs agree on, where the same tests fail in them."""
        before = tuple(said for said in self.aside if said not in self.baseline.lost)
        aside = (*before, *baseline.lost)
        return replace(self, baseline=replace(baseline, failing=self.baseline.failing), aside=aside)

    def without(self, tests: set[TestId]) -> Diagnosed:
        """The diagnosis without these failing tests."""
        baseline = replace(self.baseline, failing=tuple(t for t in self.baseline.failing if t not in tests))
        diagnoses = tuple(d for d in self.localized.diagnoses if d.failure.test not in tests)
        return replace(self, baseline=baseline, localized=replace(self.localized, diagnoses=diagnoses))


class Looks:
    """The unpatched program seen twice: when its first runs are over, and when further ones, which go on beside, are.

    By the first look a search may begin; nothing is judged before the second, nor where that one says otherwise.
    Conforms to ``Further``.
    """

    def __init__(
        self,
        parts: EngineParts,
        sources: Files,
        limits: Limits,
        task: RepairTask,
        beside: Executor,
        patience: float = math.inf,
    ) -> None:
        """The first runs are over then; the whole suite is one of them where it takes at most ``patience`` seconds.

        Raises ``UsageError``, before any run, for a function that is not there.
        """
        if task.function:
            require_function(sources, task.function)
        self._parts, self._sources, self._function = parts, sources, task.function
        self._started = parts.clock()
        most, end = OBSERVING_SHARE * task.budget.max_seconds, self._started + task.budget.max_seconds
        parts.listen(phase("baseline", "running the tests several times", most))
        watch = SuiteWatch(parts.clock, self._started + most, end=end, tell=lambda said: parts.listen(hang(said)))
        self._observing = begin_observing(
            parts.sandbox, task.tests, limits, task.seed, beside, watch=watch, patience=patience
        )
        self._agreed: Baseline | NothingToMend | None = None
        self._taken = self._observing.first

    def first(self) -> Diagnosed | RunOutcome:
        """What the failures of the first runs say."""
        return self._diagnosed(self._taken)

    def whole(self) -> Diagnosed | RunOutcome:
        """What the failures of all runs say, or why there is nothing that a patch of one function could mend."""
        self._taken = self.baseline()
        return self._diagnosed(self._taken)

    def baseline(self) -> Baseline | NothingToMend:
        """What all runs agree on; they are waited for."""
        if self._agreed is None:
            self._agreed = self._observing.whole()
            self._tell(self._agreed)
        return self._agreed

    def contradicted(self) -> bool:
        """Whether it is known by now that other tests fail than in the runs that were diagnosed."""
        if not self._observing.over():
            return False
        taken, now = self._taken, self.baseline()
        return not (isinstance(taken, Baseline) and isinstance(now, Baseline) and taken.failing == now.failing)

    def wider(self) -> Baseline | None:
        """The baseline of all runs, where that is known by now and holds more of the suite than was diagnosed."""
        taken = self._taken
        if not isinstance(taken, Baseline) or not taken.partial or not self._observing.over():
            return None
        whole = self.baseline()
        return whole if isinstance(whole, Baseline) and not whole.partial and not self.contradicted() else None

    def _tell(self, baseline: Baseline | NothingToMend) -> None:
        if isinstance(baseline, NothingToMend):
            return
        self._parts.listen(
            event(
                "baseline",
                tests=len(baseline.outcomes),
                failing=len(baseline.failing),
                passing=len(baseline.passing),
                flaky=len(baseline.flaky),
                seconds=round(self._parts.clock() - self._started, 3),
            )
        )
        for said in baseline.lost:
            self._parts.listen(event("warning", message=said))
        for error in baseline.traced.collection_errors:
            self._parts.listen(event("warning", message=f"left aside: {uncollected(error).message}"))

    def _diagnosed(self, baseline: Baseline | NothingToMend) -> Diagnosed | RunOutcome:
        if isinstance(baseline, NothingToMend):
            return RunOutcome(Status(baseline.status), messages=(baseline.message,))
        observed = self._parts.clock()
        self._parts.listen(phase("localize"))
        localized = localize(baseline, self._sources, self._function)
        took = round(observed - self._started, 3)
        seconds = Seconds(baseline=took, localize=round(self._parts.clock() - observed, 3))
        return _in_scope(self._parts, Diagnosed(baseline, localized, seconds, aside=baseline.lost))


def _in_scope(parts: EngineParts, seen: Diagnosed) -> Diagnosed | RunOutcome:
    """The diagnosis, unless it says that no patch of one function can help."""
    hopeless = [d for d in seen.localized.diagnoses if d.failure_class in HOPELESS]
    if len(hopeless) == len(seen.localized.diagnoses):
        first = hopeless[0]
        return replace(seen.ending(HOPELESS[first.failure_class]), messages=(_why(first),))
    for diagnosis in hopeless:
        parts.listen(event("warning", message=f"left aside: {_why(diagnosis)}"))
    seen = seen.without({d.failure.test for d in hopeless})
    outside = seen.localized.out_of_scope
    if outside is not None:
        return replace(seen.ending(Status.OUT_OF_SCOPE), brief=outside.brief, messages=(outside.reason,))
    names = [f"{s.function.path}:{s.function.qualname}" for s in seen.localized.suspects[:5]]
    parts.listen(event("suspects", suspects=names))
    if seen.localized.suspects:
        chosen = plan(seen.localized.suspects[0], seen.localized.diagnoses)
        parts.listen(
            event(
                "plan",
                function=chosen.function.qualname,
                failure_class=chosen.diagnoses[0].failure_class.value,
                kinds=[kind.value for kind in chosen.kinds],
                policy=chosen.explanation,
            )
        )
    return seen


def parseable(
    parts: EngineParts, sources: Files, seen: Diagnosed, problems: Callable[[Sources], Sequence[ParseProblem]]
) -> Diagnosed | RunOutcome:
    """The diagnosis without suspects whose file cannot be parsed and printed back; hostile text stays outside."""
    texts = dict(sources)
    paths = sorted({s.function.path for s in seen.localized.suspects[:MOST_SUSPECTS]})
    found = {p.path: p for p in problems([(path, texts[path]) for path in paths])}
    left = tuple(s for s in seen.localized.suspects if s.function.path not in found)
    for problem in found.values():
        parts.listen(event("warning", message=str(problem)))
    if not left:
        return replace(seen.ending(Status.UNPARSEABLE), messages=tuple(map(str, found.values())))
    return replace(seen, localized=replace(seen.localized, suspects=left))


def _why(diagnosis: Diagnosis) -> str:
    raised = diagnosis.failure.exceptions[0] if diagnosis.failure.exceptions else None
    text = f"{raised.type_name}: {raised.message}" if raised else diagnosis.failure.message
    return f"{diagnosis.failure.test} is {diagnosis.failure_class.value} ({diagnosis.subclass}): {text[:300]}"
