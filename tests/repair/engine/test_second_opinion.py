"""A second opinion: a model that does not see the patch mends the old function, and the two are compared."""

from __future__ import annotations

import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes.engines import all_gates, engine_of
from fakes.toy import ToySandbox

from analysis.errors import OutOfTimeError
from analysis.facts import FunctionId, TestId
from repair.engine.checking import Checker
from repair.engine.choosing import RivalsOfChange
from repair.engine.second_opinion import LATE, NO_FAILURE, OpinionUnderWay, SecondOpinions
from repair.model.asking import ModelClient
from repair.model.backend import BackendFault, FaultKind
from repair.model.meter import Meter, ModelLimits
from repair.model.proposer import ModelProposer
from repair.model.reply import ModelReply
from repair.observe.observation import Observation, ObservationState
from repair.records.change import Change, program_layer
from repair.records.ports import SecondOpinion
from repair.records.result import Status
from repair.trials.layered import LayeredSandbox
from sandbox.deadline import Deadline

SHOP = b'''"""A shop."""


def price(count):
    """Three for each."""
    return count + 3


def label(text):
    return text.strip()
'''
TESTS = b"""from shop import label, price


def test_price():
    assert price(3) == 9


def test_prices():
    assert price(5) == 15


def test_label():
    assert label(" a ") == "a"
"""
BEFORE = {"shop.py": SHOP, "test_shop.py": TESTS}
RIGHT = SHOP.replace(b"count + 3", b"count * 3")
CANARY = b"canary_51d0a7"
HALF = SHOP.replace(
    b"return count + 3", b"canary_51d0a7 = count * 3\n    return canary_51d0a7 if count > 2 else count + 3"
)


def reply(text: str) -> str:
    return f"WHY: three for each\n```python update `count + 3`\n{text}\n```\nEND"


class Backend:
    """Gives these answers in order, the last one for ever, and keeps what it was asked."""

    def __init__(self, *answers: str | BackendFault, gate: threading.Event | None = None) -> None:
        self.answers, self.gate, self.asked = list(answers), gate, list[str]()

    def complete(self, request, *, seconds, most_tokens):
        self.asked.append("\n".join(message.text for message in request.messages))
        if self.gate is not None:
            self.gate.wait(20)
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return said if isinstance(said, BackendFault) else ModelReply(said, input_tokens=10, output_tokens=5)


def checked(backend, after, before=BEFORE, heard=None, earlier=None):
    """What a check of the change says with this model; nothing is left open."""
    files = {"shop.py": after}
    change = Change(tuple((p, before[p]) for p in files), tuple(files.items()))
    toy = ToySandbox(tuple(sorted(before.items())))
    sandbox = LayeredSandbox(toy, program_layer(change))
    client = ModelClient(backend, Meter(ModelLimits(requests=2)), lambda _: None)
    model = ModelProposer(client, lambda texts: True, earlier=earlier)
    engine = engine_of(sandbox, (model,), all_gates(sandbox))
    if heard is not None:
        engine = replace(engine, judging=replace(engine.judging, listen=heard.append))
    ending = Checker(engine, change, find_rivals=lambda *_: RivalsOfChange()).check((), 0)
    assert toy.open == 0
    return ending


def told(ending) -> dict[str, str]:
    every = [pair for judged in ending.judged for e in judged.verdict.evidence for pair in e.measurements]
    return {name: value for name, value in every if name in ("second_word", "second_opinion")}


def question(ending) -> str:
    return next((e.question for e in ending.judged[0].verdict.evidence if e.question), "")


def test_where_the_model_mends_otherwise_that_is_the_question():
    backend = Backend(reply("count * 3"))
    ending = checked(backend, HALF)
    assert told(ending)["second_word"] == "differs"
    assert question(ending).endswith("(a model's own fix)?"), ending
    assert "(this patch)" in question(ending)
    assert ending.status is Status.PLAUSIBLE
    assert len(backend.asked) == 1


def test_where_it_mends_alike_that_is_one_sentence_and_certifies_nothing():
    alone = checked(Backend("no reply that can be used"), RIGHT)
    ending = checked(Backend(reply("3 * count")), RIGHT)
    assert told(ending)["second_word"] == "agrees"
    assert told(ending)["second_opinion"].startswith("a model that did not see the patch mends it alike on ")
    risks = [each.judged[0].verdict.risk.value for each in (alone, ending)]
    assert risks[0] == risks[1], "that it agrees weighs nothing"


def test_the_very_text_of_the_patch_agrees():
    assert told(checked(Backend(reply("count * 3")), RIGHT))["second_word"] == "agrees"


def test_nothing_of_the_patch_is_told_to_the_model():
    """Nor what earlier runs tried, since the patch may be of one of them."""
    backend = Backend("no reply that can be used")
    earlier = {f"test_shop.py::{name}": ["an edit with canary_51d0a7"] for name in ("test_price", "test_prices")}
    checked(backend, HALF, earlier=earlier)
    assert len(backend.asked) == 2
    assert all("return count + 3" in asked for asked in backend.asked)
    assert not any(CANARY.decode() in asked for asked in backend.asked)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (reply("count * 4"), "repeated"),
        ("", "empty"),
        (reply("count * 3").removesuffix("END"), "cut"),
        ("WHY: no.\nEND", "no edit"),
        (BackendFault(FaultKind.AUTHENTICATION, "HTTP 401"), "401"),
    ],
    ids=["fails the tests", "empty", "cut", "no edit", "no key"],
)
def test_a_reply_of_no_use_is_one_sentence_and_the_verdict_is_given_without_it(answer, said):
    ending = checked(Backend(answer), RIGHT)
    assert told(ending)["second_word"] == "none"
    assert told(ending)["second_opinion"].startswith("no second opinion: ")
    assert said in told(ending)["second_opinion"]
    assert ending.judged[0].verdict.risk == checked(Backend(""), RIGHT).judged[0].verdict.risk


def test_that_another_function_is_at_fault_is_a_doubt_in_words():
    other = SHOP.replace(b"def label", b"def each():\n    return 3\n\n\ndef label").replace(
        b"count + 3", b"count + each()"
    )
    after = other.replace(b"count + each()", b"count * 3")
    elsewhere = "WHY: it is there.\nELSEWHERE: shop.py:each because it gives the wrong number.\nEND"
    ending = checked(Backend(elsewhere, "no reply"), after, {**BEFORE, "shop.py": other})
    assert told(ending)["second_word"] == "elsewhere"
    doubts = [d for e in ending.judged[0].verdict.evidence for d in e.doubts if d.feature == "fault_elsewhere"]
    assert len(doubts) == 1
    assert "shop.py:each" in doubts[0].claim
    assert ending.status is Status.PLAUSIBLE


def test_without_a_failing_test_nobody_is_asked_and_that_is_said():
    backend = Backend(reply("count * 3"))
    before = {**BEFORE, "shop.py": RIGHT}
    ending = checked(backend, RIGHT.replace(b"count * 3", b"3 * count"), before)
    assert backend.asked == []
    assert f"no second opinion: {NO_FAILURE}" in ending.warnings


def test_the_question_is_sent_before_the_first_gate_is_asked():
    heard = []

    class Early(Backend):
        def complete(self, request, **given):
            assert not any(each.type == "evidence" for each in heard)
            return super().complete(request, **given)

    assert told(checked(Early(reply("count * 3")), RIGHT, heard=heard))["second_word"] == "agrees"
    assert any(each.type == "evidence" for each in heard)


def test_a_rejected_patch_waits_for_no_reply():
    never = threading.Event()
    backend = Backend(reply("count * 3"), gate=never)
    broken = RIGHT.replace(b"text.strip()", b"text")
    try:
        ending = checked(backend, broken)
    finally:
        never.set()
    assert ending.status is Status.REJECTED
    assert len(backend.asked) == 1


def clock_at(*times: float):
    left = list(times)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def test_what_comes_too_late_is_not_waited_for():
    ended = threading.Event()
    under_way = OpinionUnderWay(0.0, clock_at(0.0, 100.0))

    def work():
        under_way.hold(lambda: "sent")
        ended.wait(20)
        return SecondOpinion(elsewhere="never read")

    under_way.begin(work, 20.0)
    assert under_way.wait() == SecondOpinion(silence=LATE)
    ended.set()
    under_way.drop()
    assert under_way.is_contradicted()


def test_an_answer_that_nobody_waits_for_is_not_read():
    under_way = OpinionUnderWay(60.0, lambda: 0.0)
    read = []

    def work():
        read.append(under_way.hold(lambda: "an answer"))
        return SecondOpinion()

    under_way.begin(work, 20.0)
    assert read == [], "it is held until somebody waits for the opinion"
    under_way.drop()
    under_way.close(20.0)
    assert read == []
    assert under_way.wait().silence == LATE


@pytest.mark.parametrize("problem", [ValueError("a defect"), OutOfTimeError("late")])
def test_what_fails_in_the_thread_costs_the_second_opinion_alone(problem):
    under_way = OpinionUnderWay(60.0, lambda: 0.0)

    def work():
        raise problem

    under_way.begin(work, 20.0)
    assert under_way.wait().silence


def test_a_question_that_is_not_ready_in_time_is_waited_for_no_longer_and_not_sent():
    """Else the gates would wait for the most of the time of the command."""
    ready, sent = threading.Event(), []
    under_way = OpinionUnderWay(600.0, lambda: 0.0)

    def work():
        ready.wait(20)
        return under_way.hold(lambda: sent.append("a question"))

    under_way.begin(work, 0.05)
    assert under_way.wait() == SecondOpinion(silence=LATE)
    ready.set()
    under_way.close(20.0)
    assert sent == []


class Slow:
    """An opinion that is told to end and does not, until it is waited for longer than there may be time."""

    def __init__(self, heard):
        self.heard, self.clock = heard, None

    def wait(self):
        return SecondOpinion(silence=LATE)

    def drop(self):
        self.heard.append("told to end")

    def close(self, seconds):
        self.heard.append("waited for" if seconds > 0 else "left alone")
        self.clock.now += max(0.0, seconds)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


FAILING = TestId("test_shop.py::test_price")


def asking(opinions, failing=(FAILING,), names=("a", "b", "c")):
    seen = SimpleNamespace(baseline=SimpleNamespace(failing=failing))
    return opinions.of({FunctionId("shop.py", name, 1): seen for name in names})


def opinions_of(ask, seconds, clock):
    deadline = Deadline(clock)
    deadline.end_at(seconds)
    return SecondOpinions(ask, SimpleNamespace(clock=clock), (), deadline)


@pytest.mark.parametrize(
    ("passed", "left", "heard"), [(10.0, 3.0, 1), (98.5, 1.5, 1), (100.0, 0.0, 0), (101.0, 0.0, 0)]
)
def test_all_that_are_late_share_one_wait_which_ends_with_the_command(passed, left, heard):
    clock, told = Clock(), []

    def ask(*_):
        made = Slow(told)
        made.clock = clock
        return made

    with opinions_of(ask, 100.0, clock) as opinions:
        asking(opinions)
        clock.now = passed
    assert clock.now == passed + left
    assert told == ["told to end"] * 3 + ["waited for"] * heard + ["left alone"] * (3 - heard)


def test_all_share_one_time_in_which_no_question_waits_long_for_another():
    clock, given = Clock(), []

    def ask(_parts, _seen, _sources, _function, time):
        given.append(time)
        clock.now += time.preparing

    opinions = opinions_of(ask, 100.0, clock)
    asking(opinions)
    assert [each.preparing for each in given] == [15.0, 0.0, 0.0]
    assert [each.seconds for each in given] == [70.0, 55.0, 55.0]


def test_a_check_that_begins_again_asks_no_question_twice():
    clock, asked = Clock(), []

    def ask(*given):
        asked.append(given[3].qualname)
        made = Slow([])
        made.clock = clock
        return made

    with opinions_of(ask, 100.0, clock) as opinions:
        first = asking(opinions)
        assert asking(opinions) == first
        assert asked == ["a", "b", "c"]
        asking(opinions, failing=(FAILING, TestId("test_shop.py::test_more")), names=("a",))
        assert asked == ["a", "b", "c", "a"]


def test_a_check_whose_slow_test_was_taken_to_hang_asks_the_model_once(monkeypatch):
    """It begins again by all runs, and what was asked stands."""
    monkeypatch.setattr(Observation, "wait", lambda _: ObservationState.CONTRADICTED)
    backend = Backend(reply("3 * count"))
    assert told(checked(backend, RIGHT))["second_word"] == "agrees"
    assert len(backend.asked) == 1
