"""Judging a change from anywhere: each changed function in its own scope, everything else as findings.

The program before is the changed tree with every changed line of the program put back, and with the new tests. So a
test that the change brought along can show what it mends. The old tests are run against the new program too. Where
one of them no longer passes, that is a doubt with a witness.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from analysis.diagnosis import is_test_path
from analysis.errors import OutOfTimeError
from analysis.facts import (
    BROKEN,
    FunctionId,
    InvalidRun,
    Outcome,
    Phase,
    TestId,
    TestRun,
    digest,
)
from analysis.functions import span_of
from repair.compare.foreign_signature import ForeignSignature, describe_call, foreign_signature
from repair.compare.patched_server import Lend
from repair.engine.change_suites import ChangeSuites
from repair.engine.choosing import RivalsOfChange, find_rivals_of_change
from repair.engine.diagnosing import Diagnosed
from repair.engine.engine import Engine, run_beside
from repair.engine.judging import add_doubt
from repair.engine.reached import MORE_TIME
from repair.engine.second_opinion import NO_FAILURE, Asked, AskSecond, SecondOpinions, ask_second
from repair.engine.task_time import OBSERVING_SHARE
from repair.engine.without_failure import (
    adds_functions,
    ask_once,
    describe_effects,
    find_unrun_additions,
    judge_additions,
    run_after,
    run_before,
)
from repair.hunt.search_parts import SearchParts
from repair.observe.baseline import broken_collection, nothing_collected
from repair.observe.complete_runs import SuiteWatch
from repair.observe.observation import NothingToMend, ObservationState, Observed
from repair.observe.patched import GATE, differences, old_tests
from repair.observe.slow_tests import describe_stopped
from repair.records.change import PROGRAM, Change, tests_of_its_author
from repair.records.events import event, phase
from repair.records.functions import edit_scope
from repair.records.outcome import Judged, RunOutcome
from repair.records.plan import Index, covering_tests, index_functions, localize
from repair.records.ports import Adviser, Submission
from repair.records.result import STILL_FAILING, Counts, FindingView, Seconds, Status
from repair.records.task import Baseline
from repair.records.verdict import TIME_WAS_UP, Decision, Evidence, PatchStatus, Verdict
from repair.records.wording import count_noun, list_names
from repair.trials.layered import lay_over
from transforms.patch.apply import complete
from transforms.patch.diff import unified_diff
from transforms.patch.foreign_change import ForeignChange, FunctionChange, split_change
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import FOREIGN, EditKind, Origin

HARMLESS = frozenset({"layout", "changed_test", "added_test", "documentation", STILL_FAILING})
"""Kinds of findings that do not by themselves lower the verdict."""

MOST_STILL_FAILING = 3
"""Tests that a finding on them names."""

FAILED = BROKEN - {Outcome.HANG}
"""Of a test that was stopped nobody knows whether it fails."""

CHANGE = Origin(FOREIGN, "change")

RIVAL_SHARE = 0.15
"""Of the time that is left the search for rivals of one function may take a share."""

FindRivals = Callable[[SearchParts, Submission, Diagnosed, float, Lend | None], RivalsOfChange]

UNSHOWN = "the change was not shown to pass its tests, nor to fail them"


@dataclass(frozen=True, slots=True)
class _Begun:
    """One check when the program before the change is observed.

    ``started`` is when it began, by the clock; it ends as in ``short`` where nothing more becomes known. ``ahead`` is
    the suite after the change, where that runs beside the one before. ``opinions`` are those of a model.
    """

    wanted: tuple[TestId, ...]
    watch: SuiteWatch
    split: ForeignChange
    findings: tuple[FindingView, ...]
    started: float
    short: RunOutcome
    suites: ChangeSuites
    ahead: Future[TestRun | None] | None
    opinions: SecondOpinions


@dataclass(frozen=True, slots=True)
class Checker:
    """Judges one change. The ``engine`` works on the program before it, with the tests after it.

    ``demanded`` are tests that fail before and that a person asks for, whatever else is named.
    """

    engine: Engine
    change: Change
    demanded: tuple[TestId, ...] = ()
    find_rivals: FindRivals = find_rivals_of_change
    """How other edits of a changed function are found that pass the same tests."""
    origin: Origin = CHANGE
    """Who made the change, as far as that is known."""
    ask: AskSecond = ask_second
    """How a model that does not see the change is asked for its own, where one is named."""

    def check(self, wanted: Sequence[TestId], seed: int) -> RunOutcome:
        """Every changed function judged in its own scope, and everything else found."""
        engine = self.engine
        started, left = engine.clock(), engine.deadline.left
        # Observing may take its share of the time, where that is bounded.
        until, end = (engine.clock() + share * left for share in (OBSERVING_SHARE, 1.0))
        watch = SuiteWatch(
            engine.clock, until, end=end, tell=lambda said: engine.listen(event("warning", message=said))
        )
        split = split_change(self.change.before, self.change.after, is_test_path)
        findings = tuple(FindingView(f.kind, f.claim, f.path, f.line) for f in split.findings)
        if not split.functions and not any(finding.kind in PROGRAM for finding in findings):
            return replace(_end_without_function(findings), change=self.change)
        short = RunOutcome(
            Status.UNREPAIRED, messages=(UNSHOWN,), findings=findings, next_action=MORE_TIME, change=self.change
        )
        engine.judging.reached.make = lambda: short
        engine.listen(phase("baseline", "running the program as it was before the change"))
        suites = ChangeSuites(engine, self.change, self.demanded)
        opinions = SecondOpinions(self.ask, engine.search, engine.sources, engine.deadline)
        with run_beside(engine.stop) as beside, opinions:
            ahead = beside.submit(suites.run_after, watch, ()) if engine.judging.jobs > 1 else None
            observation = suites.observe(wanted, seed, beside, watch, split.functions)
            begun = _Begun(tuple(wanted), watch, split, findings, started, short, suites, ahead, opinions)
            ending = self._judge_by(observation.basis, begun)
            if observation.wait() is ObservationState.CONTRADICTED:  # a test that was stopped is just slow
                engine.judging.reached.forget()
                ending = self._judge_by(observation.base_on_all_runs(), begun)
        return replace(ending, change=self.change)

    def _judge_by(self, observed: Observed, begun: _Begun) -> RunOutcome:
        """The ending by what was observed of the program before the change."""
        engine, wanted, watch, split, findings = self.engine, begun.wanted, begun.watch, begun.split, begun.findings
        if isinstance(observed, NothingToMend):
            return RunOutcome(Status(observed.status), messages=(observed.message,), findings=findings)
        engine.hear_baseline(observed)
        for said in observed.lost:
            engine.listen(event("warning", message=said))
        baseline, after = begun.suites.choose_tests_to_mend(observed, wanted, watch, begun.ahead)
        unready = broken_collection(baseline.traced)
        if unready and not baseline.outcomes:
            return RunOutcome(Status(unready.status), messages=(unready.message,), findings=findings)
        if not baseline.outcomes and not (after is not None and after.results):
            raise nothing_collected()
        if not split.functions:
            return self._judge_additions(baseline, findings)
        signatures = self._find_signatures(split.functions)
        findings += _find_calls_left_behind(signatures)
        unasked = not baseline.failing
        if unasked:
            findings += self._find_unrun(baseline, after)
        localized = localize(baseline, engine.sources, "")
        seconds = Seconds(baseline=round(engine.clock() - begun.started, 3))
        # Of a test that was not even collected, no more is known than that: its failure asks for no kind of edit.
        known = tuple(d for d in localized.diagnoses if d.failure.phase is not Phase.COLLECT)
        index = index_functions(dict(engine.sources), sorted({f.function.path for f in split.functions}))
        findings += tuple(_find_still_failing(baseline, after, index, [each.function for each in split.functions]))
        seen = Diagnosed(baseline, replace(localized, diagnoses=known, index=index), seconds)
        owned = {each.function: _restrict_to(seen, each, split.functions) for each in split.functions}
        asked = begun.opinions.of(owned)
        gates_started = engine.clock()
        functions = count_noun(len(split.functions), "changed function")
        engine.listen(phase("gates", f"gathering evidence on {functions}", 10.0))
        doubt: Evidence | None = Evidence(GATE, Decision.UNKNOWN, TIME_WAS_UP)
        with contextlib.suppress(OutOfTimeError):
            doubt = old_tests(engine.sandbox, engine.limits, self.change, baseline)

        kept = doubt is None or doubt.decision is Decision.ACCEPT
        own_tests = self._doubt_own_tests(baseline) if kept else None

        def ending(judged: Sequence[Judged]) -> RunOutcome:
            judged = ask_once([add_doubt(each, None if each.submission.answers else own_tests) for each in judged])
            took = round(engine.clock() - gates_started, 3)
            status, messages = _decide_overall(judged, findings, baseline)
            if unasked:
                messages = (*filter(None, (describe_effects(judged, findings),)), *messages)
            return RunOutcome(
                status,
                localized.diagnoses,
                localized.suspects,
                tuple(judged),
                counts=Counts(candidates=len(judged), distinct=len(judged), executed=len(judged)),
                seconds=replace(seconds, gates=took),
                messages=messages,
                warnings=(*observed.lost, *describe_stopped(baseline, after), *self._say_unasked(baseline)),
                findings=findings,
                change=self.change,
            )

        def in_short() -> RunOutcome:
            judged = [add_doubt(each, doubt) for each in engine.judging.reached.list_judged()]
            rejected = any(each.verdict.status is PatchStatus.REJECTED for each in judged)
            telling = rejected or len(judged) == len(split.functions)
            return ending(judged) if telling else replace(begun.short, diagnoses=localized.diagnoses)

        engine.judging.reached.make = in_short
        judged = []
        for each in split.functions:
            second = asked.get(each.function)
            one = self._judge(each, owned[each.function], after, signatures.get(each.function), second)
            judged.append(add_doubt(one, doubt))
        return ending(judged)

    def _find_signatures(self, functions: Sequence[FunctionChange]) -> dict[FunctionId, ForeignSignature]:
        """The changed functions that callers can tell apart from the old ones by how they are called."""
        old = self.engine.sources
        gone = {path for path, _ in self.change.before} - {path for path, _ in self.change.after}
        new = lay_over(tuple(each for each in old if each[0] not in gone), self.change.after)
        found = {
            each.function: foreign_signature(each.function, each.before, each.after, old, new) for each in functions
        }
        return {function: signature for function, signature in found.items() if signature is not None}

    def _judge_additions(self, baseline: Baseline, findings: tuple[FindingView, ...]) -> RunOutcome:
        """What the suite says of a change in which no existing function differs."""
        engine = self.engine
        run = run_after(engine.sandbox, self.change, baseline, engine.limits)
        if isinstance(run, InvalidRun):
            run = run_after(engine.sandbox, self.change, baseline, engine.limits)
        if isinstance(run, TestRun):
            findings += find_unrun_additions(self.change, run, engine.measure)
        more: list[TestRun | InvalidRun] = []
        if isinstance(run, TestRun) and differences(baseline, run):
            more = [run_after(engine.sandbox, self.change, baseline, engine.limits)]
            more += [run_before(engine.sandbox, baseline, engine.limits)]
        return judge_additions(run, more, baseline, findings)

    def _find_unrun(self, baseline: Baseline, after: TestRun | None) -> tuple[FindingView, ...]:
        """What no test runs of that which the change adds beside changed functions; no run where it adds nothing."""
        if not adds_functions(self.change):
            return ()
        run = after or run_after(self.engine.sandbox, self.change, baseline, self.engine.limits)
        return find_unrun_additions(self.change, run, self.engine.measure) if isinstance(run, TestRun) else ()

    def _say_unasked(self, baseline: Baseline) -> tuple[str, ...]:
        """That a model was named and not asked for a second opinion, since nothing failed."""
        named = any(isinstance(each, Adviser) for each in self.engine.search.proposers)
        return (f"no second opinion: {NO_FAILURE}",) if named and not baseline.failing else ()

    def _judge(
        self,
        change: FunctionChange,
        seen: Diagnosed,
        after: TestRun | None,
        signature: ForeignSignature | None,
        second: Asked | None,
    ) -> Judged:
        """One changed function: its own candidate, the whole change's files.

        Where no failing test asks for the change, the gates are asked that have something to say of it all the same.
        """
        judging, files = self.engine.judging, self.change.after
        if not seen.baseline.failing:
            judging = replace(judging, gates=judging.unasked)
        made = complete(edit_scope(self.engine.sources, change.function), change.after, self.origin)
        if isinstance(made, Candidate):
            submission = judging.submit(made, seen, whole=files)
            rivals = self._find_rivals(submission, seen) if seen.baseline.failing else RivalsOfChange()
            submission = replace(submission, after=after, rivals=rivals.found, unsought=rivals.unsought)
            judged = judging.judge(replace(submission, second=second.wait if second is not None else None))
            if not seen.baseline.failing:  # the weights are those of fixes
                judged = replace(judged, verdict=replace(judged.verdict, risk=None))
            return add_doubt(judged, signature.judge() if signature is not None else None)
        # A stand-in names the function and shows the change, for a verdict without any run.
        path = change.function.path
        old, new = dict(self.change.before).get(path, b""), dict(files).get(path, b"")
        stand_in = Candidate(
            digest=digest(path, change.function.qualname, change.after),
            function=change.function,
            files=((path, new),),
            before=change.before,
            text=change.after,
            diff=unified_diff(path, old, new),
            size=0,
            edit_kind=EditKind.REWRITE,
            origin=self.origin,
        )
        evidence = Evidence("shape", Decision.REJECT, f"{made.reason.value}: {made.detail}")
        return judging.reached.settle(Judged(judging.submit(stand_in, seen, whole=files), Verdict((evidence,))))

    def _doubt_own_tests(self, baseline: Baseline) -> Evidence | None:
        """A doubt where nobody but its author says what a change mends: no older test. An answer about it ends it."""
        own = tests_of_its_author(self.change, baseline.failing)
        if not own or len(own) < len(baseline.failing):
            return None
        claim = f"rests on {count_noun(len(own), 'test')} of its own author"
        asked = f"Does {own[0]} say what you mean? An --answer of yours would settle it."
        return Evidence("own_tests", Decision.UNKNOWN, claim, witness=", ".join(own[:3]), question=asked)

    def _find_rivals(self, submission: Submission, seen: Diagnosed) -> RivalsOfChange:
        """Other edits of the function that pass the same tests."""
        engine = self.engine
        seconds = RIVAL_SHARE * engine.deadline.left
        return self.find_rivals(engine.search, submission, seen, seconds, engine.judging.lend)


def _restrict_to(seen: Diagnosed, change: FunctionChange, changes: Sequence[FunctionChange]) -> Diagnosed:
    """What one of several changed functions answers for: the failing tests that ran it, and those that ran none.

    So each failing test has to be mended in the judgement of some function. None is asked to notice the sabotage of a
    function that it does not run. A function that no failing test ran answers for all.
    """
    failing, line_map = seen.baseline.failing, seen.baseline.traced.line_map
    ran: dict[FunctionId, set[TestId]] = {}
    for each in changes:
        span = span_of(seen.localized.index.get(each.function.path, ()), each.function)
        ran[each.function] = set(covering_tests(line_map, failing, span)) if span else set()
    own = ran[change.function]
    return seen.leave_out(set[TestId]().union(*ran.values()) - own) if own else seen


def _find_calls_left_behind(signatures: Mapping[FunctionId, ForeignSignature]) -> tuple[FindingView, ...]:
    """A finding for each call of the project that a new signature leaves behind."""
    return tuple(
        FindingView("call_left_behind", describe_call(call, function.qualname), call.path, call.line)
        for function, signature in signatures.items()
        for call in signature.calls_left_behind()
    )


def _find_still_failing(
    baseline: Baseline, after: TestRun | None, index: Index, functions: Sequence[FunctionId]
) -> Iterator[FindingView]:
    """Tests that run a changed function, failed before and fail still; nobody knows them without the suite after."""
    if after is None:
        return
    aside = {*baseline.failing, *baseline.flaky}
    before = [r.test for r in baseline.outcomes if r.outcome in FAILED and r.test not in aside]
    left = [test for test in before if after.outcome(test) in FAILED]
    for function in functions:
        span = span_of(index.get(function.path, ()), function)
        ran = covering_tests(baseline.traced.line_map, left, span) if span is not None else ()
        if ran:
            one = len(ran) == 1
            which = f"{count_noun(len(ran), 'test')} that run{'s' if one else ''} {function.qualname}"
            failed = f"{which} failed before and fail{'s' if one else ''} still"
            names = list_names(ran, "test", MOST_STILL_FAILING)
            yield FindingView(STILL_FAILING, f"{failed}: {names}", function.path, function.first_line)


def _end_without_function(findings: tuple[FindingView, ...]) -> RunOutcome:
    """A change in which no existing function differs: nothing that could be judged in a scope of its own."""
    telling = [f for f in findings if f.kind not in HARMLESS]
    if telling and all(f.kind == "test_support" for f in telling):
        message = "The change touches only test support, which no gate judges: no function of the program differs"
        return RunOutcome(Status.OUT_OF_SCOPE, messages=(message,), findings=findings)
    if telling:
        message = "The change lies outside any existing function: it cannot be judged function by function"
        return RunOutcome(Status.OUT_OF_SCOPE, messages=(message,), findings=findings, brief=message)
    message = "The change edits no function of the program: there is no fix to judge"
    return RunOutcome(Status.REJECTED, messages=(message,), findings=findings)


def _decide_overall(
    judged: Sequence[Judged], findings: Sequence[FindingView], baseline: Baseline
) -> tuple[Status, tuple[str, ...]]:
    """The word for the whole change: that of its worst function, and no certificate for what no gate looked at.

    Documents mean nothing to the program, unless their examples are among the tests.
    """
    tested = {str(r.test).split("::")[0] for r in baseline.outcomes}
    unseen = [f for f in findings if f.kind not in HARMLESS or (f.kind == "documentation" and f.file in tested)]
    order = list(PatchStatus)
    worst = max((j.verdict.status for j in judged), key=order.index)
    if worst is PatchStatus.CERTIFIED and unseen:
        message = f"every changed function is certified, but {unseen[0].claim} ({unseen[0].file}) was judged by no gate"
        return Status.PLAUSIBLE, (message,)
    return Status(worst.value), ()
