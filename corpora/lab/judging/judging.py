"""The judge's word on patches of one bug: the path of `repair check`, over one observation of the unpatched program."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import RepairError
from analysis.facts import Files, TestId
from corpora.bug import Bug, Corpus
from corpora.lab.judging.records import GateSaid, Judgement, Material, Patch
from corpora.lab.judging.reference_answers import answer_by
from corpora.lab.judging.shared_baseline import SharedBaseline, SharedOpinion, SharedRivals
from corpora.lab.judging.subjects import Terms
from repair.checks.weighing import SECOND
from repair.checks.weights import features_of
from repair.compare.answers import read_answer
from repair.compare.second_fix import SECOND_OPINION, SECOND_WORD
from repair.engine.checking import Checker
from repair.engine.choosing import RivalsOfChange
from repair.engine.engine import Engine
from repair.front.changes import change_of, reader
from repair.front.composition import RunContext, open_run
from repair.front.run_inputs import lay_answers_over, limits_of
from repair.records.change import Change, program_layer
from repair.records.config import SECOND_MAX_REQUESTS, Options
from repair.records.events import Event
from repair.records.outcome import RunOutcome
from repair.records.ports import Gate, Sandbox
from repair.records.result import Status
from repair.records.verdict import Evidence
from repair.trials.layered import LayeredSandbox
from sandbox.scratch import scratch_folder

JUDGE_SECONDS = 120.0
COMPARED = ("mutation", "behaviour")
"""Gates whose word on each patch is wanted: other judges have them alone."""

UNRUN = ("shape",)
"""Gates whose rejection leaves a patch that need not be a program."""

WORDS = frozenset({Status.CERTIFIED, Status.PLAUSIBLE, Status.REJECTED})


def judge_patches(
    bug: Bug, corpus: Corpus, material: Material, patches: Sequence[Patch], terms: Terms
) -> list[Judgement]:
    """A judgement for each patch; what the machine fails is one with an error."""
    try:
        with scratch_folder() as scratch:
            corpus.write_tree(bug, scratch / "tree")
            return _judge_in(bug, material, patches, terms, scratch, corpus.oracle(bug).reference)
    except (RepairError, OSError) as problem:
        return [Judgement(patch.id, "", error=str(problem)) for patch in patches]


def _judge_in(
    bug: Bug, material: Material, patches: Sequence[Patch], terms: Terms, scratch: Path, reference: Files
) -> list[Judgement]:
    heard: list[Callable[[Event], None]] = []

    def listen(happened: Event) -> None:
        for listener in heard:
            listener(happened)

    found = []
    with open_run(_options(bug, terms, scratch), listen, os.environ) as context:
        context.refuse_stranger("A made patch")
        shared = SharedBaseline(context.sandbox)
        heard.append(shared.hear)
        tests = context.task(material.failing).tests
        rivals, opinion = SharedRivals(), SharedOpinion()
        for patch in patches:
            try:
                change = change_of(patch.diff.encode("utf-8", "surrogateescape"), reader(Path(context.target.root)))
                one = _Judging(context, shared, change, tests, terms, opinion)
                engine = one.engine(one.before)
                find = _find_none if terms.second_alone else rivals
                ending = Checker(engine, change, find_rivals=find, ask=opinion).check(tests, terms.seed)
                late = () if terms.gates else _ask_late_gates(ending, engine.judging.gates)
                judgement = _judgement_of(patch, ending, late)
                found.append(one.answer_once(judgement, ending, reference) if terms.answered else judgement)
            except RepairError as problem:
                found.append(Judgement(patch.id, "", error=str(problem)))
    return found


@dataclass(frozen=True, slots=True)
class _Judging:
    """One change on its way through the judge."""

    context: RunContext
    shared: SharedBaseline
    change: Change
    tests: tuple[TestId, ...]
    terms: Terms
    opinion: SharedOpinion

    @property
    def before(self) -> Sandbox:
        """The program without the change, with its tests."""
        return LayeredSandbox(self.shared, program_layer(self.change))

    def engine(self, sandbox: Sandbox, answers: tuple[TestId, ...] = ()) -> Engine:
        """The judge, or those of its gates that weigh."""
        engine = self.context.engine(sandbox, answers=answers)
        if not self.terms.gates:
            return engine
        gates = tuple(gate for gate in engine.judging.gates if gate.name in self.terms.gates)
        return replace(engine, judging=replace(engine.judging, gates=gates, required=self.terms.gates))

    def answer_once(self, judgement: Judgement, ending: RunOutcome, reference: Files) -> Judgement:
        """The judgement with the word after its question was answered by the fix, where the fix can answer it.

        Rivals are looked for anew: the answer's test turns some of them away.
        """
        answer = ""
        if ending.status is Status.PLAUSIBLE:
            answer = answer_by(self.context.sandbox, reference, ending.judged, self.tests)
        if not answer:
            return replace(judgement, asked=True)
        after = ""
        with contextlib.suppress(RepairError):  # the answer cannot be tried: the first word stands
            limits = limits_of(JUDGE_SECONDS)
            answered = lay_answers_over(self.before, [read_answer(answer)], self.tests, limits)
            engine = self.engine(answered.sandbox, answered.ids)
            again = Checker(engine, self.change, answered.demanded, ask=self.opinion).check(self.tests, self.terms.seed)
            after = str(again.status) if again.status in WORDS else ""
        return replace(judgement, asked=True, answer=answer, after=after)


def _find_none(*_: object) -> RivalsOfChange:
    """No rivals but the second opinion."""
    return RivalsOfChange()


def _ask_late_gates(ending: RunOutcome, gates: Sequence[Gate]) -> tuple[GateSaid, ...]:
    """What the gates that stand for others' judges say where a rejection had ended the judging before them."""
    found = []
    for judged in ending.judged:
        asked = {evidence.gate for evidence in judged.verdict.evidence}
        ran = judged.verdict.evidence[-1].gate not in UNRUN
        for gate in gates if ran else ():
            if gate.name in COMPARED and gate.name not in asked:
                said = gate.judge(judged.submission)
                found.append(
                    GateSaid(gate.name, said.decision.value, said.claim, said.seconds, said.witness, late=True)
                )
    return tuple(found)


def _judgement_of(patch: Patch, ending: RunOutcome, late: tuple[GateSaid, ...]) -> Judgement:
    if ending.status not in WORDS:
        return Judgement(patch.id, "", error=f"{ending.status}: {' '.join(ending.messages)}")
    asked = [evidence for judged in ending.judged for evidence in judged.verdict.evidence]
    gates = tuple(GateSaid(e.gate, e.decision.value, e.claim, e.seconds, e.witness) for e in asked)
    tests = [sum(r.seconds for r in judged.submission.baseline.outcomes) for judged in ending.judged]
    riskiest = max(ending.judged, key=lambda each: each.verdict.risk.value if each.verdict.risk else 0.0)
    evidence, risk = riskiest.verdict.evidence, riskiest.verdict.risk
    doubts = [doubt for each in evidence for doubt in each.doubts]
    return Judgement(
        patch.id,
        str(ending.status),
        (*gates, *late),
        ending.seconds.gates,
        round(max(tests, default=0.0), 3),
        features={name: round(value, 4) for name, value in features_of(evidence).items()},
        risk=round(risk.value, 5) if risk is not None else None,
        second=_second_opinion(evidence),
        second_asked=any(d.feature == SECOND and d.told and d.told is e.told for e in evidence for d in e.doubts),
        doubts=tuple(f"{d.feature} {d.strength:.2f}: {d.claim}: {d.witness}" for d in doubts),
    )


def _second_opinion(evidence: Sequence[Evidence]) -> str:
    """The word and the sentence of a second opinion, where one was asked for."""
    told = {name: str(value) for each in evidence for name, value in each.measurements}
    return f"{told[SECOND_WORD]}: {told[SECOND_OPINION]}" if SECOND_WORD in told else ""


def _options(bug: Bug, terms: Terms, scratch: Path) -> Options:
    needs = bug.environment
    return Options(
        root=str(scratch / "tree"),
        python=terms.python,
        tests=bug.suite,
        pytest_args=needs.pytest_args,
        pass_env=needs.pass_env,
        task=bug.description,
        proposers=("search", "model") if terms.model else ("search",),
        model=terms.model,
        base_url=terms.base_url,
        replies=terms.replies,
        max_requests=SECOND_MAX_REQUESTS,
        max_seconds=JUDGE_SECONDS,
        seed=terms.seed,
        jobs=2,
        isolation=terms.isolation,  # type: ignore[arg-type] # checked by the command's own choice
        state_dir=str(scratch / "state"),
    )
