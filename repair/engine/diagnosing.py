"""From the task to a diagnosis: the baseline, what it says, and which functions may be edited."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from analysis.facts import Diagnosis, FailureClass, Files, Limits, TestId, TestRun
from repair.engine.task_time import OBSERVING_SHARE, TaskTime
from repair.hunt.candidate_streams import MOST_SUSPECTS
from repair.observe.baseline import begin_observing, explain_uncollected
from repair.observe.complete_runs import SuiteWatch
from repair.observe.groups import describe_left_over
from repair.observe.observation import NothingToMend, Observation, Observed
from repair.observe.parsing import ParseProblem, Sources
from repair.observe.touching import KnownLines, functions_called, lines_of_failures, touching_tests
from repair.records.events import Listener, event, phase
from repair.records.outcome import RunOutcome
from repair.records.plan import Localized, localize, plan, require_function
from repair.records.ports import Sandbox
from repair.records.result import Seconds, Status
from repair.records.task import Baseline, RepairTask

HOPELESS = {
    FailureClass.FORMAT: Status.UNPARSEABLE,
    FailureClass.ENVIRONMENT: Status.ENVIRONMENT,
    FailureClass.TEST_DEFECT: Status.TEST_DEFECT,
}
"""Failures that no patch of a function can answer, and the word for each."""


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
    set_aside: tuple[Diagnosis, ...] = ()
    """Failing tests that no patch of a function can answer, beside those that are worked on."""

    def end_with(self, status: Status) -> RunOutcome:
        """An ending with this word, and nothing judged."""
        diagnoses, suspects = self.localized.diagnoses, self.localized.suspects
        return RunOutcome(
            status,
            diagnoses,
            suspects,
            seconds=self.seconds,
            warnings=self.warnings(),
            root_causes=self.localized.root_causes,
            set_aside=self.set_aside,
        )

    def warnings(self, mended: int = 0) -> tuple[str, ...]:
        """What this run does not work on, where so many of the other failing tests pass with the answer."""
        return (*self.aside, *describe_left_over(self.others, mended))

    def take_over(self, baseline: Baseline) -> Diagnosed:
        """The diagnosis with what all runs agree on, where the same tests fail in them."""
        before = tuple(said for said in self.aside if said not in self.baseline.lost)
        aside = (*before, *baseline.lost)
        return replace(self, baseline=replace(baseline, failing=self.baseline.failing), aside=aside)

    def leave_out(self, tests: set[TestId]) -> Diagnosed:
        """The diagnosis without these failing tests."""
        baseline = replace(self.baseline, failing=tuple(t for t in self.baseline.failing if t not in tests))
        diagnoses = tuple(d for d in self.localized.diagnoses if d.failure.test not in tests)
        return replace(self, baseline=baseline, localized=replace(self.localized, diagnoses=diagnoses))

    def set_hopeless_aside(self, hopeless: Sequence[Diagnosis]) -> Diagnosed:
        """The diagnosis without these failing tests, which it names and says to be left aside."""
        rest = self.leave_out({d.failure.test for d in hopeless})
        said = (f"left aside: {_describe_hopeless(d)}" for d in hopeless)
        return replace(rest, aside=(*self.aside, *said), set_aside=(*self.set_aside, *hopeless))


@dataclass(frozen=True, slots=True)
class Diagnosing:
    """Observes the unpatched program for one task, and says what its failures mean."""

    sandbox: Sandbox
    sources: Files
    limits: Limits
    task: RepairTask
    time: TaskTime
    listen: Listener
    hear_baseline: Callable[[Baseline], None] = lambda baseline: None
    known_lines: KnownLines = tuple

    def observe(self, beside: Executor, patience: float = math.inf) -> Observation:
        """The unpatched program when its first runs are over; further ones go on ``beside``.

        The whole suite is one of the first where it takes at most ``patience`` seconds. Raises ``UsageError``, before
        any run, for a function that is not there.
        """
        task = self.task
        if task.function:
            require_function(self.sources, task.function)
        started, seconds = self.time.started, self.time.max_seconds
        most = OBSERVING_SHARE * seconds
        self.listen(phase("baseline", "running the tests several times", most))
        watch = SuiteWatch(self.time.clock, started + most, end=started + seconds, tell=self._warn)
        hear, limits, seed = self._tell_baseline, self.limits, task.seed
        return begin_observing(
            self.sandbox, task.tests, limits, seed, beside, True, watch, patience, hear, touched=self._find_touched
        )

    def _find_touched(self, run: TestRun) -> tuple[TestId, ...]:
        """The tests that are known to run what failing tests are known to call, or were seen to."""
        known = self.known_lines()
        seen = lines_of_failures(run, known) if known else ()
        return touching_tests(known, functions_called(seen, self.sources))

    def diagnose(self, observed: Observed) -> Diagnosed | RunOutcome:
        """What the failures say, or why there is nothing that a patch of one function could mend."""
        if isinstance(observed, NothingToMend):
            return RunOutcome(Status(observed.status), messages=(observed.message,))
        now = self.time.clock()
        self.listen(phase("localize"))
        localized = localize(observed, self.sources, self.task.function)
        took = round(now - self.time.started, 3)
        seconds = Seconds(baseline=took, localize=round(self.time.clock() - now, 3))
        return self._keep_in_scope(Diagnosed(observed, localized, seconds, aside=observed.lost))

    def _tell_baseline(self, baseline: Baseline) -> None:
        self.hear_baseline(baseline)
        self.listen(
            event(
                "baseline",
                tests=len(baseline.outcomes),
                failing=len(baseline.failing),
                passing=len(baseline.passing),
                flaky=len(baseline.flaky),
                seconds=round(self.time.clock() - self.time.started, 3),
            )
        )
        aside = (f"left aside: {explain_uncollected(error).message}" for error in baseline.traced.collection_errors)
        for said in (*baseline.lost, *aside):
            self._warn(said)

    def _warn(self, said: str) -> None:
        self.listen(event("warning", message=said))

    def _keep_in_scope(self, seen: Diagnosed) -> Diagnosed | RunOutcome:
        """The diagnosis, unless it says that no patch of one function can help."""
        hopeless = [d for d in seen.localized.diagnoses if d.failure_class in HOPELESS]
        if len(hopeless) == len(seen.localized.diagnoses):
            first = hopeless[0]
            return replace(seen.end_with(HOPELESS[first.failure_class]), messages=(_describe_hopeless(first),))
        known = len(seen.aside)
        seen = seen.set_hopeless_aside(hopeless)
        for said in seen.aside[known:]:
            self._warn(said)
        outside = seen.localized.out_of_scope
        if outside is not None:
            return replace(seen.end_with(Status.OUT_OF_SCOPE), brief=outside.brief, messages=(outside.reason,))
        suspects = seen.localized.suspects
        self.listen(event("suspects", suspects=[f"{s.function.path}:{s.function.qualname}" for s in suspects[:5]]))
        if suspects:
            chosen = plan(suspects[0], seen.localized.diagnoses)
            self.listen(
                event(
                    "plan",
                    function=chosen.function.qualname,
                    failure_class=chosen.diagnoses[0].failure_class.value,
                    kinds=[kind.value for kind in chosen.kinds],
                    policy=chosen.explanation,
                )
            )
        return seen


def keep_parseable(
    listen: Listener, sources: Files, seen: Diagnosed, problems: Callable[[Sources], Sequence[ParseProblem]]
) -> Diagnosed | RunOutcome:
    """The diagnosis without suspects whose file cannot be parsed and printed back; hostile text stays outside."""
    texts = dict(sources)
    paths = sorted({s.function.path for s in seen.localized.suspects[:MOST_SUSPECTS]})
    found = {p.path: p for p in problems([(path, texts[path]) for path in paths])}
    left = tuple(s for s in seen.localized.suspects if s.function.path not in found)
    for problem in found.values():
        listen(event("warning", message=str(problem)))
    if not left:
        return replace(seen.end_with(Status.UNPARSEABLE), messages=tuple(map(str, found.values())))
    return replace(seen, localized=replace(seen.localized, suspects=left))


def _describe_hopeless(diagnosis: Diagnosis) -> str:
    raised = diagnosis.failure.exceptions[0] if diagnosis.failure.exceptions else None
    text = f"{raised.type_name}: {raised.message}" if raised else diagnosis.failure.message
    return f"{diagnosis.failure.test} is {diagnosis.failure_class.value} ({diagnosis.subclass}): {text[:300]}"
