"""The model as a proposer: what it answers becomes an edit of the one function, or a failed attempt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from fakes.failing_function import MESSAGE, PATH, TEST, context_of, plan_of, scope_of

from analysis.errors import ModelError
from analysis.facts import FailureClass, FunctionId, Suspect, TestId
from repair.model.asking import ModelClient
from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest
from repair.model.conversation import Doubted, NextRequest, Passed, Repeated, Stress
from repair.model.feedback import say_stress
from repair.model.meter import Meter, ModelLimits, Prices
from repair.model.proposer import LONGEST_TURN, ModelProposer
from repair.model.reply import ModelReply, Unusable, UnusableKind
from repair.model.talk import Talk, Turn, kinds_that_worked
from repair.proposers.edits import text_of
from repair.records.task import Attempt, PatchPlan, Pause, Strategy, first_strategy
from transforms.tree.proposal import EditKind, Proposal
from transforms.tree.scope import EditScope

GUARD = {"kind": "update", "place": "", "old": "name.lower()", "text": "(name or '').lower()"}
WIDER = {"kind": "update", "place": "", "old": "times > 1", "text": "times >= 1"}


class Backend:
    """Gives the answers in order and keeps what it was asked."""

    def __init__(self, *answers: str | ModelReply | BackendFault) -> None:
        self.answers = [ModelReply(a, input_tokens=10, output_tokens=5) if isinstance(a, str) else a for a in answers]
        self.asked: list[Sequence[Message]] = []
        self.temperatures: list[float | None] = []

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        self.asked.append(request.messages)
        self.temperatures.append(request.temperature)
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


def test_an_edit_is_tried_before_anything_that_is_made_of_its_words() -> None:
    said = {**json.loads(answer(GUARD)), "words": ["name or ''", "lower"]}
    scope = scope_of()
    first, second = proposer(Backend(json.dumps(said)), attempts=1).propose(plan_of(scope), context_of(scope))
    assert isinstance(first, Proposal)
    assert isinstance(second, Pause)
    assert second.words == ("name or ''", "lower")


Came = Attempt | None


def drive(
    made: ModelProposer, *came: Came, suspects: tuple[Suspect, ...] = (), function: str = "Greeter.greet"
) -> Told:
    """What is proposed while these come of the proposals, one after another; the last of them for all further ones."""
    scope = scope_of(function)
    tried: list[Attempt] = []
    denied: list[FunctionId] = []
    context = replace(context_of(scope), attempts=lambda: tuple(tried), suspects=suspects, denied=lambda: tuple(denied))
    told = Told()
    for number, given in enumerate(made.propose(plan_of(scope), context)):
        if isinstance(given, Pause):
            told.sent.append(given.elsewhere)
            continue
        told.texts.append(text_of(scope, given))
        what = came[min(number, len(came) - 1)] if came else FAILS
        if what is not None:
            tried.append(replace(what, text=told.texts[-1], function=scope.function))
    return told


@dataclass
class Told:
    """What came of a conversation: the texts that were proposed, and the functions that were named instead."""

    texts: list[str] = field(default_factory=list)
    sent: list[FunctionId | None] = field(default_factory=list)


FAILS = Attempt("update", "", "failed", failing=(TEST,), seen=f"{TEST}: AssertionError: assert 'x' == 'hello '")
BREAKS = Attempt("update", "", "failed", broke=(TestId("t.py::test_unrelated"),), seen="t.py::test_unrelated: no")
SAME = replace(FAILS, seen=f"{TEST}: AttributeError: {MESSAGE} (at {PATH}:10)")
PASSES = Attempt("update", "", "it passes", state="passed")
DOUBTED = Attempt(
    "update", "", "passes", state="doubted", doubt="it answers a test's own value", question="What should f(7) give?"
)


def turns(number: int) -> str:
    """An answer that is another edit for each number."""
    return answer({**GUARD, "text": f"(name or '{'x' * number}').lower()"})


def test_a_failed_edit_comes_back_in_its_thread_with_what_its_test_says():
    backend = Backend(turns(1), turns(2))
    drive(proposer(backend, attempts=2), replace(FAILS, divergence="greet(None): returns 'x' with this change"))
    (first, second) = backend.asked
    assert second[: len(first)] == first, "the thread is gone on with"
    assert (second[-2].role, second[-2].text) == ("assistant", turns(1))
    assert "assert 'x' == 'hello '" in second[-1].text
    assert "greet(None): returns 'x'" in second[-1].text


def test_the_same_failure_is_told_more_plainly_and_what_broke_is_named():
    backend = Backend(turns(1), turns(2), turns(3), turns(4))
    drive(proposer(backend, attempts=4), SAME, BREAKS)
    assert say_stress(Stress.SAME_FAILURE) in backend.asked[1][-1].text
    assert say_stress(Stress.BROKE_OTHERS) in backend.asked[2][-1].text
    assert "breaks t.py::test_unrelated" in backend.asked[2][-1].text


def test_the_third_request_is_a_fresh_thread_that_has_one_line_for_each_attempt():
    backend = Backend(*map(turns, range(1, 6)))
    made = proposer(backend)
    assert len(drive(made, FAILS).texts) == 5
    third = backend.asked[2]
    assert [message.role for message in third] == ["system", "user"]
    assert "'xx'" not in third[-1].text, "no failed text is shown"
    assert "1. update (name may be None): tests/test_greet.py" in third[-1].text
    assert [each.stage for each in made.attempts] == ["first", "first", "later", "later", "regenerate"]
    assert [each.thread for each in made.attempts] == [1, 1, 2, 2, 3]
    assert backend.temperatures == [0.0, 0.0, 0.7, 0.7, 1.0]


def test_a_doubt_comes_back_as_its_question_and_the_better_answer_is_taken():
    backend = Backend(turns(1), turns(2))
    assert len(drive(proposer(backend), DOUBTED, PASSES).texts) == 2
    assert "it answers a test's own value" in backend.asked[1][-1].text
    assert "What should f(7) give?" in backend.asked[1][-1].text
    assert say_stress(Stress.DOUBTED) in backend.asked[1][-1].text


def test_a_conversation_goes_on_where_it_ended_when_a_doubt_is_heard_later():
    backend = Backend(turns(1), turns(2))
    made, scope = proposer(backend), scope_of()
    (first,) = made.propose(plan_of(scope), context_of(scope))
    doubted = replace(DOUBTED, text=text_of(scope, first), function=scope.function)
    (second,) = made.propose(plan_of(scope), context_of(scope, attempts=(doubted,)))
    assert "'xx'" in text_of(scope, second)
    assert [message.role for message in backend.asked[1]] == ["system", "user", "assistant", "user"]
    assert [(each.outcome, each.turn) for each in made.attempts] == [("doubted", 1), ("not tried", 2)]


def test_an_edit_that_nobody_tried_is_not_said_to_pass():
    """The search ended when the reply came: a proposal was made, and nothing was heard of it."""
    tried: list[Attempt] = []
    made, scope = proposer(Backend(turns(1))), scope_of()
    context = replace(context_of(scope), attempts=lambda: tuple(tried))
    proposed = made.propose(plan_of(scope), context)
    text = text_of(scope, next(proposed))
    assert [(each.outcome, bool(each.reason)) for each in made.attempts] == [("not tried", True)]
    tried.append(replace(PASSES, text=text, function=scope.function))
    assert [each.outcome for each in made.attempts] == ["passed"], "though the model was not asked again"
    assert list(proposed) == []
    assert made.stopped == "its last edit passes"


OTHER = Suspect(scope_of("other").function, 0.5, ("ran",))
OWN = Suspect(scope_of().function, 1.0, ("raised here",))


def elsewhere(name: str, path: str = PATH) -> str:
    said = {"path": path, "qualname": name, "reason": "it loses the sign"}
    return json.dumps({"why": "not here", "edits": [], "imports": [], "words": [], "elsewhere": said})


def test_another_function_may_be_named_at_any_time():
    backend = Backend(elsewhere("other"))
    made = proposer(backend)
    assert drive(made, suspects=(OWN, OTHER)).sent == [OTHER.function]
    assert len(backend.asked) == 1
    (attempt,) = made.attempts
    assert (attempt.outcome, attempt.reason) == ("elsewhere", "greet.py:other: it loses the sign")
    assert "greet.py:other" in backend.asked[0][-1].text, "it can be chosen from"


CLOSE_BY = replace(OTHER, suspiciousness=0.95)


def test_where_suspects_are_close_the_first_request_asks_which_and_for_the_edit_in_one():
    backend = Backend(answer(GUARD))
    made = proposer(backend)
    assert len(drive(made, PASSES, suspects=(OWN, CLOSE_BY)).texts) == 1
    (asked,) = backend.asked
    assert "Say first which one has to change" in asked[0].text
    assert "2. greet.py:other" in asked[1].text
    assert "   def other(name)" in asked[1].text, "with heads and lines, as they are to be told apart"
    assert [(each.stage, each.outcome) for each in made.attempts] == [("where", "passed")]


def test_where_the_wrong_one_comes_first_the_right_one_is_reached_with_one_request_more():
    backend = Backend(elsewhere("other"), answer(GUARD))
    made = proposer(backend)
    assert drive(made, suspects=(OWN, CLOSE_BY)).sent == [OTHER.function]
    scope = scope_of("other")
    context = replace(context_of(scope), suspects=(OWN, CLOSE_BY), denied=lambda: (OWN.function,))
    list(made.propose(plan_of(scope), context))
    assert [each.stage for each in made.attempts] == ["where", "first"], "who was sent there is not asked again"


@pytest.mark.parametrize("other", [OTHER, replace(OTHER, suspiciousness=0.89)])
def test_where_one_is_clearly_ahead_its_edit_alone_is_asked_for(other):
    backend = Backend(answer(GUARD))
    drive(proposer(backend), PASSES, suspects=(OWN, other))
    assert "Say first which one has to change" not in backend.asked[0][0].text


def odd_plan(scope: EditScope) -> PatchPlan:
    """A failure that no pattern fits: an exception of the project's own, without any values."""
    plan = plan_of(scope)
    (diagnosis,) = plan.diagnoses
    raised = diagnosis.failure.exceptions[0]
    odd = replace(raised, type_name="greet.OddError", bases=("greet.OddError", "Exception"), message="odd")
    failure = replace(diagnosis.failure, exceptions=(odd,), message="odd")
    return replace(plan, diagnoses=(replace(diagnosis, failure=failure, subclass="other"),))


def test_a_failure_that_no_rule_knows_is_classified_by_the_model_in_its_first_request():
    said = json.loads(turns(1)) | {"why": "KIND: none_used. The name may be None."}
    backend = Backend(json.dumps(said), turns(2), turns(3))
    made, scope, tried = proposer(backend, attempts=3), scope_of(), []
    context = replace(context_of(scope), attempts=lambda: tuple(tried))
    failed = (
        replace(FAILS, text=text_of(scope, p), function=p.function) for p in made.propose(odd_plan(scope), context)
    )
    tried.extend(failed)
    first, second, third = (asked[-1].text for asked in backend.asked)
    assert "Choose one word of: did_not_raise, other_exception" in first
    assert "Choose one word of" not in second + third
    assert "You called it none_used" in second
    assert "You called it none_used" in third, "a fresh thread handles it by the pattern, too"
    assert [each.category for each in made.attempts] == ["none_used", "", ""]
    assert made.attempts[0].explanation.startswith("KIND: none_used. The name may be None.")


def test_a_failure_that_a_pattern_fits_is_not_asked_about():
    backend = Backend(answer(GUARD))
    drive(proposer(backend), PASSES)
    assert "Choose one word of" not in backend.asked[0][-1].text


def test_what_is_none_of_the_list_changes_nothing():
    said = json.loads(turns(1)) | {"why": "KIND: gremlins"}
    backend, scope = Backend(json.dumps(said)), scope_of()
    made = proposer(backend, attempts=1)
    assert len(list(made.propose(odd_plan(scope), context_of(scope)))) == 1
    assert made.attempts[0].category == ""


def test_a_denied_pair_of_bug_and_function_is_never_asked_about_again():
    backend = Backend(elsewhere("other"), elsewhere("other"))
    made = proposer(backend)
    for _ in range(2):
        drive(made, suspects=(OWN, OTHER))
    assert len(backend.asked) == 1


def test_a_function_that_no_failing_test_runs_is_refused_and_the_model_is_told():
    backend = Backend(elsewhere("nowhere"), turns(1))
    assert len(drive(proposer(backend), PASSES, suspects=(OWN, OTHER)).texts) == 1
    assert "no failing test runs nowhere" in backend.asked[1][-1].text
    assert "greet.py:other" in backend.asked[1][-1].text


def test_an_edit_beside_another_name_is_tried_first():
    both = json.loads(turns(1)) | {"elsewhere": json.loads(elsewhere("other"))["elsewhere"]}
    backend = Backend(json.dumps(both))
    told = drive(proposer(backend), FAILS, suspects=(OWN, OTHER))
    assert (len(told.texts), told.sent) == (1, [OTHER.function])


def test_replies_that_are_hostile_end_the_model_s_turn_for_all_functions(monkeypatch):
    monkeypatch.setattr(
        "repair.model.proposer.read_reply", lambda answer: Unusable("it calls os._exit", UnusableKind.HOSTILE)
    )
    backend = Backend(turns(1), turns(2))
    made = proposer(backend)
    drive(made)
    drive(made, function="other")
    assert len(backend.asked) == 1


def test_a_reply_that_comes_after_a_hostile_one_about_another_function_is_not_read():
    hostile = rewrite("def other(name):\n    import os\n    os._exit(0)\n")

    class AtOnce(Backend):
        def complete(self, request, **given):
            if "Mend `Greeter.greet`" in request.messages[-1].text:
                drive(made, function="other")
            return super().complete(request, **given)

    backend = AtOnce(hostile, turns(1))
    made = proposer(backend)
    assert drive(made).texts == []
    assert len(backend.asked) == 2, "the second question was under way when the first was answered"
    assert [each.outcome for each in made.attempts] == ["hostile"]


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


MENDED = rewrite(
    """def greet(self, name, times=1):
    text = "hello " + (name or '').lower()
    if times > 1:
        text = text * times
    return text
"""
)


@pytest.mark.parametrize("bad", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_answer_is_told_once_and_may_be_mended(bad):
    scope = scope_of()
    backend = Backend(bad, MENDED)
    (proposal,) = proposer(backend, attempts=1).propose(plan_of(scope), context_of(scope))
    assert "(name or '')" in text_of(scope, proposal)
    assert "cannot be used" in backend.asked[1][-1].text


@pytest.mark.parametrize("bad", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_second_unusable_answer_leads_to_a_fresh_thread_that_has_a_line_for_each(bad):
    backend = Backend(bad, bad, MENDED)
    assert len(drive(proposer(backend), PASSES).texts) == 1
    third = backend.asked[2]
    assert [message.role for message in third] == ["system", "user"]
    assert "\n2. " in third[-1].text


def test_what_earlier_runs_tried_is_told_and_nothing_else_of_them():
    backend = Backend(turns(1))
    lines = {str(TEST): ("greet, update (it is too late): failed assert 1 == 2",), "t.py::test_x": ("another",)}
    made = ModelProposer(client(backend, attempts=1), lambda texts: True, earlier=lines)
    drive(made, PASSES)
    assert "it is too late" in backend.asked[0][-1].text
    assert "another\n" not in backend.asked[0][-1].text
    assert made.attempts[0].tests == (str(TEST),)


def test_of_an_endless_reply_the_model_sees_so_much_again():
    backend = Backend("no fence " * 5000, answer(GUARD))
    drive(proposer(backend), PASSES)
    assert len(backend.asked[1][-2].text) == LONGEST_TURN


def test_the_same_change_is_never_proposed_twice_and_the_model_is_told():
    same = answer({**GUARD, "text": "( name or '' ).lower()  # again"})
    backend = Backend(answer(GUARD), same, answer(WIDER))
    told = drive(proposer(backend, attempts=3), FAILS)
    assert len(told.texts) == 2
    assert "the same change as in an earlier attempt: 1. update" in backend.asked[2][-1].text


def test_hostile_text_does_not_end_the_engine():
    scope = scope_of()
    hostile = answer({**GUARD, "text": "not " * 14_000 + "name"})
    backend = Backend(*[hostile] * 9)
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


def edited(kind: str, place: str, old: str, text: str) -> str:
    return answer({"kind": kind, "place": place, "old": old, "text": text})


def test_a_place_that_is_not_found_makes_a_larger_kind_due_and_a_smaller_one_is_refused():
    backend = Backend(edited("update", "", "nothing", "1"), answer(GUARD), edited("patch", "s1", "", 'text = "hello"'))
    made = proposer(backend)
    assert len(drive(made, PASSES).texts) == 1
    assert [each.outcome for each in made.attempts] == ["missing target", "smaller kind", "passed"]
    assert "nothing smaller is taken now" not in backend.asked[0][-1].text
    assert "nothing smaller is taken now" in backend.asked[1][-1].text
    assert "nothing smaller is taken now" in backend.asked[2][-1].text


def test_a_reply_that_reaches_out_of_the_function_ends_the_turn_and_is_never_run():
    backend = Backend(edited("insert before", "s1", "", "import os\nos._exit(0)"), answer(GUARD))
    made = proposer(backend)
    assert drive(made).texts == []
    assert len(backend.asked) == 1
    assert "os._exit" in made.stopped


def test_the_kind_that_the_failure_suggests_is_told():
    backend = Backend(answer(GUARD))
    drive(proposer(backend), PASSES)
    assert "the failure suggests one update" in backend.asked[0][-1].text


def test_what_worked_before_is_suggested_next():
    done = Talk(about=FailureClass.LOGIC)
    for kind, end in (("insert after+update", Passed()), ("patch", Doubted("x")), ("rewrite", Repeated("y"))):
        done.close(Turn(NextRequest(), (), "", kind), end)
    other = Talk(about=FailureClass.CONTRACT)
    other.close(Turn(NextRequest(), (), "", "rewrite"), Passed())
    assert kinds_that_worked([done, other], FailureClass.LOGIC) == (EditKind.PATCH, EditKind.PATCH)


def asked_with(strategy: Strategy) -> tuple[str, int]:
    """What the model is asked first, and how often in all, where its edits mend nothing."""
    backend = Backend(*(turns(number) for number in range(20)))
    made = ModelProposer(client(backend), lambda texts: True, strategist=lambda plan, sources: strategy)
    drive(made, SAME)
    return backend.asked[0][-1].text, len(backend.asked)


def test_a_model_that_seldom_mended_such_failures_has_fewer_attempts_and_never_none():
    usual = asked_with(Strategy())
    assert usual == asked_with(Strategy({"model": 3.0})), "never more of them"
    assert usual[1] > asked_with(Strategy({"model": 0.5}))[1] > asked_with(Strategy({"model": 0.01}))[1] == 1


def test_the_kind_of_edit_that_mended_such_failures_before_is_asked_for_first():
    update, rewriting = (asked_with(Strategy(kinds={kind: 12}))[0] for kind in ("update", "rewrite"))
    assert update != rewriting
    assert asked_with(Strategy(kinds={"rewrite": 2}))[0] == asked_with(Strategy())[0]


def test_a_second_opinion_knows_no_earlier_run():
    made = ModelProposer(client(Backend()), strategist=lambda plan, sources: Strategy({"model": 0.25}))
    assert made.apart(lambda ask: ask())._strategist is first_strategy
