"""From the engine's records to the published result."""

from __future__ import annotations

from dataclasses import replace

from analysis.behaviour import Difference, turn
from analysis.facts import Diagnosis, Suspect
from repair.compare.answers import write_answer
from repair.records.change import Change
from repair.records.effect import Effect
from repair.records.outcome import Cause, Judged, RunOutcome, Stack
from repair.records.result import (
    CauseView,
    ChangeView,
    ConstraintView,
    EffectView,
    EvidenceView,
    FailureView,
    FileChange,
    PatchView,
    PlanView,
    Result,
    RiskView,
    StackView,
    Status,
    SuspectView,
)
from repair.records.task import PatchPlan
from repair.records.verdict import CORE_GATES, TIME_WAS_UP, Decision, Evidence, Risk
from repair.records.witness_text import describe_both
from repair.store.certificate import file_digests
from transforms.patch.diff import unified_diff
from transforms.tree.proposal import FOREIGN

MOST_SUSPECTS = 10

UNASKED = "what gates ask of failing tests (controls, coverage, mutants): no failing test asks for this change"
"""What is not checked of a change that no failing test asks for."""


def result_of(ending: RunOutcome, blank: Result, total_seconds: float) -> Result:
    """The result that is printed, stored and handed to a host; ``blank`` has what is the same for any of the run."""
    patches = [_patch(j, rank, ending.change) for rank, j in enumerate(ending.judged, 1)]
    if ending.causes:
        ranked = ((cause, enumerate(cause.ending.judged, 1)) for cause in ending.causes)
        patches = [replace(_patch(j, rank, None), cause=cause.number) for cause, each in ranked for rank, j in each]
    return replace(
        blank,
        status=ending.status,
        failures=tuple(_failure(d) for d in ending.diagnoses),
        suspects=tuple(map(_suspect, ending.suspects[:MOST_SUSPECTS])),
        patches=tuple(patches),
        counts=ending.counts,
        seconds=replace(ending.seconds, total=round(total_seconds, 3)),
        next_action=ending.next_action or _next_action(ending, blank.run),
        findings=ending.findings,
        plan=_plan(ending.plan, ending) if ending.plan is not None else None,
        brief=ending.brief,
        messages=ending.messages,
        warnings=(*blank.warnings, *ending.warnings),
        causes=tuple(_cause(each, blank.run) for each in ending.causes),
        stacks=tuple(map(_stack, ending.stacks)),
    )


def _cause(cause: Cause, run: str) -> CauseView:
    ending = cause.ending
    answer = ending.judged[0].submission.candidate if ending.judged else None
    first = answer.function if answer is not None else next((s.function for s in ending.suspects), None)
    return CauseView(
        number=cause.number,
        tests=cause.tests,
        status=ending.status,
        file=first.path if first is not None else "",
        function=first.qualname if first is not None else "",
        line=first.first_line if first is not None else 0,
        patch=answer.digest if answer is not None else "",
        stands_on=cause.stands_on,
        messages=ending.messages,
        brief=ending.brief,
        next_action=ending.next_action or _next_action(ending, run),
        plan=_plan(ending.plan, ending) if ending.plan is not None else None,
        seconds=round(cause.seconds, 3),
    )


def _stack(stack: Stack) -> StackView:
    before, after = dict(stack.change.before), dict(stack.change.after)
    diffs = (unified_diff(path, before[path], text) for path, text in sorted(after.items()))
    files = tuple(FileChange(**entry) for entry in file_digests(stack.change))
    return StackView(stack.causes, stack.status, "".join(diffs), files, stack.claim)


def _failure(diagnosis: Diagnosis) -> FailureView:
    failure = diagnosis.failure
    raised = failure.exceptions[0] if failure.exceptions else None
    return FailureView(
        test=failure.test,
        failure_class=diagnosis.failure_class.value,
        subclass=diagnosis.subclass,
        exception=raised.type_name if raised else failure.outcome.value,
        message=(raised.message if raised else failure.message)[:2000],
        function=failure.frames[-1].qualname if failure.frames else "",
        constraints=tuple(
            ConstraintView(c.kind.value, c.claim, c.expression, c.detail, c.path, c.line) for c in diagnosis.constraints
        ),
    )


def _suspect(suspect: Suspect) -> SuspectView:
    where, score = suspect.function, round(suspect.suspiciousness, 4)
    return SuspectView(where.path, where.qualname, where.first_line, score, suspect.reasons)


def _plan(chosen: PatchPlan, ending: RunOutcome) -> PlanView:
    return PlanView(
        file=chosen.function.path,
        function=chosen.function.qualname,
        failure_class=chosen.diagnoses[0].failure_class.value if chosen.diagnoses else "",
        kinds=tuple(kind.value for kind in chosen.kinds),
        policy=(chosen.explanation,),
        evidence=CORE_GATES,
        explanation=chosen.explanation,
        tier=ending.tier,
        tier_reason=ending.tier_reason,
    )


def _patch(judged: Judged, rank: int, change: Change | None) -> PatchView:
    candidate, sources = judged.submission.candidate, judged.submission.sources
    evidence = judged.verdict.evidence
    effect = next((each.effect for each in evidence if each.effect is not None), None)
    skipped = tuple(f"{gate}: not asked" for gate in judged.verdict.not_asked)
    if not judged.submission.baseline.failing:
        skipped = (UNASKED,)
    if change is None:  # of a change from elsewhere all files were judged together
        touched = {path for path, _ in candidate.files}
        change = Change(tuple((path, text) for path, text in sources if path in touched), candidate.files)
    apart = judged.differs
    return PatchView(
        # The functions of one checked change all have rank 1.
        rank=1 if candidate.origin.proposer == FOREIGN else rank,
        status=Status(judged.verdict.status.value),
        file=candidate.function.path,
        function=candidate.function.qualname,
        diff=candidate.diff,
        digest=candidate.digest,
        edit_kind=candidate.edit_kind.value,
        proposer=candidate.origin.proposer,
        operator=candidate.origin.operator,
        size=candidate.size,
        explanation=candidate.explanation,
        line=candidate.function.first_line,
        evidence=tuple(
            EvidenceView(
                e.gate,
                e.decision.value,
                e.claim,
                dict(e.measurements),
                e.witness,
                e.seconds,
                *_write_answers(e, judged),
            )
            for e in evidence
        ),
        risk=_risk(judged.verdict.risk),
        questions=tuple(dict.fromkeys(e.question for e in evidence if e.question)),
        not_checked=tuple(dict.fromkeys([*(line for e in evidence for line in e.not_checked), *skipped])),
        files=tuple(FileChange(**entry) for entry in file_digests(change)),
        reasons=judged.reasons,
        differs=_describe_parting(apart) if apart is not None else "",
        effect=_effect(effect) if effect is not None else None,
    )


def _effect(effect: Effect) -> EffectView:
    return EffectView(
        inputs=effect.inputs,
        kept=effect.kept,
        changed=effect.changed,
        bounded=effect.bounded,
        changes=tuple(_change(each) for each in effect.examples),
        unnoticed=effect.noticed_by_none,
        lines=effect.lines,
        unrun=effect.unrun,
        refactoring=effect.is_refactoring,
        gap=effect.gap,
    )


def _change(difference: Difference) -> ChangeView:
    mine, other = describe_both(difference)
    return ChangeView(difference.call.source, other, mine, difference.call.is_tested)


def _risk(risk: Risk | None) -> RiskView | None:
    if risk is None:
        return None
    shares = {name: round(share, 3) for name, share in risk.shares}
    return RiskView(round(risk.value, 4), round(risk.upper, 4), risk.patches, risk.projects, risk.limit, shares)


def _describe_parting(difference: Difference) -> str:
    """The input on which an alternative and the answer part, as one line."""
    mine, other = describe_both(difference)
    return f"{difference.call.source}: the answer {mine}, this one {other}"


def _write_answers(evidence: Evidence, judged: Judged) -> tuple[str, str]:
    """Both answers to a doubt as a person could give them: as this patch does, and as the other program does."""
    submission, told = judged.submission, evidence.told
    if told is None or evidence.decision is not Decision.UNKNOWN:
        return "", ""
    function, sources = submission.candidate.function, submission.sources
    return write_answer(function, told, sources), write_answer(function, turn(told), sources)


def _next_action(ending: RunOutcome, run: str) -> str:
    """The command, or the deed, that follows."""
    evidence = [each for judged in ending.judged for each in judged.verdict.evidence] if ending.change else []
    evidence = evidence or list(ending.judged[0].verdict.evidence if ending.judged else ())
    effects = [each.effect for each in evidence if each.effect is not None]
    asked = any(each.question for each in evidence)
    if ending.status is Status.PLAUSIBLE and effects and not asked and all(e.is_refactoring for e in effects):
        return f"--accept plausible accepts it: nothing was found against it; or: repair show {run} -v"
    if ending.status is Status.PLAUSIBLE and not asked:
        if any(each.claim == TIME_WAS_UP for each in evidence):
            return f"give more time with --max-seconds: some gates could not tell; or: repair show {run} -v"
        return f"read what is in doubt and what was not checked; or: repair show {run} -v"
    if ending.status is Status.OUT_OF_SCOPE and ending.findings:
        return "look at the findings yourself: no gate judges them"
    return {
        Status.CERTIFIED: f"repair apply {run}",
        Status.PLAUSIBLE: f"answer the question, add it as a test, and run again; or: repair show {run}",
        Status.REJECTED: f"repair show {run}",
        Status.OUT_OF_SCOPE: "read the brief, or name the function with --function",
        Status.NOT_REPRODUCED: "run the test with pytest in the same environment (see --pass-env)",
        Status.FLAKY: "make the test repeatable first",
        Status.ENVIRONMENT: "mend the environment (see `repair doctor`)",
        Status.TEST_DEFECT: "mend the test: no code of the project is at fault",
        Status.UNPARSEABLE: "mend the syntax first",
        Status.NOTHING_FAILS: "nothing to do",
        Status.UNCHANGED: "nothing to do",
    }.get(ending.status, "")
