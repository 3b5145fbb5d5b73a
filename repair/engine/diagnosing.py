"""From the task to a diagnosis: the baseline, what it says, and which functions may be edited."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from analysis.facts import Diagnosis, FailureClass, Files, Limits, TestId, TestRun
from analysis.failure import describe_code_fence
from repair.engine.combining import combine_causes, tests_of
from repair.engine.task_time import OBSERVING_SHARE, TaskTime
from repair.hunt.candidate_streams import MOST_FURTHER, MOST_SUSPECTS
from repair.observe.baseline import begin_observing, explain_uncollected
from repair.observe.complete_runs import SuiteWatch
from repair.observe.observation import NothingToMend, Observation, Observed
from repair.observe.parsing import ParseProblem, Sources
from repair.observe.touching import KnownLines, functions_called, lines_of_failures, touching_tests
from repair.records.events import Listener, event, phase
from repair.records.outcome import Cause, RunOutcome
from repair.records.plan import Localized, diagnoses_of, localize, plan, require_function
from repair.records.ports import Sandbox
from repair.records.result import Seconds, Status
from repair.records.task import Baseline, RepairTask
from repair.records.wording import count_noun

MOST_SAID_APART = 3
"""Causes with one word that are left aside with a sentence each; of more there is one sentence."""

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
    hopeless: tuple[RunOutcome, ...] = ()
    """The causes that no patch of one function can mend: their tests are left out of the baseline's failing ones."""

    def end_with(self, status: Status) -> RunOutcome:
        """An ending with this word, and nothing judged."""
        diagnoses, suspects = self.localized.diagnoses, self.localized.suspects
        return RunOutcome(
            status,
            diagnoses,
            suspects,
            seconds=self.seconds,
            warnings=self.aside,
            root_causes=self.localized.root_causes,
        )

    def take_over(self, baseline: Baseline) -> Diagnosed:
        """The diagnosis with what all runs agree on, where the same tests fail in them."""
        before = tuple(said for said in self.aside if said not in self.baseline.lost)
        aside = (*before, *baseline.lost)
        known = replace(baseline, failing=self.baseline.failing).take_for_chance(self.baseline.by_chance)
        return replace(self, baseline=known, aside=aside)

    def leave_out(self, tests: set[TestId]) -> Diagnosed:
        """The diagnosis without these failing tests."""
        baseline = replace(self.baseline, failing=tuple(t for t in self.baseline.failing if t not in tests))
        diagnoses = tuple(d for d in self.localized.diagnoses if d.failure.test not in tests)
        return replace(self, baseline=baseline, localized=replace(self.localized, diagnoses=diagnoses))


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
        localized = localize(observed, self.sources, self.task.function, self.task.patch_lines)
        took = round(now - self.time.started, 3)
        seconds = Seconds(baseline=took, localize=round(self.time.clock() - now, 3))
        aside = (*observed.lost, *_say_uncollected(observed))
        return self._keep_in_scope(Diagnosed(observed, localized, seconds, aside=aside))

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
        for said in (*baseline.lost, *_say_uncollected(baseline)):
            self._warn(said)

    def _warn(self, said: str) -> None:
        self.listen(event("warning", message=said))

    def _keep_in_scope(self, seen: Diagnosed) -> Diagnosed | RunOutcome:
        """The diagnosis without the causes that no patch of one function can mend, unless there are no others."""
        kept = set_hopeless_aside(seen)
        if not kept.localized.diagnoses:
            causes = [Cause(n, tests_of(ending), ending) for n, ending in enumerate(kept.hopeless, 1)]
            return combine_causes(causes)
        for said in _say_left_aside(kept.hopeless):
            self._warn(f"left aside: {said}")
        seen = kept
        suspects = seen.localized.suspects
        self.listen(event("suspects", suspects=[f"{s.function.path}:{s.function.qualname}" for s in suspects[:5]]))
        return seen


def announce_plan(listen: Listener, seen: Diagnosed) -> None:
    """Tell what a fix of the most suspicious function is held to, before any edit of it."""
    if seen.localized.suspects:
        chosen = plan(seen.localized.suspects[0], seen.localized.diagnoses)
        listen(
            event(
                "plan",
                function=chosen.function.qualname,
                failure_class=chosen.diagnoses[0].failure_class.value,
                kinds=[kind.value for kind in chosen.kinds],
                policy=chosen.explanation,
            )
        )


def keep_parseable(
    listen: Listener, sources: Files, seen: Diagnosed, problems: Callable[[Sources], Sequence[ParseProblem]]
) -> Diagnosed | RunOutcome:
    """The diagnosis without suspects whose file cannot be parsed and printed back; hostile text stays outside."""
    texts = dict(sources)
    paths = sorted({s.function.path for s in seen.localized.suspects[: MOST_SUSPECTS + MOST_FURTHER]})
    found = {p.path: p for p in problems([(path, texts[path]) for path in paths])}
    left = tuple(s for s in seen.localized.suspects if s.function.path not in found)
    for problem in found.values():
        listen(event("warning", message=str(problem)))
    if not left:
        return replace(seen.end_with(Status.UNPARSEABLE), messages=tuple(map(str, found.values())))
    return replace(seen, localized=replace(seen.localized, suspects=left))


def _say_uncollected(baseline: Baseline) -> tuple[str, ...]:
    """What hides tests of which nothing is known: each file that cannot be collected and is no cause, and why."""
    errors = (e for e in baseline.traced.collection_errors if e.node not in baseline.failing)
    return tuple(f"left aside: {explain_uncollected(error).message}" for error in errors)


def _say_left_aside(hopeless: Sequence[RunOutcome]) -> Iterator[str]:
    """What is said of each cause that is left aside; of many with one word how many tests they are, and the first."""
    for status in dict.fromkeys(ending.status for ending in hopeless):
        theirs = [ending for ending in hopeless if ending.status is status]
        said = [message for ending in theirs for message in ending.messages]
        if len(theirs) > MOST_SAID_APART:
            tests = sum(len(tests_of(ending)) for ending in theirs)
            said = [f"{count_noun(tests, 'failing test')}, {status} each; the first: {said[0]}"]
        yield from said


def set_hopeless_aside(seen: Diagnosed) -> Diagnosed:
    """The diagnosis without the causes that no patch of one function can mend; they are kept beside, each an ending."""
    beyond = {test for outside in seen.localized.out_of_scope for test in outside.tests}
    hopeless = (*_list_hopeless(seen, beyond), *_list_out_of_scope(seen))
    tests = {d.failure.test for ending in hopeless for d in ending.diagnoses}
    return replace(seen.leave_out(tests), hopeless=hopeless) if tests else seen


def _list_hopeless(seen: Diagnosed, beyond: Collection[TestId]) -> Iterator[RunOutcome]:
    """The endings of failures that are not the program's fault, one a kind of failure and what it says.

    Those ``beyond`` any function have endings of their own.
    """
    found: dict[tuple[FailureClass, str, str], list[Diagnosis]] = {}
    for diagnosis in seen.localized.diagnoses:
        if diagnosis.failure_class in HOPELESS and diagnosis.failure.test not in beyond:
            key = (diagnosis.failure_class, diagnosis.subclass, _say_raised(diagnosis))
            found.setdefault(key, []).append(diagnosis)
    for (failure_class, _, _), theirs in found.items():
        ending = replace(seen.end_with(HOPELESS[failure_class]), messages=(_describe_hopeless(theirs[0]),))
        yield replace(ending, diagnoses=tuple(theirs), suspects=())


def _list_out_of_scope(seen: Diagnosed) -> Iterator[RunOutcome]:
    """The endings of causes that no single function can hold, each with its brief."""
    for outside in seen.localized.out_of_scope:
        ending = replace(seen.end_with(Status.OUT_OF_SCOPE), brief=outside.brief, messages=(outside.reason,))
        yield replace(ending, diagnoses=diagnoses_of(seen.localized.diagnoses, outside.tests))


def _describe_hopeless(diagnosis: Diagnosis) -> str:
    text = _say_raised(diagnosis)
    kind = f"{diagnosis.failure_class.value} ({diagnosis.subclass})"
    return f"{diagnosis.failure.test} is {kind}: {text[:300]}{describe_code_fence(diagnosis.failure.message)}"


def _say_raised(diagnosis: Diagnosis) -> str:
    raised = diagnosis.failure.exceptions[0] if diagnosis.failure.exceptions else None
    return f"{raised.type_name}: {raised.message}" if raised else diagnosis.failure.message
