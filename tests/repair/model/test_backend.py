"""Patience: what is asked again, after how long, and when it is enough."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from analysis.errors import ModelError, UsageError
from repair.model.backend import BackendFault, FaultKind, Message, Meter, ModelLimits, Prices, ask
from repair.model.reply import ModelReply

ASKED = (Message("user", "x" * 300),)
GOOD = ModelReply("{}", input_tokens=1000, output_tokens=500)


class Backend:
    """Answers with what it is given, in order, and counts seconds for each."""

    def __init__(self, *answers: ModelReply | BackendFault) -> None:
        self.answers = list(answers)
        self.seconds: list[float] = []

    def complete(self, messages: Sequence[Message], *, seconds: float, most_tokens: int) -> ModelReply | BackendFault:
        self.seconds.append(seconds)
        return self.answers.pop(0)


def asked(
    *answers: ModelReply | BackendFault, left: float = 1000, limits: ModelLimits | None = None
) -> tuple[object, list[float]]:
    pauses: list[float] = []
    meter = Meter(limits or ModelLimits())
    found = ask(Backend(*answers), ASKED, meter, lambda: left, pauses.append)
    return found, pauses


@pytest.mark.parametrize(
    ("faults", "pauses"),
    [
        ([], []),
        ([FaultKind.NETWORK], [1.0]),
        ([FaultKind.SERVER, FaultKind.SERVER], [1.0, 2.0]),
        ([FaultKind.RATE] * 3, [1.0, 2.0, 4.0]),
        ([FaultKind.SERVER, FaultKind.NETWORK, FaultKind.RATE, FaultKind.TIMEOUT], [1.0, 2.0, 4.0, 8.0]),
        ([FaultKind.REPLY], [1.0]),
    ],
)
def test_passing_faults_are_asked_again_ever_more_slowly(faults, pauses):
    assert asked(*(BackendFault(kind, "") for kind in faults), GOOD) == (GOOD, pauses)


@pytest.mark.parametrize(
    ("kind", "attempts"),
    [
        (FaultKind.AUTHENTICATION, 1),
        (FaultKind.NOT_FOUND, 1),
        (FaultKind.REQUEST, 1),
        (FaultKind.QUOTA, 1),
        (FaultKind.TIMEOUT, 2),
        (FaultKind.REPLY, 2),
        (FaultKind.SERVER, 3),
        (FaultKind.NETWORK, 3),
        (FaultKind.RATE, 4),
    ],
)
def test_a_lasting_fault_ends_with_an_error_and_a_remedy(kind, attempts):
    backend = Backend(*[BackendFault(kind, "what the server said")] * 9)
    with pytest.raises(ModelError) as raised:
        ask(backend, ASKED, Meter(ModelLimits()), lambda: 1000, lambda _: None)
    assert len(backend.seconds) == attempts
    assert "what the server said" in str(raised.value)
    assert raised.value.remedy
    assert raised.value.exit_code == 4


def test_the_server_s_wish_is_granted_within_bounds():
    _, pauses = asked(BackendFault(FaultKind.RATE, "", 7.0), BackendFault(FaultKind.RATE, "", 5000.0), GOOD)
    assert pauses == [7.0, 60.0]


def test_no_pause_is_longer_than_the_time_that_is_left():
    with pytest.raises(ModelError):
        asked(BackendFault(FaultKind.RATE, "", 30.0), GOOD, left=20)


def test_no_request_is_made_when_the_time_is_up():
    assert asked(left=0) == (None, [])


def test_a_request_gets_the_time_that_is_left():
    backend = Backend(GOOD)
    ask(backend, ASKED, Meter(ModelLimits(request_seconds=50)), lambda: 12.5, lambda _: None)
    assert backend.seconds == [12.5]


@pytest.mark.parametrize(
    "limits",
    [
        ModelLimits(requests=0),
        ModelLimits(tokens=1000, output_tokens=950),
        ModelLimits(usd=0.01, prices=Prices(1.0, 10.0), output_tokens=1000),
    ],
    ids=["requests", "tokens", "money"],
)
def test_a_limit_is_kept_at_worst_not_on_average(limits):
    assert asked(GOOD, limits=limits) == (None, [])


def test_usage_is_counted_and_priced():
    meter = Meter(ModelLimits(prices=Prices(2.0, 8.0)))
    for completion in (GOOD, ModelReply("x" * 30)):
        ask(Backend(completion), ASKED, meter, lambda: 9, lambda _: None)
    assert (meter.cost.requests, meter.cost.input_tokens, meter.cost.output_tokens) == (2, 1100, 510)
    assert meter.cost.usd == pytest.approx((1100 * 2 + 510 * 8) / 1e6)


def test_a_limit_in_money_needs_prices():
    with pytest.raises(UsageError, match="prices"):
        Meter(ModelLimits(usd=1.0))
