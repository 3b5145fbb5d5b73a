"""The loop: observe, diagnose, plan, hunt, judge. Everything that touches the world comes in as a part."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analysis.facts import Diagnosis, FailureClass, Files, Limits, TestId
from analysis.functions import span_of
from repair.baseline import NothingToMend, observe, uncollected
from repair.catch import Catch, Survivor
from repair.complete_runs import Watch
from repair.events import event
from repair.groups import Group, groups
from repair.hunt import Hunt, HuntParts
from repair.judge import judge, vouching_tests
from repair.lanes import MOST_SUSPECTS
from repair.outcome import Ending, Judged
from repair.parsing import ParseProblem, Sources, check_sources
from repair.partial import best_partial
from repair.plan import Localized, localize, plan
from repair.pool import Pool
from repair.ports import Gate, Submission
from repair.result import Counts, Seconds, Status
from repair.rivals import PLAUSIBLE, TEXTUAL, is_rival, joined, rivals_around, told_apart
from repair.task import Baseline, RepairTask
from repair.verdict import CORE_GATES, Decision, PatchStatus
from repair.wording import counted
from transforms.antipatterns import antipatterns
from transforms.candidate import Candidate

HUNT_SHARE = 0.7
"""The part of the time budget that baseline and hunt may use; the rest is kept for the gates."""

OBSERVING_SHARE = 0.5
"""The part of the time budget that observing the unpatched program may use."""

JUDGING_SECONDS = 6.0
"""What the gates take beside runs of the tests; those take about as long again as the baseline's."""

LEAST_RIVAL_SECONDS = 6.0
"""Time for the search for rivals of the best candidate, however late it was found."""

MOST_JUDGED = 4
"""Candidates that come through the gates with a doubt, before the search for a better one ends."""

HOPELESS = {
    FailureClass.FORMAT: Status.UNPARSEABLE,
    FailureClass.ENVIRONMENT: Status.ENVIRONMENT,
    FailureClass.TEST_DEFECT: Status.TEST_DEFECT,
}
"""Failures that no patch of a function can answer, and the word for each."""


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """A baseline with what it says, or why there is nothing to patch."""

    baseline: Baseline
    localized: Localized
    seconds: Seconds
    aside: tuple[str, ...] = ()
    """What this run does not work on, one sentence each."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine: parts of a hunt, the gates of the judge, and the files as they were at the start."""

    parts: HuntParts
    gates: tuple[Gate, ...]
    sources: Files
    baseline_limits: Limits
    parse_problems: Callable[[Sources], Sequence[ParseProblem]] = check_sources
    order: Callable[[Sequence[Survivor]], list[Survivor]] = lambda survivors: ranked_survivors(survivors)
    """In which order survivors are judged: the most promising first."""
    required: tuple[str, ...] = CORE_GATES
    """The gates without whose acceptance nothing is certified."""

    def explain(self, task: RepairTask) -> Ending:
        """The diagnosis alone: failures, suspects, and the plan that a fix would be held to."""
        seen = self._diagnose(task)
        if isinstance(seen, Ending):
            return seen
        ending = replace(_ending(Status.DIAGNOSED, seen), next_action="repair fix")
        if not seen.localized.suspects:
            return ending
        chosen = plan(seen.localized.suspects[0], seen.localized.diagnoses)
        first = next(groups(seen.baseline, seen.localized))
        with contextlib.closing(self._pool(first.baseline)) as pool:
            tier, reason = pool.ladder.tier_of(chosen.function), pool.ladder.why(chosen.function)
        return replace(ending, plan=chosen, tier=tier.value, tier_reason=reason)

    def fix(self, task: RepairTask) -> Ending:
        """The best judged patch of one function, or why there is none."""
        started = self.parts.clock()
        seen = self._diagnose(task)
        if isinstance(seen, Ending):
            return seen
        if not seen.localized.suspects:
            message = "No function of the project runs in the failing tests: there is nothing that a patch could change"
            return replace(_ending(Status.OUT_OF_SCOPE, seen), messages=(message,), brief=message)
        if task.function:
            seen = replace(seen, localized=replace(seen.localized, suspects=seen.localized.suspects[:1]))
        parsed = self._parseable(seen)
        if isinstance(parsed, Ending):
            return parsed
        # Who names tests wants these; who names none gets the first group that can be mended.
        waiting = list(groups(parsed.baseline, parsed.localized))[: 1 if task.tests or task.function else None]
        return self._first_mended(parsed, waiting, started, task)

    def _first_mended(self, seen: Diagnosed, waiting: Sequence[Group], started: float, task: RepairTask) -> Ending:
        """How it ends with the first group that can be mended, while there is time; what could not be is said."""
        best: Ending | None = None
        for group in waiting:
            ending = self._mended(_focused(seen, group), started, task, last=group is waiting[-1])
            best = ending if best is None or ending.judged else replace(best, warnings=(*best.warnings, _said(ending)))
            if ending.status not in (Status.UNREPAIRED, Status.REJECTED) or self._late(started, task):
                break
            failing = counted(len(group.baseline.failing), "failing test")
            seen = replace(seen, aside=(*seen.aside, f"{failing} not mended: {_said(ending)}"))
        assert best is not None, "suspects are answerable for something"
        return best

    def _mended(self, seen: Diagnosed, started: float, task: RepairTask, *, last: bool) -> Ending:
        """The best judged patch for one group of failing tests; unless it is the last, it leaves half of the time."""
        so_far = self.parts.clock() - started
        left = (hunt_seconds(task.budget.max_seconds, so_far) - so_far) * (1.0 if last else 0.5)
        self._announce("search", f"trying edits of {counted(len(seen.localized.suspects), 'suspect')}", max(left, 0.0))
        hunt_started = self.parts.clock()
        budget = replace(task.budget, max_seconds=max(left, 1.0))
        with contextlib.closing(self._pool(seen.baseline)) as pool:
            catch = Hunt(self.parts, seen.baseline, seen.localized, self.sources, budget, pool).run()
            catch = self._with_rivals(catch, seen, left - (self.parts.clock() - hunt_started), pool)
        spent = self.parts.clock() - hunt_started - catch.patient_seconds - catch.screen_seconds
        seconds = replace(
            seen.seconds, search=round(spent, 3), model=catch.patient_seconds, validate=catch.screen_seconds
        )
        return self._decide(replace(seen, seconds=seconds), catch, started, task)

    def _pool(self, baseline: Baseline) -> Pool:
        parts = self.parts
        return Pool(parts.sandbox, baseline, self.sources, parts.limits, parts.jobs)

    def _with_rivals(self, catch: Catch, seen: Diagnosed, left: float, pool: Pool) -> Catch:
        """The catch with what else passes where its best candidate stands."""
        if not catch.survivors:
            return catch
        best = ranked_survivors(catch.survivors)[0]
        seconds = max(left, LEAST_RIVAL_SECONDS)
        found = rivals_around(self.parts, seen.baseline, seen.localized, self.sources, best.candidate, seconds, pool)
        if found is None:
            return catch
        return replace(
            catch,
            survivors=joined(catch.survivors, best, found.survivors),
            rivals=found.executed,
        )

    def submission(
        self, candidate: Candidate, seen: Diagnosed, whole: Files = (), rivals: Sequence[Candidate] = ()
    ) -> Submission:
        """A candidate with what the gates need to judge it."""
        paths = {str(test).split("::")[0] for test in (*seen.baseline.failing, *seen.baseline.passing)}
        whole = whole or candidate.files
        tests = tuple((p, text) for p, text in {**dict(self.sources), **dict(whole)}.items() if p in paths)
        span = span_of(seen.localized.index.get(candidate.function.path, ()), candidate.function)
        vouching = vouching_tests(seen.baseline, span, tests) if span else seen.baseline.failing
        return Submission(
            candidate=candidate,
            baseline=seen.baseline,
            diagnoses=seen.localized.diagnoses,
            test_sources=tests,
            whole=whole,
            sources=self.sources,
            vouching=vouching,
            rivals=tuple(rivals),
        )

    def _stands(self, candidate: Candidate, seen: Diagnosed) -> bool:
        """Whether its text alone is no reason to reject the candidate: else it is no rival to others."""
        gates = [gate for gate in self.gates if gate.name in TEXTUAL]
        verdict = judge(self.submission(candidate, seen), gates, self.parts.clock, lambda event: None)
        return all(evidence.decision is not Decision.REJECT for evidence in verdict.evidence)

    def judged(self, submission: Submission, earlier: Sequence[Judged] = ()) -> Judged:
        """The candidate with its verdict.

        Where an earlier one was told apart from its rivals, so is this one, which is a rival of it or like it:
        then only what makes it plausible is looked at.
        """
        doubt = next((d for d in map(told_apart, earlier) if d is not None), None)
        gates = [gate for gate in self.gates if doubt is None or gate.name in (*TEXTUAL, *PLAUSIBLE)]
        verdict = judge(submission, gates, self.parts.clock, self.parts.listen, self.required)
        if doubt is not None and verdict.evidence[-1].decision is not Decision.REJECT:
            verdict = replace(verdict, evidence=(*verdict.evidence, doubt))
        self.parts.listen(event("patch", digest=submission.candidate.digest, status=verdict.status.value))
        return Judged(submission, verdict)

    def _diagnose(self, task: RepairTask) -> Diagnosed | Ending:
        started = self.parts.clock()
        most = OBSERVING_SHARE * task.budget.max_seconds
        self._announce("baseline", "running the tests several times", most)
        watch = Watch(self.parts.clock, started + most)
        baseline = observe(self.parts.sandbox, task.tests, self.baseline_limits, task.seed, watch=watch)
        if isinstance(baseline, NothingToMend):
            return Ending(Status(baseline.status), messages=(baseline.message,))
        observed = self.parts.clock()
        self.parts.listen(
            event(
                "baseline",
                tests=len(baseline.outcomes),
                failing=len(baseline.failing),
                passing=len(baseline.passing),
                flaky=len(baseline.flaky),
                seconds=round(observed - started, 3),
            )
        )
        for said in baseline.lost:
            self.parts.listen(event("warning", message=said))
        for error in baseline.traced.collection_errors:
            self.parts.listen(event("warning", message=f"left aside: {uncollected(error).message}"))
        self._announce("localize", "", 0.0)
        localized = localize(baseline, self.sources, task.function)
        seconds = Seconds(baseline=round(observed - started, 3), localize=round(self.parts.clock() - observed, 3))
        return self._in_scope(Diagnosed(baseline, localized, seconds, aside=baseline.lost))

    def _in_scope(self, seen: Diagnosed) -> Diagnosed | Ending:
        """The diagnosis, unless it says that no patch of one function can help."""
        hopeless = [d for d in seen.localized.diagnoses if d.failure_class in HOPELESS]
        if len(hopeless) == len(seen.localized.diagnoses):
            first = hopeless[0]
            return replace(_ending(HOPELESS[first.failure_class], seen), messages=(_why(first),))
        for diagnosis in hopeless:
            self.parts.listen(event("warning", message=f"left aside: {_why(diagnosis)}"))
        seen = _without(seen, {d.failure.test for d in hopeless})
        outside = seen.localized.out_of_scope
        if outside is not None:
            return replace(_ending(Status.OUT_OF_SCOPE, seen), brief=outside.brief, messages=(outside.reason,))
        names = [f"{s.function.path}:{s.function.qualname}" for s in seen.localized.suspects[:5]]
        self.parts.listen(event("suspects", suspects=names))
        if seen.localized.suspects:
            chosen = plan(seen.localized.suspects[0], seen.localized.diagnoses)
            self.parts.listen(
                event(
                    "plan",
                    function=chosen.function.qualname,
                    failure_class=chosen.diagnoses[0].failure_class.value,
                    kinds=[kind.value for kind in chosen.kinds],
                    policy=chosen.explanation,
                )
            )
        return seen

    def _parseable(self, seen: Diagnosed) -> Diagnosed | Ending:
        """The diagnosis without suspects whose file cannot be parsed and printed back; hostile text stays outside."""
        texts = dict(self.sources)
        paths = sorted({s.function.path for s in seen.localized.suspects[:MOST_SUSPECTS]})
        problems = {p.path: p for p in self.parse_problems([(path, texts[path]) for path in paths])}
        left = tuple(s for s in seen.localized.suspects if s.function.path not in problems)
        for problem in problems.values():
            self.parts.listen(event("warning", message=str(problem)))
        if not left:
            return replace(_ending(Status.UNPARSEABLE, seen), messages=tuple(map(str, problems.values())))
        return replace(seen, localized=replace(seen.localized, suspects=left))

    def _decide(self, seen: Diagnosed, catch: Catch, started: float, task: RepairTask) -> Ending:
        """Judge the survivors, the most promising first, until one is certified."""
        gates_started = self.parts.clock()
        counts = Counts(
            candidates=catch.drawn,
            distinct=catch.distinct,
            invalid=catch.invalid,
            executed=catch.executed,
            plausible=len(catch.survivors),
            remembered=catch.remembered,
            rivals=catch.rivals,
            tiers=dict(catch.tiers),
            left=catch.left,
        )
        ending = replace(_ending(Status.UNREPAIRED, seen), counts=counts, warnings=(*seen.aside, *catch.warnings))
        if not catch.survivors:
            ending = replace(ending, messages=_unrepaired(catch), next_action=_next_unrepaired(task))
            return self._with_partial(ending, seen, catch, lambda: self._late(started, task))
        self._announce("gates", f"gathering evidence on {counted(len(catch.survivors), 'plausible candidate')}", 10.0)
        ranked = self.order(catch.survivors)
        standing = [s.candidate for s in ranked if self._stands(s.candidate, seen)]
        judged: list[Judged] = []
        for survivor in ranked:
            rivals = [c for c in standing if is_rival(c, survivor.candidate)]
            submission = replace(self.submission(survivor.candidate, seen, rivals=rivals), hurried=catch.hurried)
            before = self.parts.clock()
            judged.append(replace(self.judged(submission, judged), plan=survivor.plan))
            now = self.parts.clock()
            late = now - started + (now - before) > task.budget.max_seconds  # the next one would take as long
            open_cases = sum(j.verdict.status is not PatchStatus.REJECTED for j in judged)
            if judged[-1].verdict.status is PatchStatus.CERTIFIED or late or open_cases >= MOST_JUDGED:
                break
        judged.sort(key=lambda j: list(PatchStatus).index(j.verdict.status))
        seconds = replace(ending.seconds, gates=round(self.parts.clock() - gates_started, 3))
        status = Status(judged[0].verdict.status.value)
        return replace(ending, status=status, judged=tuple(judged), seconds=seconds, plan=judged[0].plan)

    def _with_partial(self, ending: Ending, seen: Diagnosed, catch: Catch, over: Callable[[], bool]) -> Ending:
        """The ending with the edit that mends a part of the failing tests, where there is one."""
        parts = self.parts
        found = best_partial(parts.sandbox, seen.baseline, self.baseline_limits, catch.partial, over)
        if found is None:
            return ending
        several = f"the failing tests may have several causes: name {counted(len(found.mended), 'test')} of one alone"
        return replace(ending, brief=found.brief, next_action=f"{several}, or {ending.next_action}")

    def _late(self, started: float, task: RepairTask) -> bool:
        return self.parts.clock() - started > task.budget.max_seconds

    def _announce(self, name: str, detail: str, estimate: float) -> None:
        self.parts.listen(event("phase", name=name, detail=detail, estimate_seconds=round(estimate, 1)))


def hunt_seconds(max_seconds: float, baseline_seconds: float) -> float:
    """When to stop looking, counted from the start: what judging will take is kept, at most three tenths of all."""
    return max_seconds - min(max_seconds * (1 - HUNT_SHARE), JUDGING_SECONDS + baseline_seconds)


def _next_unrepaired(task: RepairTask) -> str:
    """What may still help; nobody is told to name the function who has."""
    if task.function:
        return "give more time with --max-seconds, or ask a model with --model"
    return "give more time with --max-seconds, name the function with --function, or ask a model with --model"


def ranked_survivors(survivors: Sequence[Survivor]) -> list[Survivor]:
    """The most promising first: without anti-patterns, then by size and place in the stream together.

    The stream is ordered by likelihood, so a place twice as far back weighs as much as one more changed node.
    """
    return sorted(
        survivors,
        key=lambda s: (
            len(antipatterns(s.candidate.before, s.candidate.text, s.candidate.encoding)),
            s.candidate.size + math.log2(s.position),
            s.position,
        ),
    )


def _focused(seen: Diagnosed, group: Group) -> Diagnosed:
    """The diagnosis of the group alone; the other failing tests are left aside."""
    return replace(seen, baseline=group.baseline, localized=group.localized, aside=(*seen.aside, *group.aside))


def _without(seen: Diagnosed, tests: set[TestId]) -> Diagnosed:
    """The diagnosis without these failing tests."""
    baseline = replace(seen.baseline, failing=tuple(t for t in seen.baseline.failing if t not in tests))
    diagnoses = tuple(d for d in seen.localized.diagnoses if d.failure.test not in tests)
    return replace(seen, baseline=baseline, localized=replace(seen.localized, diagnoses=diagnoses))


def _ending(status: Status, seen: Diagnosed) -> Ending:
    return Ending(status, seen.localized.diagnoses, seen.localized.suspects, seconds=seen.seconds, warnings=seen.aside)


def _said(ending: Ending) -> str:
    """How it went with one group, in a line."""
    named = ", ".join(str(d.failure.test) for d in ending.diagnoses[:3])
    why = ending.messages[0] if ending.messages else f"the best patch is {ending.status}"
    return f"{named}: {why}"


def _why(diagnosis: Diagnosis) -> str:
    raised = diagnosis.failure.exceptions[0] if diagnosis.failure.exceptions else None
    text = f"{raised.type_name}: {raised.message}" if raised else diagnosis.failure.message
    return f"{diagnosis.failure.test} is {diagnosis.failure_class.value} ({diagnosis.subclass}): {text[:300]}"


def _unrepaired(catch: Catch) -> tuple[str, ...]:
    """What was tried, the best partial result, what was exhausted and what was cut."""
    tried = catch.executed + catch.remembered
    lines = [f"{tried} candidates were tried ({catch.drawn} drawn, {catch.invalid} invalid): none is plausible"]
    if not tried and catch.cut:
        lines.append("the budget was spent before the search began: give more with --max-seconds")
    if catch.best:
        lines.append(f"the best one: {catch.best}")
    if catch.exhausted:
        lines.append(f"exhausted: {', '.join(catch.exhausted)}")
    if catch.cut:
        lines.append(f"cut by the budget: {', '.join(catch.cut)}")
    return tuple(lines)
