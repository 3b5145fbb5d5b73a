"""The client of a run's options: what they allow, and that nobody is asked where replies are there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from analysis.errors import UsageError
from repair.model.asking import Exchange, Try
from repair.model.backend import Message, ModelRequest
from repair.model.exchanges import RecordedReplies
from repair.model.kept_replies import KeptReplies
from repair.model.make_client import limits_of_model, make_client
from repair.model.meter import ModelLimits, Prices
from repair.model.reply import ModelReply
from repair.records.config import DEFAULT_MAX_COST, Options

REQUEST = ModelRequest((Message("user", "mend"),), bug="b", purpose="p")


@dataclass(frozen=True)
class Says:
    """A backend that always says one thing."""

    text: str

    def complete(self, request, *, seconds, most_tokens):
        return ModelReply(self.text)


def options(**given):
    return Options(root="/p", model="m", **given)


def test_six_requests_a_bug_and_no_bound_in_money_where_prices_are_unknown():
    assert limits_of_model(options()) == ModelLimits(requests=6, request_seconds=120.0)


def test_every_limit_is_an_option():
    given = {"max_requests": 2, "max_attempts": 1, "max_tokens": 900, "request_seconds": 5.0, "max_cost": 0.1}
    found = limits_of_model(options(**given, input_price=1.0, output_price=2.0))
    assert found == ModelLimits(1, 2, ModelLimits().output_tokens, 5.0, 900, 0.1, Prices(1.0, 2.0))


def test_where_prices_are_known_money_is_bounded():
    assert limits_of_model(options(input_price=1.0, output_price=2.0)).usd == DEFAULT_MAX_COST


def test_an_endpoint_without_a_key_is_refused_before_anything_is_asked():
    with pytest.raises(UsageError, match="no key"):
        make_client(options(base_url="https://models.example/v1"), {}, lambda happened: None)


def test_recorded_replies_need_no_key_and_no_endpoint_and_are_heard_of():
    recorded = RecordedReplies([Exchange(1, REQUEST, (Try(ModelReply("x", output_tokens=4), 0.0),))])
    heard = []
    client = make_client(options(base_url="https://models.example/v1"), {}, heard.append, recorded=recorded)
    assert client.ask(REQUEST, lambda: 9.0).text == "x"
    told = [each.to_json() for each in heard]
    first = {"type": "request", "number": 1, "purpose": "p", "tries": 0, "ended": ""}
    assert told == [first, {**first, "tries": 1, "finish": "stop", "tokens": 4}]


def strong(**given):
    return options(strong_model="big", **given)


def test_a_stronger_model_is_asked_by_the_name_in_the_request_each_with_its_replies(tmp_path):
    given = strong(replies=str(tmp_path), base_url="http://127.0.0.1:9/v1")
    for model in ("m", "big"):
        kept = KeptReplies(lambda model=model: Says(f"from {model}"), tmp_path, (model, given.base_url, "0"))
        kept.complete(REQUEST, seconds=1.0, most_tokens=9)
    client = make_client(given, {}, lambda happened: None)
    answers = [client.ask(replace(REQUEST, model=model), lambda: 9.0).text for model in ("m", "big")]
    assert answers == ["from m", "from big"]


def test_an_endpoint_of_its_own_is_not_told_the_key_of_the_other_one():
    env = {"REPAIR_API_KEY": "sk-first-0001"}
    with pytest.raises(UsageError, match="no key"):
        make_client(strong(base_url="https://a.example/v1", strong_base_url="https://b.example/v1"), env, print)
    make_client(strong(base_url="https://a.example/v1"), env, print)
    own = {**env, "REPAIR_STRONG_API_KEY": "sk-other-0002"}
    make_client(strong(base_url="https://a.example/v1", strong_base_url="https://b.example/v1"), own, print)


def test_money_is_bounded_only_where_the_prices_of_both_are_known():
    first, both = {"input_price": 1.0, "output_price": 2.0}, {"strong_input_price": 3.0, "strong_output_price": 4.0}
    assert limits_of_model(strong(**first)).usd is None
    assert limits_of_model(strong(**first, **both)).usd == DEFAULT_MAX_COST
    with pytest.raises(UsageError, match="needs the model's prices"):
        make_client(strong(**first, max_cost=1.0, base_url="http://127.0.0.1:9/v1"), {}, print)


def test_each_of_several_models_has_its_endpoint_key_and_prices(tmp_path):
    given = options(
        replies=str(tmp_path),
        base_url="http://127.0.0.1:9/v1",
        input_price=1.0,
        output_price=2.0,
        models=("own base-url=http://127.0.0.1:8/v1 strength=2", "paid input-price=3 output-price=4"),
    )
    for model, place in (("m", given.base_url), ("own", "http://127.0.0.1:8/v1"), ("paid", given.base_url)):
        kept = KeptReplies(lambda model=model: Says(f"from {model}"), tmp_path, (model, place, "0"))
        kept.complete(REQUEST, seconds=1.0, most_tokens=9)
    client = make_client(given, {}, lambda happened: None)
    answers = [client.ask(replace(REQUEST, model=model), lambda: 9.0).text for model in ("m", "own", "paid")]
    assert answers == ["from m", "from own", "from paid"]
    limits = limits_of_model(given)
    assert (limits.prices_of("paid"), limits.prices_of("own"), limits.usd) == (Prices(3.0, 4.0), None, None)
    arms = {use.arm: use.usd is None for use in client.meter.arms}
    assert arms == {"m": False, "own": True, "paid": False}


def test_a_further_model_at_another_place_is_told_its_own_key_and_no_other():
    far = "far base-url=https://b.example/v1"
    env = {"REPAIR_API_KEY": "sk-first-0001"}
    with pytest.raises(UsageError, match="no key"):
        make_client(options(base_url="https://a.example/v1", models=(far,)), env, print)
    own = {**env, "REPAIR_FAR_API_KEY": "sk-far-0003"}
    make_client(options(base_url="https://a.example/v1", models=(f"{far} key=REPAIR_FAR_API_KEY",)), own, print)
