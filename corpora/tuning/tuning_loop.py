"""The loop: one small edit at a time, guarded, screened, tested against the accepted prompt, and sealed.

Nothing here reads a clock, a file or a model. The same plan, attempts and proposals give the same steps, bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Literal, Protocol

from corpora.tuning.attempts import Attempts
from corpora.tuning.campaign import PROPOSAL, STEP, KeptProposal, TaskOutcome, TunePlan, TuneStep, TuneTask
from corpora.tuning.decisions import EditVerdict, judge_deletion, judge_gain, judge_sealed, screen
from corpora.tuning.evidence import TaskPair, spent_error
from corpora.tuning.guards import find_breach
from corpora.tuning.kept_campaign import digest_of
from corpora.tuning.leaks import TaskText
from corpora.tuning.prompt_text import PromptEdit, apply_edit, normal_form, read_part, sentences

BATCH = 24
"""Train tasks that are run before the first edit, and shown to the reflector as far as they are of use."""

ROTATION = "every sentence has to earn its place"
"""Why a deletion that nobody proposed is tried."""

MORE = 3
"""Times the samples of the first look that the second look at a test has."""

NO_HELP = "it did not help"
"""All that a proposer is told of an edit that was tested."""

SEAL_EVERY, MOST_OPENINGS = 3, 3
SENTINELS, MOVED_SHARE, LEAST_MOVED = 10, 0.3, 2
"""So many tasks at most are run again at the end; a share of them, two at least, that ends otherwise voids it."""
FRESH_SAMPLE = 10_000
SENTINEL_SAMPLES = 2


@dataclass(frozen=True, slots=True)
class ContrastCase:
    """One train task whose attempts say something: both outcomes differ, or none is good. Best outcome first."""

    task: str
    outcomes: tuple[TaskOutcome, ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """What a proposer is told: the prompt, cases from train tasks alone, edits that failed and why, how bold it may be.

    Of an edit that was tested it is told nothing but that it did not help: select tasks stay unseen.
    """

    body: str
    cases: tuple[ContrastCase, ...]
    refused: tuple[tuple[PromptEdit, str], ...]
    bold: bool


@dataclass(frozen=True, slots=True)
class ProposedEdit:
    """What a proposer says: an edit, or the reason why there is none; what the answer cost in tokens and US dollars."""

    edit: PromptEdit | None
    reason: str = ""
    tokens: int = 0
    usd: float = 0.0


class EditSource(Protocol):
    """Proposes edits: a model, a script. Nothing that it says of an edit is evidence."""

    def propose(self, situation: Situation) -> ProposedEdit:
        """One edit, or why there is none."""
        ...


class StepKeeper(Protocol):
    """Where proposals and steps are kept."""

    def proposal(self, iteration: int) -> KeptProposal | None:
        """What was proposed in that iteration, where it is known."""
        ...

    def time_is_up(self) -> bool:
        """Whether no further iteration is to begin."""
        ...

    def keep_proposal(self, proposal: KeptProposal) -> None:
        """Keep what was proposed."""
        ...

    def keep_step(self, step: TuneStep, texts: Sequence[str]) -> None:
        """Keep a step, with the prompts before it, as it was tried, and after it."""
        ...


class InMemory:
    """Keeps nothing but what it is asked about."""

    def proposal(self, iteration: int) -> KeptProposal | None:
        """Nothing is known."""
        return None

    def time_is_up(self) -> bool:
        """There is no clock."""
        return False

    def keep_proposal(self, proposal: KeptProposal) -> None:
        """Let it go."""

    def keep_step(self, step: TuneStep, texts: Sequence[str]) -> None:
        """Let it go."""


class Tuning:
    """One campaign under way. ``text`` is the accepted prompt's file at any moment.

    Three prompts matter: the first one, the one that the last seal has passed, and the accepted one. A seal that fails
    goes back to the second, a campaign that is void to the first.
    """

    def __init__(
        self,
        plan: TunePlan,
        first: str,
        tasks: TaskText,
        attempts: Attempts,
        source: EditSource | None,
        keeper: StepKeeper,
    ) -> None:
        self.plan, self.first, self.text = plan, first, first
        self._tasks, self._attempts, self._source, self._keeper = tasks, attempts, source, keeper
        self._sealed_text, self._sealed_chain = first, tuple[tuple[int, PromptEdit], ...]()
        self._chain: tuple[tuple[int, PromptEdit], ...] = ()
        self._refused: set[str] = set()
        self._failed: tuple[tuple[PromptEdit, str], ...] = ()
        self._number = self._iteration = self._tests = self._in_a_row = self._openings = self._accepted = 0
        self._bold = False
        self._turn = 0
        self._sentinels: tuple[TuneTask, ...] = ()

    def steps(self) -> Iterator[TuneStep]:
        """The whole campaign, step by step; each step is kept before it is handed out."""
        self._sentinels = self._find_sentinels()
        reason = f"{self.plan.iterations} iterations are done"
        while self._iteration < self.plan.iterations:
            self._iteration += 1
            proposal = self._proposal()
            if proposal.ends:
                reason = proposal.reason
                break
            step = self._try(proposal)
            yield step
            if step.accepted and self._accepted % SEAL_EVERY == 0 and self._openings < MOST_OPENINGS - 1:
                yield self._seal()
            if self._in_a_row >= self.plan.plateau:
                if self._bold or self._source is None:
                    reason = f"a plateau: {self._in_a_row} edits in a row were rejected"
                    break
                self._bold, self._in_a_row = True, 0
                yield self._step("plateau", False, "a plateau: bolder edits are allowed from here on", self.text)
        if self._chain != self._sealed_chain:
            yield self._seal()
        if moved := self._moved_sentinels():
            before, self.text = self.text, self.first
            said = f"the answers have changed under the same name: sentinel tasks {', '.join(moved)}; nothing is kept"
            yield self._step("void", False, said, before)
        yield self._step("end", self.text != self.first, reason, self.text)

    def _proposal(self) -> KeptProposal:
        """What this iteration tries: as it is known, or made now. What it costs is the same either way."""
        known = self._keeper.proposal(self._iteration)
        made = known if known is not None and known.ends else self._made_proposal(known)
        if known is None:
            self._keeper.keep_proposal(made)
        self._attempts.spend(made.tokens, made.usd)
        return made

    def _made_proposal(self, known: KeptProposal | None) -> KeptProposal:
        number = self._iteration
        if known is None and (reason := self._ending()):
            return KeptProposal(PROPOSAL, number, None, reason, ends=True)
        deletion = self._next_deletion() if self.plan.deletions else None
        if self._source is None or (number % 2 == 0 and deletion is not None):
            self._turn += 1
            ends = deletion is None
            return known or KeptProposal(PROPOSAL, number, deletion, "every sentence was tried" if ends else "", ends)
        situation = self._situation()
        if known is not None:
            return known
        said = self._source.propose(situation)
        return KeptProposal(PROPOSAL, number, said.edit, said.reason, tokens=said.tokens, usd=said.usd)

    def _ending(self) -> str:
        """Why no further iteration may begin; empty where one may. Seals and sentinels are paid for in any case."""
        return self._attempts.exhausted or ("the time is up" if self._keeper.time_is_up() else "")

    def _next_deletion(self) -> PromptEdit | None:
        """The deletion of the next sentence, in rotation, that was not tried yet."""
        count = len(sentences(self._body))
        for offset in range(count):
            at = (self._turn + offset) % count + 1
            edit = PromptEdit("delete", at, why=ROTATION)
            if not self._breach(edit):
                return edit
        return None

    @property
    def _body(self) -> str:
        return read_part(self.text, self.plan.prompt).body

    def _breach(self, edit: PromptEdit) -> str:
        first = read_part(self.first, self.plan.prompt).body
        return find_breach(edit, self._body, first, self._tasks, self._refused, bold=self._bold)

    def _try(self, proposal: KeptProposal) -> TuneStep:
        edit = proposal.edit
        if edit is None or (breach := self._breach(edit)):
            self._in_a_row += 1
            reason = f"no edit: {proposal.reason}" if edit is None else f"guard: {breach}"
            self._failed += () if edit is None else ((edit, breach.partition(":")[0]),)  # no word of a task is told
            return self._step("edit", False, reason, self.text, edit=edit)
        part = read_part(self.text, self.plan.prompt)
        tried, before = part.with_body(apply_edit(part.body, edit)), self.text
        screened = self._screen(edit, tried)
        judged = self._test(edit, tried) if screened.accepted else None
        accepted = judged is not None and judged.accepted
        reason = (judged or screened).reason
        self._refused.add(normal_form(edit, part.body))  # also of what is accepted: a seal may take it back
        if accepted:
            self.text, self._chain = tried, (*self._chain, (self._number + 1, edit))
            self._accepted += 1
            self._in_a_row = 0
        else:
            self._in_a_row += 1
            self._failed += ((edit, NO_HELP),)
        return self._step("edit", accepted, reason, before, edit=edit, screened=screened, judged=judged, tried=tried)

    def _screen(self, edit: PromptEdit, tried: str) -> EditVerdict:
        to_gain, plan = edit.kind != "delete", self.plan
        best = plan.weights.solved
        scores = {task.id: self._attempts.mean(self.text, task.id, self._samples) for task in self._batch}
        tasks = [task for task in self._batch if (scores[task.id] < best if to_gain else scores[task.id] > 0)]
        self._rng("screen").shuffle(tasks)
        race = range(
            self.plan.samples, 2 * self.plan.samples
        )  # others than those which chose the tasks, by bad luck too
        return screen(self._attempts.pairs(self.text, tried, tasks, race), to_gain=to_gain)

    def _test(self, edit: PromptEdit, tried: str) -> EditVerdict:
        tasks = list(self.plan.of_share("select"))
        self._rng("order").shuffle(tasks)
        pairs = self._attempts.pairs(self.text, tried, tasks, self._samples)
        if edit.kind == "delete":
            return self._test_deletion(pairs, tried, tasks)
        self._tests += 1
        error = spent_error(self._tests, self.plan.error)

        def again() -> Iterator[TaskPair]:
            return self._attempts.pairs(self.text, tried, tasks, range(MORE * self.plan.samples))

        return judge_gain(pairs, again, len(tasks), error, self._rng("bounds"))

    def _test_deletion(self, pairs: Iterator[TaskPair], tried: str, tasks: Sequence[TuneTask]) -> EditVerdict:
        """Against the accepted prompt and against the first one, so that small losses do not add up."""
        judged = judge_deletion(pairs, self.plan.margin, self._rng("bounds"))
        if not judged.accepted or self.text == self.first:
            return judged
        whole = self._attempts.pairs(self.first, tried, tasks, self._samples)
        found = judge_deletion(whole, self.plan.margin, self._rng("bounds"))
        return judged if found.accepted else replace(found, reason=f"against the first prompt: {found.reason}")

    def _seal(self) -> TuneStep:
        self._openings += 1
        samples = range(self.plan.sealed_samples)
        pairs = self._attempts.pairs(self.first, self.text, self.plan.of_share("sealed"), samples)
        shorter = all(edit.kind == "delete" for _, edit in self._chain)
        judged = judge_sealed(pairs, self.plan.margin, self._rng("bounds"), shorter_only=shorter)
        before, said = self.text, "holds"
        if judged.accepted:
            self._sealed_text, self._sealed_chain = self.text, self._chain
        else:
            taken = self._chain[len(self._sealed_chain) :]
            self._failed += tuple((edit, NO_HELP) for _, edit in taken)
            self.text, self._chain = self._sealed_text, self._sealed_chain
            steps = ", ".join(str(number) for number, _ in taken)
            said = f"does not hold: every edit since the last seal is taken back for good (steps {steps})"
        reason = f"opening {self._openings} of {MOST_OPENINGS}: the chain {said}; {judged.reason}"
        return self._step("seal", judged.accepted, reason, before, judged=judged)

    def _find_sentinels(self) -> tuple[TuneTask, ...]:
        """Train tasks whose attempts under the first prompt all ended alike, solved ones first."""
        found = list[tuple[float, TuneTask]]()
        for task in self._batch:
            ends = self._ends(task, self._samples)
            if len(set(ends)) == 1:
                found.append((-ends[0], task))
        found.sort(key=lambda each: (each[0], each[1].id))
        solved, unsolved = found[: SENTINELS - SENTINELS // 2], found[::-1][: SENTINELS // 2]
        return tuple(dict.fromkeys(task for _, task in (*solved, *unsolved)))

    def _ends(self, task: TuneTask, samples: Sequence[int]) -> tuple[float, ...]:
        """What the ends of attempts with the first prompt are worth, whatever they cost."""
        outcomes = self._attempts.outcomes(self.first, task.id, samples)
        return tuple(outcome.worth(self.plan.weights) for outcome in outcomes)

    def _moved_sentinels(self) -> tuple[str, ...]:
        """The sentinels that end otherwise than at the beginning; none where they are too few to say anything."""
        fresh = range(FRESH_SAMPLE, FRESH_SAMPLE + SENTINEL_SAMPLES)
        far = abs(self.plan.weights.solved - self.plan.weights.none) / 2
        moved = tuple(
            task.id
            for task in self._sentinels
            if abs(fmean(self._ends(task, fresh)) - fmean(self._ends(task, self._samples))) > far
        )
        return moved if len(moved) >= max(LEAST_MOVED, MOVED_SHARE * len(self._sentinels)) else ()

    def _situation(self) -> Situation:
        weights, cases = self.plan.weights, list[tuple[float, ContrastCase]]()
        for task in self._batch:
            found = self._attempts.outcomes(self.text, task.id, self._samples)
            ordered = sorted(found, key=lambda one: -one.score(weights))
            gap = ordered[0].score(weights) - ordered[-1].score(weights)
            if gap or ordered[0].word != "solved":
                cases.append((-gap, ContrastCase(task.id, tuple(ordered))))
        cases.sort(key=lambda case: (case[0], case[1].task))
        return Situation(self._body, tuple(case for _, case in cases), self._failed, self._bold)

    @property
    def _batch(self) -> tuple[TuneTask, ...]:
        return self.plan.of_share("train")[:BATCH]

    @property
    def _samples(self) -> range:
        return range(self.plan.samples)

    def _rng(self, purpose: str) -> Random:
        return Random(f"{self.plan.seed} {self._number} {purpose}")

    def _step(
        self,
        kind: Literal["edit", "seal", "plateau", "void", "end"],
        accepted: bool,
        reason: str,
        before: str,
        *,
        edit: PromptEdit | None = None,
        screened: EditVerdict | None = None,
        judged: EditVerdict | None = None,
        tried: str | None = None,
    ) -> TuneStep:
        self._number += 1
        step = TuneStep(
            STEP,
            self._number,
            kind,
            accepted,
            reason,
            digest_of(before),
            digest_of(self.text),
            self._attempts.count,
            edit,
            screened,
            judged,
            self._attempts.tokens,
            round(self._attempts.usd, 6),
        )
        self._keeper.keep_step(step, (before, before if tried is None else tried, self.text))
        return step
