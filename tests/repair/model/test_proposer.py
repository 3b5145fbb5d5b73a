"""The model as a proposer: what it answers becomes an edit of the one function, or a failed attempt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from fakes.failing_function import context_of, plan_of, scope_of

from analysis.errors import ModelError
from repair.model.asking import ModelClient
from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest
from repair.model.meter import Meter, ModelLimits, Prices
from repair.model.proposer import ModelProposer
from repair.model.reply import ModelReply
from repair.proposers.edits import text_of
from repair.records.task import Attempt

GUARD = {"kind": "update", "place": "", "old": "name.lower()", "text": "(name or '').lower()"}
WIDER = {"kind": "update", "place": "", "old": "times > 1", "text": "times >= 1"}


class Backend:
    """Gives the answers in order and keeps what it was asked."""

    def __init__(self, *answers: str | ModelReply | BackendFault) -> None:
        self.answers = [ModelReply(a, input_tokens=10, output_tokens=5) if isinstance(a, str) else a for a in answers]
        self.asked: list[Sequence[Message]] = []

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        self.asked.append(request.messages)
        return self.answers.pop(0)


def answer(*edits: dict[str, str], imports: Sequence[str] = (), explanation: str = "name may be None") -> str:
    said = {"why": explanation, "edits": list(edits), "imports": list(imports), "words": [], "elsewhere": None}
    return json.dumps(said)


def rewrite(text: str) -> str:
    return answer({"kind": "rewrite", "place": "", "old": "", "text": text})


def client(backend: Backend, **limits: object) -> ModelClient:
    return ModelClient(backend, Meter(ModelLimits(**limits)), lambda _: None)


def proposer(backend: Backend, **limits: object) -> ModelProposer:
    return ModelProposer(client(backend, **limits), lambda texts: True)


def test_an_answer_becomes_a_proposal_for_the_one_function():
    scope = scope_of()
    made = proposer(Backend(answer(GUARD, imports=["import math"])), attempts=1)
    (proposal,) = made.propose(plan_of(scope), context_of(scope))
    assert proposal.function == scope.function
    assert proposal.explanation == "name may be None"
    assert proposal.imports == ("import math",)
    assert (proposal.origin.proposer, proposal.origin.operator) == ("model", "update")
    assert "(name or '').lower()" in text_of(scope, proposal)
    assert made.cost.requests == 1
    assert made.cost.input_tokens == 10


def test_each_attempt_sees_why_the_ones_before_it_failed():
    scope = scope_of()
    backend = Backend(answer(GUARD), answer(WIDER))
    tried: list[Attempt] = []
    context = context_of(scope)

    stream = proposer(backend, attempts=2).propose(plan_of(scope), replace(context, attempts=lambda: tuple(tried)))
    next(stream)
    tried.append(Attempt("model:update", "def greet ...", "failed test_unrelated: 'HELLO' != 'hello'"))
    assert len(list(stream)) == 1
    assert "failed test_unrelated" not in backend.asked[0][1].text
    assert "failed test_unrelated" in backend.asked[1][1].text


UNUSABLE = {
    "empty": "",
    "prose": "Add a guard.",
    "cut off": ModelReply(answer(GUARD), "length"),
    "refused": ModelReply("", refusal="I can't help"),
    "two functions": rewrite("def greet(self, name, times=1):\n    pass\n\ndef helper():\n    pass\n"),
    "other function": rewrite("def other(name):\n    return ''\n"),
    "a class": rewrite("class Greeter:\n    def greet(self, name, times=1):\n        return ''\n"),
    "no python": rewrite("def greet(self, name, times=1:\n    pass"),
    "target absent": answer({**GUARD, "old": "name.upper()"}),
    "target twice": answer({**GUARD, "old": "times"}),
    "target outside the function": answer({**GUARD, "old": "import os"}),
    "no change": answer({**GUARD, "text": "name.lower()"}),
    "overlapping": answer(GUARD, {**GUARD, "old": '"hello " + name.lower()', "text": "''"}),
    "an import that is none": answer(GUARD, imports=["import os; os.remove('x')"]),
    "a star import": answer(GUARD, imports=["from os import *"]),
}


@pytest.mark.parametrize("bad", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_answer_is_told_once_and_may_be_mended(bad):
    scope = scope_of()
    backend = Backend(bad, answer(GUARD))
    (proposal,) = proposer(backend, attempts=1).propose(plan_of(scope), context_of(scope))
    assert "(name or '')" in text_of(scope, proposal)
    assert "cannot be used" in backend.asked[1][-1].text


@pytest.mark.parametrize("bad", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_second_unusable_answer_is_a_failed_attempt(bad):
    scope = scope_of()
    backend = Backend(bad, bad, answer(GUARD))
    found = list(proposer(backend, attempts=2).propose(plan_of(scope), context_of(scope)))
    assert len(found) == 1
    assert len(backend.asked) == 3
    assert "model, attempt 1" in backend.asked[2][1].text


def test_the_same_change_is_never_proposed_twice():
    scope = scope_of()
    same = answer({**GUARD, "text": "( name or '' ).lower()"})
    backend = Backend(answer(GUARD), answer(GUARD), same, answer(WIDER))
    found = list(proposer(backend, attempts=3).propose(plan_of(scope), context_of(scope)))
    assert len(found) >= 2
    assert any("same change" in turns[-1].text for turns in backend.asked)


def test_hostile_text_does_not_end_the_engine():
    scope = scope_of()
    hostile = answer({**GUARD, "text": "not " * 14_000 + "name"})
    backend = Backend(hostile, hostile)
    made = ModelProposer(client(backend, attempts=1))
    assert list(made.propose(plan_of(scope), context_of(scope))) == []
    assert "nested too deeply" in backend.asked[1][-1].text


def test_requests_are_limited_over_all_functions():
    first, second = scope_of(), scope_of("other")
    backend = Backend(*[""] * 10)
    made = proposer(backend, attempts=3, requests=4)
    assert list(made.propose(plan_of(first), context_of(first))) == []
    assert list(made.propose(plan_of(second), context_of(second))) == []
    assert len(backend.asked) == 4
    assert "4 requests" in made.stopped


def test_a_function_that_is_too_long_is_not_cut():
    body = b"".join(b"    x = %d\n" % n for n in range(5000))
    scope = scope_of("long", b"def long():\n" + body)
    made = proposer(Backend())
    assert list(made.propose(plan_of(scope), context_of(scope))) == []
    assert "more than 40000 bytes" in made.stopped


def test_the_stream_ends_when_the_time_is_up():
    scope = scope_of()
    made = proposer(Backend())
    assert list(made.propose(plan_of(scope), context_of(scope, seconds=0))) == []
    assert made.stopped == "the time is up"


def test_a_budget_that_allows_nothing_is_an_error():
    scope = scope_of()
    made = proposer(Backend(), usd=0.0001, prices=Prices(5.0, 15.0))
    with pytest.raises(ModelError, match="too small") as raised:
        list(made.propose(plan_of(scope), context_of(scope)))
    assert raised.value.exit_code == 4


def test_a_lasting_fault_reaches_the_caller():
    scope = scope_of()
    made = proposer(Backend(BackendFault(FaultKind.AUTHENTICATION, "HTTP 401")))
    with pytest.raises(ModelError, match="401"):
        list(made.propose(plan_of(scope), context_of(scope)))
    assert made.cost.requests == 1


def test_a_function_that_is_too_long_is_not_sent():
    scope = scope_of("long", b"def long():\n" + b"    x = 1\n" * 5000)
    backend = Backend()
    assert list(proposer(backend).propose(plan_of(scope), context_of(scope))) == []
    assert backend.asked == []
