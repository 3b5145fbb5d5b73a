"""A language model as a proposer: it sees one function and may answer only with edits of that function.

What it answers is untrusted text. It is read strictly, and its parsing is tried in a process that may die of it. What
cannot be placed is told to the model once; then the thread is over. Nothing that the model says about its own change is
evidence for it. That another function is at fault it may say at any time, and that is looked into.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import ClassVar

from analysis.errors import ModelError
from analysis.facts import FunctionId, digest
from analysis.failure import describe_failure, stable_message
from analysis.malformed import is_stub
from repair.model.asking import TIME_IS_UP, HeldClient, ModelClient, Spent
from repair.model.backend import Message, ModelRequest, ReplyForm
from repair.model.conversation import (
    MOST_TURNS,
    End,
    NextRequest,
    NotThere,
    Over,
    Repeated,
    Sent,
    Stage,
    Unread,
    next_step,
)
from repair.model.feedback import answer_back, say_stress, show_doubted
from repair.model.kinds import first_kind, next_kind, say_kind, say_scope
from repair.model.ladder import LAST_WORDS, Ladder, ladder_of
from repair.model.numbered import NumberedFunction, number_function
from repair.model.packet import Neighbour, build_packet, relation_of, say_neighbour
from repair.model.patterns import is_unknown, kinds_of_failures, read_kind
from repair.model.prompt import quoted
from repair.model.prompt_files import packaged_prompts
from repair.model.read_reply import read_reply
from repair.model.refusal import validation_block
from repair.model.reply import Elsewhere, ModelReply, Unusable
from repair.model.router import Route
from repair.model.take_reply import ReplyRules, take_reply
from repair.model.talk import Talk, Turn, describe_end, kinds_that_worked, normal_form, what_models_did
from repair.model.where import are_close, find_named, offer
from repair.observe.parsing import ReadyParser
from repair.proposers.edits import text_of
from repair.records.events import Listener, event
from repair.records.ports import Context, Hold
from repair.records.result import Cost, ModelAttempt
from repair.records.task import PatchPlan, Pause, Strategist, Strategy, first_strategy
from transforms.tree.proposal import EditKind, Origin, Proposal

LONGEST_FUNCTION = 40_000
"""Bytes of a function that a model is asked about. What is shown of a long one is folded."""

MOST_EARLIER = 6
"""Attempts of earlier runs that a model is told of."""

LONGEST_TURN = 8_000
"""Characters of its own reply that a model is shown again."""


class ModelProposer:
    """Asks a model for edits, a few times for each function, within limits that hold for the whole run.

    ``eager`` is false: each attempt sees why the one before it failed. The stream ends without an error when a limit or
    the time is spent; ``stopped`` says which. It raises ``ModelError`` when the endpoint fails for good, or when the
    limits do not allow a single request. Asked again about the same function for the same tests, after a doubt of the
    judge, it goes on with the conversation.
    """

    name: ClassVar[str] = "model"
    eager: ClassVar[bool] = False

    def __init__(
        self,
        client: ModelClient,
        survives: Callable[[Sequence[str]], bool] | None = None,
        pause: Callable[[float], None] = lambda seconds: None,
        rules: ReplyRules | None = None,
        route: Route | None = None,
        form: ReplyForm | None = None,
        earlier: Mapping[str, Sequence[str]] | None = None,
        listen: Listener = lambda happened: None,
        neighbour: Neighbour = lambda plan, sources: "",
        strategist: Strategist = first_strategy,
    ) -> None:
        """With a ``form`` replies are asked for as JSON of its schema.

        ``earlier`` has what was tried in earlier runs for each test, a line each. ``listen`` hears of replies that come
        to no edit; of an edit the search tells. ``neighbour`` says which failure alike was mended before, and the
        ``strategist`` by which model and kind of edit such failures were.
        """
        self._client: ModelClient | HeldClient = client
        self._form = form
        self._earlier = earlier or {}
        self._neighbour = neighbour
        self._strategist = strategist
        self._listen = listen
        self._meter = client.meter
        self._survives = survives
        self._pause = pause
        self._rules = rules or ReplyRules()
        self._route = route or Route()
        self._talks: dict[tuple[str, FunctionId], Talk] = {}
        self._silenced: set[str] = set()
        self.stopped = ""

    def apart(self, hold: Hold) -> ModelProposer:
        """The same model, told of no earlier run; each question goes through ``hold``, which asks it and answers.

        The limits hold for both together, and what was asked is told of both.
        """
        other = copy.copy(self)
        other._client = HeldClient(self._client.ask, hold)
        other._earlier, other._neighbour, other._strategist = {}, lambda plan, sources: "", first_strategy
        return other

    @property
    def cost(self) -> Cost:
        """What was asked and used so far, over all functions."""
        return self._meter.cost

    @property
    def attempts(self) -> tuple[ModelAttempt, ...]:
        """All that was asked and answered so far, function by function."""
        talks = tuple(self._talks.items())  # its thread may go on
        return tuple(each for (_, function), talk in talks for each in talk.history(function))

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
        """Edits of the plan's function, one attempt after the other, or the name of another one."""
        if len(context.scope.text) > LONGEST_FUNCTION:
            self.stopped = f"the function has more than {LONGEST_FUNCTION} bytes"
            return
        strategy = context.errand(lambda: self._strategist(plan, context.sources))
        bug, ladder = bug_of(plan), context.errand(lambda: self._ladder(plan, context, strategy))
        tests = tuple(str(each.failure.test) for each in plan.diagnoses)
        failing, about = frozenset(tests), plan.diagnoses[0].failure_class
        seen = what_models_did(tuple(self._talks.values()), about)
        begins = self._route.begin(seen, f"{context.seed}/{bug}", strategy.models)
        talk = self._talks.setdefault((bug, plan.function), Talk(tests=tests, about=about, begins=begins))
        failure = stable_message(describe_failure(plan.diagnoses[0].failure))
        while True:
            talk.tried = context.attempts
            talk.hear(context.attempts(), plan.function)
            close = are_close(context.suspects, plan.function, context.denied())
            step = next_step(talk.rounds, ladder, failing, failure, is_close=close)
            if isinstance(step, Over):
                self.stopped = step.reason
                if step.silenced:
                    self._silenced.add(bug)
                elsewhere = talk.turns[-1].elsewhere if talk.turns else None
                if elsewhere is not None and isinstance(talk.rounds[-1].end, Sent):
                    yield Pause(said=step.reason, elsewhere=self._meant(elsewhere.place, context))
                return
            if bug in self._silenced:
                return
            made = self._take_turn(talk, step, plan, context)
            words, talk.words = talk.words, ()
            if isinstance(made, Proposal):
                yield made  # before anything that search makes of its words
            if words:
                yield Pause(words=words)
            if made is None:
                return

    def _ladder(self, plan: PatchPlan, context: Context, strategy: Strategy) -> Ladder:
        """The ladder for the first failure, within the limit of attempts that a user gave.

        It is shorter where models have mended such failures less often than others have.
        """
        nothing_there = is_stub(context.scope.text.decode(context.scope.encoding, "replace"))
        ladder, most = ladder_of(plan.diagnoses[0], is_stub=nothing_there), self._meter.limits.attempts
        attempts = ladder.attempts if most is None else min(most, ladder.attempts)
        share = min(1.0, strategy.share(self.name))
        return replace(ladder, attempts=max(min(1, attempts), round(attempts * share)))

    def _meant(self, place: str, context: Context) -> FunctionId | None:
        return next((s.function for s in context.suspects if place_of(s.function) == place), None)

    def _take_turn(self, talk: Talk, step: NextRequest, plan: PatchPlan, context: Context) -> Proposal | bool | None:
        """The edit that one request brings, or whether it was read at all; ``None`` when a limit is spent.

        The child that reads its texts first is made ready while the reply is awaited.
        """
        with ReadyParser() if self._survives is None else nullcontext(self._survives) as survives:
            return self._ask_and_read(talk, step, plan, context, survives)

    def _ask_and_read(
        self,
        talk: Talk,
        step: NextRequest,
        plan: PatchPlan,
        context: Context,
        survives: Callable[[Sequence[str]], bool],
    ) -> Proposal | bool | None:
        self._pause(min(step.pause, max(0.0, context.seconds_left())))
        asked = context.errand(lambda: self._messages(talk, step, plan, context))
        request = ModelRequest(
            asked,
            temperature=step.temperature,
            seed=context.seed,
            form=self._form,
            prompt=packaged_prompts().digest,
            bug=bug_of(plan),
            model=self._route.model_for(plan.diagnoses[0].failure_class, step.thread, talk.begins),
            purpose=purpose_of(plan, step),
        )
        answer = self._client.ask(request, context.seconds_left)
        if isinstance(answer, Spent):
            self.stopped = answer.reason
            if not self._meter.requests and self.stopped != TIME_IS_UP:
                raise ModelError(f"The model's budget is too small for one request: {self.stopped}")
            return None
        turn = Turn(step, asked, answer.text, model=request.model)
        return context.errand(lambda: self._read(talk, turn, answer, plan, context, survives))

    def _read(
        self,
        talk: Talk,
        turn: Turn,
        answer: ModelReply,
        plan: PatchPlan,
        context: Context,
        survives: Callable[[Sequence[str]], bool],
    ) -> Proposal | bool | None:
        """The edit that the answer brings, or whether it could be used at all; ``None`` where its turn is over."""
        if bug_of(plan) in self._silenced:
            return None  # what came about another function meanwhile was its last word
        reply = read_reply(answer)
        if self._is_unknown(talk, plan, context):
            talk.pattern = read_kind(reply.prose)
            turn = replace(turn, category=talk.pattern.name if talk.pattern is not None else "")
        if isinstance(reply, Unusable):
            unread = Unread(reply.kind, reply.reason)
            self._close(talk, replace(turn, why=reply.prose, reasoning=reply.reasoning), unread, plan)
            return False
        talk.words = reply.words
        kind = "+".join(edit.kind for edit in reply.edits)
        turn = replace(turn, kind=kind, why=reply.why or reply.prose, reasoning=reply.reasoning)
        if reply.elsewhere is not None:
            named = self._look_elsewhere(reply.elsewhere, plan, context)
            if isinstance(named, Sent):
                turn = replace(turn, elsewhere=named)
            if not reply.edits:
                self._close(talk, turn, named, plan)
                return True
        origin = Origin(self.name, kind, purpose_of(plan, turn.asked))
        numbered = number_function(context.scope)
        within = _within(turn.asked, plan, context, numbered) or None
        made = take_reply(reply, plan, context, numbered, origin, survives, self._rules, talk.least, within)
        if isinstance(made, Unusable):
            talk.least = next_kind(talk.least, made)
            self._close(talk, turn, Unread(made.kind, made.reason), plan)
            return False
        talk.least = EditKind.UPDATE
        turn = replace(turn, text=text_of(context.scope, made))
        before = talk.known.get(normal_form(turn.text))
        if before is not None:
            line = talk.lines()[before - 1]
            self._close(talk, turn, Repeated(f"it is the same change as in an earlier attempt: {line}"), plan)
            return True
        talk.propose(turn, len(context.attempts()))
        return made

    def _close(self, talk: Talk, turn: Turn, end: End, plan: PatchPlan) -> None:
        """The turn is over without an edit to try."""
        talk.close(turn, end)
        if isinstance(end, Unread) and end.kind in LAST_WORDS:
            self._silenced.add(bug_of(plan))
        state, reason = describe_end(end)
        where = {"file": plan.function.path, "function": plan.function.qualname, "origin": self.name}
        asked = {"operator": turn.kind, "purpose": purpose_of(plan, turn.asked)}
        text = {"text": turn.text} if turn.text else {}
        told = {"state": state, "reason": reason, "seen": "", "divergence": "", "broke": []}
        self._listen(event("attempt", **where, **asked, **text, **told))

    def _messages(self, talk: Talk, step: NextRequest, plan: PatchPlan, context: Context) -> tuple[Message, ...]:
        """A fresh packet with one line for each earlier attempt, or the thread with what came of its last reply."""
        offered = offer(context.suspects, plan.function, context.denied())
        if step.turn > 1:
            last = talk.turns[-1]
            told = answer_back(talk.rounds[-1].end, talk.last, step.stress, offered)
            due = (
                ""
                if talk.least is EditKind.UPDATE or step.stage is Stage.REGENERATE
                else say_kind(talk.least, talk.least)
            )
            told = "\n\n".join(filter(None, (told, due, self._say_pattern(talk) if step.turn == MOST_TURNS else "")))
            return (*last.messages, Message("assistant", last.reply[:LONGEST_TURN]), Message("user", told))
        numbered = number_function(context.scope)
        kind = ""
        if step.stage is not Stage.REGENERATE:
            known = self._strategist(plan, context.sources).kinds
            worked = [EditKind(kind) for kind, count in known.items() for _ in range(count)]
            worked += kinds_that_worked(tuple(self._talks.values()), talk.about)
            kind = say_kind(first_kind(plan, context.scope, self._rules.patch_lines, worked), talk.least)
        instead = () if step.stage is Stage.WHERE else offered  # there they are listed with their code
        more = (
            quoted("functions that may be at fault instead, the likeliest first", "\n".join(instead)),
            quoted("earlier attempts: send another change", "\n".join((*self._earlier_lines(talk), *talk.lines()))),
            kind,
            say_scope(_within(step, plan, context, numbered)),
            self._ask_kind() if self._is_unknown(talk, plan, context) else self._say_pattern(talk),
            show_doubted(talk.rounds[-1].end, talk.turns[-1].text) if talk.rounds else "",
            say_stress(step.stress),
            say_neighbour(self._neighbour(plan, context.sources)),
            packaged_prompts().text("reply/json") if self._form else "",
        )
        return build_packet(plan, context, numbered, step.stage, more=more).messages

    def _is_unknown(self, talk: Talk, plan: PatchPlan, context: Context) -> bool:
        """Whether the model is to say what kind of failure it is: no rule of ours knows, nor has it been asked."""
        return not talk.rounds and is_unknown(plan.diagnoses[0], relation_of(plan, context))

    def _ask_kind(self) -> str:
        return packaged_prompts().text("classify/task", kinds=", ".join(kinds_of_failures()))

    def _say_pattern(self, talk: Talk) -> str:
        """The pattern of failures that the model has named."""
        found = talk.pattern
        return (
            "" if found is None else f"{packaged_prompts().text('classify/told', kind=found.name)}\n{found.to_text()}"
        )

    def _earlier_lines(self, talk: Talk) -> tuple[str, ...]:
        """What earlier runs tried for these tests, a line each."""
        return tuple(dict.fromkeys(line for test in talk.tests for line in self._earlier.get(test, ())))[-MOST_EARLIER:]

    def _look_elsewhere(self, elsewhere: Elsewhere, plan: PatchPlan, context: Context) -> Sent | NotThere:
        found = find_named(elsewhere, context.suspects, plan.function, context.denied())
        name = f"{elsewhere.path}:{elsewhere.qualname}".strip(":")
        return NotThere(name, found) if isinstance(found, str) else Sent(place_of(found), elsewhere.reason)


def _within(step: NextRequest, plan: PatchPlan, context: Context, numbered: NumberedFunction) -> frozenset[str]:
    """The statements that alone may change, at first: where the failure comes from the function's validation."""
    if step.thread > 1 or step.stage is Stage.REGENERATE:
        return frozenset()
    return validation_block(plan, numbered, context.scope)


def place_of(function: FunctionId) -> str:
    """Where a function stands, as it is named to a model: ``shop/cart.py:Cart.total``."""
    return f"{function.path}:{function.qualname}"


def purpose_of(plan: PatchPlan, step: NextRequest) -> str:
    """What a request is for, in words: of one bug no two requests are for the same."""
    return f"{place_of(plan.function)}, {step.stage}, thread {step.thread}, turn {step.turn}"


def bug_of(plan: PatchPlan) -> str:
    """What requests are counted for: the failing tests of one cause."""
    return str(digest(*sorted(str(each.failure.test) for each in plan.diagnoses)))[:16]
