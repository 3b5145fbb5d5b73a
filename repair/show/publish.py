"""From the engine's records to the published result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis.behaviour import CallResult, Difference, are_same_items, turn
from analysis.facts import Diagnosis, Files, Suspect
from analysis.functions import functions_of
from analysis.root_cause import RootCause
from analysis.stated.fact import FactSource
from analysis.stated.function import stated_of
from repair.checks.stated_facts import refuting
from repair.checks.weighing import SECOND
from repair.compare.examples import docstring_of, find_example
from repair.compare.ready_answers import write_answer
from repair.compare.second_fix import SECOND_OPINION
from repair.records.change import Change
from repair.records.effect import Effect
from repair.records.outcome import Cause, Judged, RunOutcome, Stack
from repair.records.ports import Submission
from repair.records.result import (
    AnalysisView,
    AskedView,
    CauseView,
    ChangeView,
    ConstraintView,
    EffectView,
    EvidenceView,
    FailureView,
    FileChange,
    PatchView,
    PlanView,
    RegionView,
    Result,
    RiskView,
    StackView,
    Status,
    SuspectView,
    pick_stack,
)
from repair.records.task import PatchPlan
from repair.records.verdict import CORE_GATES, TIME_WAS_UP, WEIGHED_GATES, Decision, Evidence, Risk
from repair.records.witness_text import describe_both, describe_ends, is_readable
from repair.records.wording import list_names
from repair.show.changed_words import changed_region
from repair.store.certificate import file_digests
from transforms.patch.diff import unified_diff
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import FOREIGN

MOST_SUSPECTS = 10

NOT_COMPARED = ("nothing_compared", "old_unknown")
"""Doubts which say that old and new were not compared."""

UNASKED = "what gates ask of failing tests (controls, coverage, mutants): no failing test asks for this change"
"""What is not checked of a change that no failing test asks for."""


def result_of(ending: RunOutcome, blank: Result, total_seconds: float) -> Result:
    """The result that is printed, stored and handed to a host; ``blank`` has what is the same for any of the run."""
    patches = [_patch(j, rank, ending.change, in_place=ending.in_place) for rank, j in enumerate(ending.judged, 1)]
    if ending.causes:
        ranked = ((cause, enumerate(cause.ending.judged, 1)) for cause in ending.causes)
        patches = [
            replace(_patch(j, rank, cause.ending.change, in_place=cause.ending.in_place), cause=cause.number)
            for cause, each in ranked
            for rank, j in each
        ]
    return replace(
        blank,
        status=ending.status,
        failures=_failures(ending, ending.diagnoses),
        set_aside=_failures(ending, ending.set_aside),
        suspects=tuple(map(_suspect, ending.suspects[:MOST_SUSPECTS])),
        patches=tuple(patches),
        counts=ending.counts,
        seconds=replace(ending.seconds, total=round(total_seconds, 3)),
        next_action=ending.next_action or _next_action(ending, blank.run),
        findings=ending.findings,
        of_change=ending.change is not None,
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
        brief=ending.brief or ("" if answer is not None else _brief_of(ending)),
        next_action=ending.next_action or _next_action(ending, run),
        plan=_plan(ending.plan, ending) if ending.plan is not None else None,
        seconds=round(cause.seconds, 3),
    )


def _brief_of(ending: RunOutcome) -> str:
    """Where nothing was found: what fails, and where it likeliest comes from, for each way to fail."""
    return "\n".join(dict.fromkeys(found.claim for found in ending.root_causes))


def _stack(stack: Stack) -> StackView:
    before, after = dict(stack.change.before), dict(stack.change.after)
    diffs = (unified_diff(path, before[path], text) for path, text in sorted(after.items()))
    files = tuple(FileChange(**entry) for entry in file_digests(stack.change))
    return StackView(stack.causes, stack.status, "".join(diffs), files, stack.claim)


def _failures(ending: RunOutcome, diagnoses: Sequence[Diagnosis]) -> tuple[FailureView, ...]:
    endings = (ending, *(cause.ending for cause in ending.causes))
    causes = {found.test: found for each in endings for found in each.root_causes}
    return tuple(_failure(d, causes.get(d.failure.test)) for d in diagnoses)


def _failure(diagnosis: Diagnosis, cause: RootCause | None) -> FailureView:
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
        analysis=_analysis(cause, diagnosis) if cause is not None else None,
    )


def _analysis(cause: RootCause, diagnosis: Diagnosis) -> AnalysisView:
    kind = f"{diagnosis.failure_class.value}/{diagnosis.subclass}".rstrip("/")
    found = cause.function
    path, name = (found.path, found.qualname) if found is not None else ("", "")
    return AnalysisView(cause.claim, kind, cause.scope, cause.edit, cause.reason, path, name, cause.line)


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


def _patch(judged: Judged, rank: int, change: Change | None, *, in_place: bool) -> PatchView:
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
                _asked(e),
            )
            for e in evidence
        ),
        risk=_risk(judged.verdict.risk),
        questions=tuple(dict.fromkeys(e.question for e in evidence if e.question)),
        not_checked=tuple(dict.fromkeys([*(line for e in evidence for line in e.not_checked), *skipped])),
        files=tuple(FileChange(**entry) for entry in file_digests(change)),
        reasons=judged.reasons,
        differs=_describe_parting(apart) if apart is not None else "",
        effect=_effect(effect, judged) if effect is not None else None,
        changes=tuple(_attest(each, judged) for each in _differences(judged)),
        changes_gap=_gap(judged),
        region=_region(candidate, change.after if in_place else ()),
        second_opinion=_second_opinion(evidence),
        others_say=tuple(line for e in evidence for line in e.others_say),
    )


def _second_opinion(evidence: Sequence[Evidence]) -> str:
    said = (value for each in evidence for name, value in each.measurements if name == SECOND_OPINION)
    return next(map(str, said), "")


def _asked(evidence: Evidence) -> AskedView | None:
    if not evidence.question:
        return None
    told, asks = evidence.told, evidence.gate
    if asks in WEIGHED_GATES:
        asking = (
            d for d in evidence.doubts if (d.told == told if told is not None else d.question == evidence.question)
        )
        asks = next((doubt.feature for doubt in asking), "")
    if told is None:
        return AskedView(evidence.question, doubt=asks)
    return AskedView(
        evidence.question,
        told.call.source,
        *describe_both(told),
        describe_ends(told),
        of_model=asks == SECOND,
        doubt=asks,
        telling=is_readable(told) and not are_same_items(told.mine, told.other),
    )


def _differences(judged: Judged) -> tuple[Difference, ...]:
    """The calls that are shown of those on which callers get something else."""
    evidence = judged.verdict.evidence
    effects = [each.effect.examples for each in evidence if each.effect is not None]
    return next(iter((*effects, *(each.changes for each in evidence if each.changes))), ())


def _gap(judged: Judged) -> str:
    """Why it is not known what changes for callers; ``""`` where it is."""
    evidence = judged.verdict.evidence
    gaps = [each.effect.gap for each in evidence if each.effect is not None]
    gaps += [d.claim for each in evidence for d in each.doubts if d.feature in NOT_COMPARED]
    compared = any(each.effect is not None or dict(each.measurements).get("inputs") for each in evidence)
    return next(iter((*filter(None, gaps), "" if compared else "old and new were not compared")), "")


def _attest(difference: Difference, judged: Judged) -> ChangeView:
    """A changed call with who says that it should change."""
    call, submission = difference.call, judged.submission
    mine, other = describe_both(difference)
    said_by, source = "nobody", str(call.test or "") if call.is_tested else ""
    if call.is_made and call.test in submission.baseline.failing:
        said_by = "person" if call.test in submission.answers else "test"
    else:
        words = _find_words(difference, submission)
        said_by, source = ("docstring", words) if words else (said_by, source)
    return ChangeView(call.source, other, mine, call.is_tested, said_by, source)


def _find_words(difference: Difference, submission: Submission) -> str:
    """What is written of the function that the patch keeps to on this call and the old function does not."""
    function, sources = submission.candidate.function, submission.sources
    example = find_example(docstring_of(sources, function), CallResult(difference.call, difference.mine))
    if example:
        return example
    stated = stated_of(function, dict(sources).get(function.path, b""))
    written = [fact for fact in refuting(difference, stated) if fact.source is not FactSource.ANNOTATION]
    return stated.cite(written[0]) if written else ""


def _region(candidate: Candidate, after: Files) -> RegionView | None:
    """The changed lines in the old file; with the files ``after`` the change, which the project holds, in those."""
    first, last = changed_region(candidate.diff, after=bool(after))
    if not first:
        return None
    path, name = candidate.function.path, candidate.function.qualname
    text = dict(after).get(path)
    spans = functions_of(path, text) if text is not None else ()
    moved = next((s.function.first_line for s in spans if s.function.qualname == name), None)
    down = moved - candidate.function.first_line if moved is not None else 0
    return RegionView(first + down, last + down)


def _effect(effect: Effect, judged: Judged) -> EffectView:
    return EffectView(
        inputs=effect.inputs,
        kept=effect.kept,
        changed=effect.changed,
        bounded=effect.bounded,
        changes=tuple(_attest(each, judged) for each in effect.examples),
        unnoticed=effect.noticed_by_none,
        lines=effect.lines,
        unrun=effect.unrun,
        refactoring=effect.is_refactoring,
        gap=effect.gap,
    )


def _risk(risk: Risk | None) -> RiskView | None:
    if risk is None:
        return None
    shares = {name: round(share, 3) for name, share in risk.shares}
    value, upper = round(risk.value, 4), round(risk.upper, 4)
    like = (risk.like, round(risk.like_upper, 4), risk.unseen, risk.unseen_wrong)
    return RiskView(value, upper, risk.patches, risk.projects, risk.limit, shares, risk.by_hand, *like)


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
    certified = [stack for stack in ending.stacks if stack.status is Status.CERTIFIED]
    if ending.status is not Status.CERTIFIED and certified:
        return _apply_command(ending, run, certified)
    if ending.status is Status.CERTIFIED and ending.in_place:
        return "commit it: the working tree holds this change already"
    if ending.status is Status.PLAUSIBLE and ending.judged:
        return _after_plausible(ending, run)
    if ending.stacks:
        return f"read the patches and their questions; if you trust them as they are: `{_apply_command(ending, run)}`"
    if ending.status is Status.REJECTED:
        return _after_rejection(ending, run)
    if ending.status is Status.OUT_OF_SCOPE and ending.findings:
        return "look at the findings yourself: no gate judges them"
    return {
        Status.CERTIFIED: f"repair apply {run}",
        Status.PLAUSIBLE: "look at the findings yourself: no gate judges them, and the suite is all that was asked",
        Status.OUT_OF_SCOPE: "read the brief, or name the function with --function",
        Status.NOT_REPRODUCED: "run the test with pytest in the same environment (see --pass-env)",
        Status.FLAKY: "make the test repeatable first",
        Status.ENVIRONMENT: "provide what the tests need, and run again (`repair doctor` tells what is here)",
        Status.TEST_DEFECT: "mend the test: no code of the project is at fault",
        Status.UNPARSEABLE: "mend the syntax first",
        Status.NOTHING_FAILS: "nothing to do; `repair tests` says what these tests would not notice",
        Status.UNCHANGED: "nothing to do",
    }.get(ending.status, "")


def _after_plausible(ending: RunOutcome, run: str) -> str:
    """What settles the doubt; and what takes the patch as it is."""
    shown = ending.judged if ending.change else ending.judged[:1]
    evidence = [each for judged in shown for each in judged.verdict.evidence]
    effects = [each.effect for each in evidence if each.effect is not None]
    asking = [each for judged in shown for each in judged.verdict.evidence if each.question]
    late = [each.gate for each in evidence if each.claim == TIME_WAS_UP]
    taken = "commit it" if ending.in_place else f"`{_apply_command(ending, run)}`"
    as_it_is = f"if you trust it as it is: {taken}" if ending.in_place or not ending.change else ""
    if not asking and effects and all(effect.is_refactoring for effect in effects):
        return "nothing was found against it: commit it; `--accept plausible` makes it exit status 0"
    if not asking and late:
        said = f"give more time with --max-seconds: {list_names(late, 'gate', 3)} could not tell"
    elif any(each.told is not None and _write_answers(each, judged)[0] for judged in shown for each in asking):
        said = "run again with the --answer that is right"
    elif asking:
        said = "write a test that answers the question, and run again"
    else:
        said = "write a test for what is in doubt, and run again"
    return "; ".join(filter(None, (said, as_it_is)))


def _apply_command(ending: RunOutcome, run: str, stacks: Sequence[Stack] = ()) -> str:
    """What applies the patches of one of these stacks, of all where none is given; by a cause where others are left.

    A cause stands for its patch and those below it. A stack that is no such takes no number: `apply` without one takes
    the most patches.
    """
    most, picked = pick_stack(ending.stacks), pick_stack(stacks or ending.stacks)
    if picked is None:
        return f"repair apply {run}"
    stands_on = {cause.number: cause.stands_on for cause in ending.causes}
    named = [each for each in stacks or ending.stacks if each.causes == _with_below(each.causes[-1], stands_on)]
    patched = {number for stack in ending.stacks for number in stack.causes}
    whole = picked == most and patched == {*picked.causes}
    chosen = picked if picked in named else pick_stack(named)
    if whole or chosen is None or (picked == most and picked not in named):
        return f"repair apply {run}"
    return f"repair apply {run} --cause {chosen.causes[-1]}"


def _with_below(number: int, stands_on: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    return (*stands_on.get(number, ()), number)


def _after_rejection(ending: RunOutcome, run: str) -> str:
    """Which gate has to say something else."""
    evidence = [each for judged in ending.judged for each in judged.verdict.evidence]
    gate = next((each.gate for each in evidence if each.decision is Decision.REJECT), "")
    if not gate:
        return f"repair show {run}"
    return f"mend what the gate {gate} names, and check again; `repair help {gate}` says what it asks"
