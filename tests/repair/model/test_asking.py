"""Patience: what is asked again, after how long, when it is enough, and several questions at once."""

from __future__ import annotations

import asyncio
import threading

import pytest

from analysis.errors import ModelError
from repair.model.asking import TIME_IS_UP, Exchange, ModelClient, Spent
from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest
from repair.model.meter import Meter, ModelLimits
from repair.model.reply import ModelReply

ASKED = ModelRequest((Message("user", "x" * 300),))
GOOD = ModelReply("{}", input_tokens=1000, output_tokens=500)


class Backend:
    """Answers with what it is given, in order, and keeps how long it might take."""

    def __init__(self, *answers: ModelReply | BackendFault) -> None:
        self.answers = list(answers)
        self.seconds: list[float] = []

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        self.seconds.append(seconds)
        return self.answers.pop(0)


class Asked:
    """What comes of one question to such a backend."""

    def __init__(self, *answers, left=1000.0, limits=None):
        self.pauses, self.noted = [], []
        self.backend = Backend(*answers)
        self.client = ModelClient(
            self.backend, Meter(limits or ModelLimits()), self.pauses.append, self.noted.append, lambda: 0.0
        )
        self.left = left

    def found(self):
        return self.client.ask(ASKED, lambda: self.left)


@pytest.mark.parametrize(
    ("faults", "pauses"),
    [
        ([], []),
        ([FaultKind.NETWORK], [1.0]),
        ([FaultKind.SERVER, FaultKind.SERVER], [1.0, 2.0]),
        ([FaultKind.RATE] * 3, [1.0, 2.0, 4.0]),
        ([FaultKind.SERVER, FaultKind.NETWORK, FaultKind.TIMEOUT], [1.0, 2.0, 4.0]),
        ([FaultKind.REPLY], [1.0]),
    ],
)
def test_passing_faults_are_asked_again_ever_more_slowly(faults, pauses):
    asked = Asked(*(BackendFault(kind, "") for kind in faults), GOOD)
    assert asked.found() == GOOD
    assert asked.pauses == pauses


@pytest.mark.parametrize(
    ("kind", "tries"),
    [
        (FaultKind.AUTHENTICATION, 1),
        (FaultKind.NOT_FOUND, 1),
        (FaultKind.REQUEST, 1),
        (FaultKind.REDIRECT, 1),
        (FaultKind.QUOTA, 1),
        (FaultKind.REPLY, 2),
        (FaultKind.TIMEOUT, 4),
        (FaultKind.SERVER, 4),
        (FaultKind.NETWORK, 4),
        (FaultKind.RATE, 4),
    ],
)
def test_a_lasting_fault_ends_with_an_error_and_a_remedy(kind, tries):
    asked = Asked(*[BackendFault(kind, "what the server said")] * 9)
    with pytest.raises(ModelError) as raised:
        asked.found()
    assert len(asked.backend.seconds) == tries
    assert "what the server said" in str(raised.value)
    assert ("Model unavailable" in str(raised.value)) == (tries > 1)
    assert raised.value.remedy
    assert raised.value.exit_code == 4


@pytest.mark.parametrize(("kind", "tries"), [(FaultKind.SERVER, 4), (FaultKind.QUOTA, 1), (FaultKind.REQUEST, 2)])
def test_a_model_that_is_gone_is_not_asked_another_question(kind, tries):
    asked = Asked(*[BackendFault(kind, "what the server said")] * 9)
    for _ in range(2):
        with pytest.raises(ModelError, match="what the server said"):
            asked.found()
    assert len(asked.backend.seconds) == tries


def test_faults_of_several_kinds_have_no_more_tries_together():
    asked = Asked(*[BackendFault(kind, "") for kind in (FaultKind.SERVER, FaultKind.RATE) * 4])
    with pytest.raises(ModelError, match="after 4 tries"):
        asked.found()


def test_the_server_s_wish_is_granted():
    asked = Asked(BackendFault(FaultKind.RATE, "", 7.0), BackendFault(FaultKind.RATE, "", 0.0), GOOD)
    assert asked.found() == GOOD
    assert asked.pauses == [7.0, 2.0]


def test_no_pause_is_longer_than_the_time_that_is_left():
    asked = Asked(BackendFault(FaultKind.RATE, "slow down", 30.0), GOOD, left=20)
    with pytest.raises(ModelError, match=r"after 1 try \(rate\): slow down; the next try would be in 30 s, and 20 s"):
        asked.found()
    assert asked.pauses == []


def test_no_request_is_made_when_the_time_is_up():
    asked = Asked(left=0)
    assert asked.found() == Spent(TIME_IS_UP)
    assert asked.noted == []


def test_a_request_gets_the_time_that_is_left():
    asked = Asked(GOOD, left=12.5, limits=ModelLimits(request_seconds=50))
    asked.found()
    assert asked.backend.seconds == [12.5]


def test_a_limit_ends_the_asking():
    asked = Asked(GOOD, limits=ModelLimits(requests=1))
    assert asked.found() == GOOD
    assert asked.found() == Spent("1 requests were made")
    assert len(asked.noted) == 2


def test_a_limit_between_two_tries_ends_it_too_and_is_noted():
    late = BackendFault(FaultKind.TIMEOUT, "", billed=True)
    asked = Asked(late, GOOD, limits=ModelLimits(tokens=1500, output_tokens=900))
    assert asked.found() == Spent("another request may exceed 1500 tokens")
    assert asked.noted[-1].ended == "another request may exceed 1500 tokens"


def test_each_step_of_a_question_is_noted():
    down = BackendFault(FaultKind.SERVER, "down")
    asked = Asked(down, GOOD, down, BackendFault(FaultKind.QUOTA, "pay"))
    asked.found()
    with pytest.raises(ModelError):
        asked.found()
    steps = [(one.number, [each.answer for each in one.tries], one.ended) for one in asked.noted]
    assert steps == [
        (1, [], ""),
        (1, [down], ""),
        (1, [down, GOOD], ""),
        (2, [], ""),
        (2, [down], ""),
        (2, [down, BackendFault(FaultKind.QUOTA, "pay")], "The model endpoint failed (quota): pay"),
    ]
    assert asked.noted[2].reply == GOOD
    assert Exchange(1, ASKED).reply is None


class Meeting:
    """Answers nobody before all have asked."""

    def __init__(self, count: int) -> None:
        self.all_here = threading.Barrier(count, timeout=60)

    def complete(self, request: ModelRequest, *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        self.all_here.wait()
        return ModelReply(request.purpose)


def test_several_questions_are_under_way_at_once():
    client = ModelClient(Meeting(3), Meter(ModelLimits()))
    begun = [client.begin(ModelRequest((), purpose=name), lambda: 60.0) for name in "abc"]
    assert [each.result(60) for each in begun] == [ModelReply(name) for name in "abc"]
    assert client.meter.cost.requests == 3


def test_coroutines_ask_too():
    client = ModelClient(Meeting(2), Meter(ModelLimits()))

    async def ask():
        return await asyncio.gather(*(client.wait_for(ModelRequest((), purpose=n), lambda: 60.0) for n in "ab"))

    assert asyncio.run(ask()) == [ModelReply("a"), ModelReply("b")]


def test_what_fails_in_its_own_thread_is_raised_where_it_is_waited_for():
    client = ModelClient(Backend(BackendFault(FaultKind.QUOTA, "pay")), Meter(ModelLimits()))
    with pytest.raises(ModelError, match="pay"):
        client.begin(ASKED, lambda: 60.0).result(60)
