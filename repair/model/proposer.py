"""A language model as a proposer: it sees one function and may answer only with edits of that function.

What it answers is untrusted text. It is read strictly, and its parsing is tried in a process that may die of it. What
cannot be placed is told to the model once; then the attempt counts as failed. Nothing that the model says about its own
change is evidence for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from analysis.errors import ModelError
from analysis.facts import digest
from repair.model.asking import TIME_IS_UP, ModelClient, Spent
from repair.model.backend import Message, ModelRequest
from repair.model.numbered import number_function
from repair.model.place_reply import place_reply
from repair.model.prompt import ask_again, messages
from repair.model.read_reply import read_reply
from repair.model.reply import ModelReply, Unusable, UnusableKind
from repair.observe.parsing import survives_parsing
from repair.proposers.edits import text_of
from repair.records.ports import Context
from repair.records.result import Cost
from repair.records.task import Attempt, PatchPlan
from transforms.tree.proposal import Origin, Proposal

LONGEST_FUNCTION = 40_000
"""Bytes of a function that are shown to a model: it is never cut."""


class ModelProposer:
    """Asks a backend for edits, a few times for each function, within limits that hold for the whole run.

    ``eager`` is false: each attempt sees why the one before it failed. The stream ends without an error when a limit or
    the time is spent; ``stopped`` says which. It raises ``ModelError`` when the endpoint fails for good, or when the
    limits do not allow a single request.
    """

    name: ClassVar[str] = "model"
    eager: ClassVar[bool] = False

    def __init__(
        self,
        client: ModelClient,
        survives: Callable[[Sequence[str]], bool] = survives_parsing,
    ) -> None:
        self._client = client
        self._meter = client.meter
        self._survives = survives
        self.stopped = ""

    @property
    def cost(self) -> Cost:
        """What was asked and used so far, over all functions."""
        return self._meter.cost

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal]:
        """Edits of the plan's function, one attempt after the other."""
        if len(context.scope.text) > LONGEST_FUNCTION:
            self.stopped = f"the function has more than {LONGEST_FUNCTION} bytes"
            return
        failed: list[Attempt] = []
        known: set[str] = set()
        for number in range(1, self._meter.limits.attempts + 1):
            asked = messages(plan, context, (*failed, *context.attempts()))
            made = self._attempt(asked, plan, context, number, known)
            if made is None:
                return
            if isinstance(made, Attempt):
                failed.append(made)
                continue
            known.add(text_of(context.scope, made))
            yield made

    def _attempt(
        self, asked: Sequence[Message], plan: PatchPlan, context: Context, number: int, known: set[str]
    ) -> Proposal | Attempt | None:
        """One attempt with one chance to mend an answer that cannot be used; ``None`` when a limit is spent."""
        label = f"model, attempt {number}"
        failed: Attempt | None = None
        for turn in (1, 2):
            request = ModelRequest(
                tuple(asked),
                seed=context.seed,
                bug=bug_of(plan),
                purpose=f"{plan.function.path}:{plan.function.qualname}, attempt {number}, turn {turn}",
            )
            completion = self._client.ask(request, context.seconds_left)
            if isinstance(completion, Spent):
                self.stopped = completion.reason
                if not self._meter.requests and self.stopped != TIME_IS_UP:
                    raise ModelError(f"The model's budget is too small for one request: {self.stopped}")
                return failed
            made = self._read(completion, context, number, known)
            if isinstance(made, Proposal):
                return made
            failed = Attempt(label, completion.text[:2000], made.reason)
            asked = ask_again(asked, completion.text, made.reason)
        return failed

    def _read(self, completion: ModelReply, context: Context, number: int, known: set[str]) -> Proposal | Unusable:
        reply = read_reply(completion)
        if isinstance(reply, Unusable):
            return reply
        origin = Origin(self.name, "+".join(e.kind for e in reply.edits), f"attempt {number}")
        made = place_reply(context.scope, number_function(context.scope), reply, origin, self._survives)
        if isinstance(made, Unusable):
            return made
        if text_of(context.scope, made) in known:
            return Unusable("it is the same change as in an earlier attempt", UnusableKind.REPEATED)
        return made


def bug_of(plan: PatchPlan) -> str:
    """What requests are counted for: the failing tests of one cause."""
    return str(digest(*sorted(str(each.failure.test) for each in plan.diagnoses)))[:16]
