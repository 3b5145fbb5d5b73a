"""What is recorded of questions to a model: read again as it was, and replayed without anybody being asked."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fakes.failing_function import plan_of, scope_of

from analysis.errors import ModelError, UsageError
from repair.model.asking import Exchange, ModelClient, Spent, Try
from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest, ReplyForm
from repair.model.exchanges import (
    MemoryTold,
    RecordedReplies,
    exchange_json,
    exchange_of,
    keep_exchange,
    read_exchanges,
)
from repair.model.meter import Meter, ModelLimits
from repair.model.reply import ModelReply
from repair.records.task import Strategy
from repair.store.stored_run import Seals, StoredRun

KEY = "sk-canary-6f1c0d7e42"
TURNS = (Message("system", "rules"), Message("user", "mend\r\n this \ud800 ä"))
REQUEST = ModelRequest(TURNS, 0.5, 7, ReplyForm("edit", {"type": "object"}), "ab12", "bug", "f, attempt 1")
DOWN = BackendFault(FaultKind.RATE, "slow down", 2.5, billed=True)
REPLY = ModelReply("text \ud800\n", "stop", "", 7, 5, "hm", ("seed",))
EXCHANGE = Exchange(3, REQUEST, (Try(DOWN, 0.5), Try(REPLY, 1.25)))


@pytest.fixture
def run(tmp_path):
    return StoredRun("20250101-000000-aa", tmp_path, Seals(b"key"))


def test_a_question_is_read_again_byte_for_byte(run):
    keep_exchange(run, EXCHANGE, {"model": "m"}, [])
    (values,) = read_exchanges(run)
    assert values["model"] == "m"
    assert exchange_of(values) == EXCHANGE


def test_questions_come_in_their_order(run):
    for number in (11, 2, 10_000):
        keep_exchange(run, replace(EXCHANGE, number=number), {}, [])
    assert [values["number"] for values in read_exchanges(run)] == [2, 11, 10_000]


def test_secrets_are_in_no_record(run):
    asked = replace(REQUEST, messages=(Message("user", f"a {KEY}"),), purpose=KEY, form=ReplyForm("f", {KEY: [KEY]}))
    said = replace(REPLY, text=KEY, refusal=KEY, reasoning=KEY, finish=KEY)
    keep_exchange(run, Exchange(1, asked, (Try(replace(DOWN, detail=KEY), 0.0), Try(said, 0.0)), KEY), {}, [KEY])
    written = (run.path / "model-0001.json").read_text("utf-8").replace(f'"{KEY}":', "")
    assert KEY not in written
    assert "[key]" in written


def test_what_was_changed_by_hand_is_not_read(run):
    keep_exchange(run, EXCHANGE, {}, [])
    run.save_json("run.json", {})
    path = run.path / "model-0003.json"
    path.write_text(path.read_text().replace("slow down", "hurry"))
    with pytest.raises(UsageError, match="changed after it was written"):
        read_exchanges(run)


@pytest.mark.parametrize(
    "change", [{"messages": 3}, {"tries": [{"fault": {"kind": "none such"}}]}, {"number": "x"}, {"form": 4}], ids=str
)
def test_what_is_no_question_is_refused(change):
    with pytest.raises(UsageError, match="cannot be read"):
        exchange_of({**exchange_json(EXCHANGE), **change})


def replaying(*exchanges):
    replies = RecordedReplies(exchanges)
    noted = []
    return replies, noted, ModelClient(replies, Meter(ModelLimits()), lambda _: None, noted.append)


def test_faults_and_replies_come_again_as_they_were():
    lasting = Exchange(4, replace(REQUEST, purpose="g"), (Try(BackendFault(FaultKind.QUOTA, "pay"), 0.0),))
    replies, noted, client = replaying(EXCHANGE, lasting)
    assert client.ask(REQUEST, lambda: 60.0) == REPLY
    with pytest.raises(ModelError, match="quota"):
        client.ask(lasting.request, lambda: 60.0)
    assert (replies.same, replies.other, replies.unknown) == (2, 0, 0)
    again = [exchange_json(each)["tries"] for each in (noted[2], noted[-1])]
    assert [[{**t, "seconds": 0} for t in tries] for tries in again] == [
        [{**t, "seconds": 0} for t in exchange_json(each)["tries"]] for each in (EXCHANGE, lasting)
    ]
    assert json.dumps(again)


def test_another_prompt_for_the_same_purpose_gets_the_reply_and_is_counted():
    replies, _, client = replaying(EXCHANGE)
    assert client.ask(replace(REQUEST, messages=TURNS[:1]), lambda: 60.0) == REPLY
    assert (replies.same, replies.other) == (0, 1)
    assert replies.parted.startswith("f, attempt 1: messages is [")


def test_the_first_place_where_a_question_is_another_one_is_named():
    replies, _, client = replaying(EXCHANGE)
    first, *others = TURNS
    client.ask(replace(REQUEST, messages=(replace(first, text=f"{first.text}!"), *others)), lambda: 60.0)
    assert replies.parted.startswith("f, attempt 1: messages[0].text differs at byte ")


class Behind:
    """A backend that counts what it is asked."""

    def __init__(self):
        self.asked = []

    def complete(self, request, *, seconds, most_tokens):
        self.asked.append(request.purpose)
        return REPLY


def test_a_run_that_goes_on_takes_replies_alone_and_asks_what_is_new():
    unanswered = Exchange(4, replace(REQUEST, purpose="g"), (Try(BackendFault(FaultKind.QUOTA, "pay"), 0.0),))
    replies, behind = RecordedReplies((EXCHANGE, unanswered), goes_on=True), Behind()
    replies.behind = behind
    client = ModelClient(replies, Meter(ModelLimits()), lambda _: None, lambda _: None)
    for purpose in (REQUEST.purpose, "g", REQUEST.purpose):
        assert client.ask(replace(REQUEST, purpose=purpose), lambda: 60.0) == REPLY
    assert behind.asked == ["g", REQUEST.purpose]
    assert (replies.same, replies.other, replies.unknown) == (1, 0, 2)


def test_what_was_not_asked_then_has_no_reply():
    replies, _, client = replaying(EXCHANGE)
    with pytest.raises(ModelError, match="this was not asked then: another"):
        client.ask(replace(REQUEST, purpose="another"), lambda: 60.0)
    assert replies.unknown == 1


def test_limits_hold_in_a_replay_too():
    _, _, client = replaying(EXCHANGE)
    client.meter = Meter(ModelLimits(requests=0))
    assert isinstance(client.ask(REQUEST, lambda: 60.0), Spent)


def test_a_replay_takes_what_the_memory_said_then():
    told = {"Greeter.greet": MemoryTold("a failure alike", Strategy({"model": 0.5}, {"patch": 12}))}
    plan = plan_of(scope_of())
    assert RecordedReplies((), told=told).neighbour(plan, ()) == "a failure alike"
    assert RecordedReplies((), told=told).strategy(plan, ()).kinds == {"patch": 12}
    assert RecordedReplies(()).strategy(plan, ()) == Strategy()
