"""What is counted of a model's use, and which limit ends it."""

from __future__ import annotations

import pytest

from analysis.errors import UsageError
from repair.model.backend import BackendFault, FaultKind, Message, ModelRequest
from repair.model.meter import Meter, ModelLimits, Prices
from repair.model.reply import ModelReply

ASKED = ModelRequest((Message("user", "x" * 300),), bug="b")
GOOD = ModelReply("{}", input_tokens=1000, output_tokens=500)


def used(meter, *answers, request=ASKED):
    for answer in answers:
        assert meter.begin(request) == ""
        assert meter.hold(request) == ""
        meter.settle(request, answer)
    return meter


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (ModelLimits(requests=0), "0 requests"),
        (ModelLimits(tokens=1265, output_tokens=950), "1265 tokens"),
        (ModelLimits(usd=0.01, prices=Prices(1.0, 10.0), output_tokens=1000), "0.01 US dollars"),
    ],
)
def test_a_limit_is_kept_at_worst_not_on_average(limits, words):
    assert words in Meter(limits).begin(ASKED)


def test_usage_is_counted_and_priced():
    meter = used(Meter(ModelLimits(prices=Prices(2.0, 8.0))), GOOD, ModelReply("x" * 30))
    cost = meter.cost
    assert (cost.requests, cost.tries, cost.input_tokens, cost.output_tokens) == (2, 2, 1100, 510)
    assert cost.usd == pytest.approx((1100 * 2 + 510 * 8) / 1e6)


def test_tokens_that_nobody_reports_are_those_of_the_reasoning_too():
    assert used(Meter(ModelLimits()), ModelReply("x" * 30, reasoning="y" * 60)).cost.output_tokens == 30


CHINESE = "价格必须按数量计算" * 20
"""180 characters, which tokenizers make 180 to 360 tokens of."""


def test_a_cap_in_tokens_holds_for_text_that_has_more_than_a_token_in_three_characters():
    asked = ModelRequest((Message("user", CHINESE),), bug="b")
    assert "400 tokens" in Meter(ModelLimits(tokens=400, output_tokens=10)).begin(asked)
    assert Meter(ModelLimits(tokens=570, output_tokens=10)).begin(asked) == "", "540 bytes and the marks around them"


def test_what_a_server_does_not_count_is_never_taken_for_less():
    cost = used(Meter(ModelLimits()), ModelReply(CHINESE), request=ModelRequest((Message("user", CHINESE),))).cost
    assert (cost.input_tokens, cost.output_tokens) == (540, 540)


def test_each_bug_has_its_requests():
    meter = Meter(ModelLimits(requests=1))
    other = ModelRequest(ASKED.messages, bug="another")
    assert [meter.begin(each) for each in (ASKED, other)] == ["", ""]
    assert "1 requests" in meter.begin(ASKED)


def test_what_is_under_way_is_held_back():
    meter = Meter(ModelLimits(tokens=2600, output_tokens=900))
    assert meter.hold(ASKED) == ""
    assert "2600 tokens" not in meter.hold(ASKED)
    assert "2600 tokens" in meter.hold(ASKED)
    meter.settle(ASKED, ModelReply("", input_tokens=100, output_tokens=10))
    assert meter.hold(ASKED) == ""


@pytest.mark.parametrize(
    ("answer", "is_left"),
    [
        (BackendFault(FaultKind.NETWORK, "refused"), True),
        (BackendFault(FaultKind.TIMEOUT, "late", billed=True), False),
        (None, False),
    ],
    ids=["refused", "late", "interrupted"],
)
def test_what_may_be_billed_without_a_reply_counts_towards_the_limits(answer, is_left):
    meter = Meter(ModelLimits(tokens=1500, output_tokens=900))
    assert meter.hold(ASKED) == ""
    meter.settle(ASKED, answer)
    assert (meter.hold(ASKED) == "") is is_left
    assert meter.cost.output_tokens == 0, "nobody has said what it was"


def test_a_limit_in_money_needs_prices():
    with pytest.raises(UsageError, match="prices"):
        Meter(ModelLimits(usd=1.0))
