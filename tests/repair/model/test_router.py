"""Which model is asked follows from the thread and the class of the failure, by rules that the user sets."""

from __future__ import annotations

import pytest
from fakes.failing_function import context_of, plan_of, scope_of

from analysis.facts import FailureClass
from repair.model.asking import ModelClient
from repair.model.backend import Message, ModelRequest
from repair.model.meter import Meter, ModelLimits, Prices
from repair.model.proposer import ModelProposer
from repair.model.reply import ModelReply
from repair.model.router import Route, RoutedBackend, arms_of, route_of
from repair.records.config import Options
from repair.records.result import ArmUse

LOGIC, SAFETY = FailureClass.LOGIC, FailureClass.RUNTIME_SAFETY


@pytest.mark.parametrize(
    ("route", "failure", "thread", "model"),
    [
        (Route(("small", "big")), LOGIC, 1, "small"),
        (Route(("small", "big")), LOGIC, 2, "big"),
        (Route(("small", "big"), strong_from=3), LOGIC, 2, "small"),
        (Route(("small", "big"), strong_classes=frozenset({"logic"})), LOGIC, 1, "big"),
        (Route(("small", "big"), strong_classes=frozenset({"logic"})), SAFETY, 1, "small"),
        (Route(("small",)), LOGIC, 9, "small"),
        (Route(("small", "middle", "big")), LOGIC, 2, "middle"),
        (Route(("small", "middle", "big")), LOGIC, 3, "big"),
        (Route(("small", "middle", "big")), LOGIC, 9, "big"),
    ],
)
def test_the_rule(route, failure, thread, model):
    assert route.model_for(failure, thread) == model


def test_the_rule_is_configuration():
    given = Options("/p", model="m", strong_model="b", strong_from=3, strong_classes=("logic",))
    assert route_of(given) == Route(("m", "b"), 3, frozenset({"logic"}))


def test_models_stand_in_the_order_of_strength_and_then_of_price():
    further = ("big strength=3", "dear input-price=9 output-price=9", "cheap input-price=0.1 output-price=0.2", "odd")
    given = Options("/p", model="m", input_price=1.0, output_price=2.0, strong_model="s", models=further)
    assert [arm.model for arm in arms_of(given)] == ["cheap", "m", "dear", "odd", "s", "big"]
    assert route_of(given).costs == (), "of some the price is not known"


def test_which_model_begins_is_drawn_by_what_each_has_mended_for_its_price():
    route = Route(("cheap", "dear"), costs=(0.001, 0.002))
    assert route.begin((), "1") == 0, "without experience the weakest"
    fails, mends = [("cheap", False)] * 30, [("dear", True)] * 30
    assert {route.begin((*fails, *mends), str(seed)) for seed in range(50)} == {1}
    alike = [("cheap", True), ("cheap", False), ("dear", True), ("dear", False)] * 15
    assert {route.begin(alike, str(seed)) for seed in range(50)} == {0}, "as good, and half the price"
    assert Route(("cheap", "dear")).begin((*fails, *mends), "1") == 0, "where a price is unknown nothing is drawn"
    assert route.begin((*fails, *mends), "x") == route.begin((*fails, *mends), "x")
    assert Route(("own", "dear"), costs=(0.0, 0.002)).begin(mends, "1") in (0, 1), "a price of nothing"
    assert route.model_for(LOGIC, 1, begins=1) == route.model_for(LOGIC, 2, begins=1) == "dear"


def test_what_earlier_runs_have_shown_of_models_counts_as_what_this_one_has():
    route = Route(("cheap", "dear"), costs=(0.001, 0.002))
    known = {"cheap": (30, 0), "dear": (30, 30)}
    assert {route.begin((), str(seed), known) for seed in range(50)} == {1}
    assert route.begin((), "1", {}) == 0
    fails, mends = [("cheap", False)] * 30, [("dear", True)] * 30
    assert [route.begin((*fails, *mends), str(n)) for n in range(9)] == [
        route.begin((), str(n), known) for n in range(9)
    ]
    assert Route(("cheap", "dear")).begin((), "1", known) == 0, "where a price is unknown nothing is drawn"


class Junk:
    """Answers what is of no use, and notes which model was asked."""

    def __init__(self, asked: list[str]) -> None:
        self.asked = asked

    def complete(self, request, *, seconds, most_tokens):
        self.asked.append(request.model)
        return ModelReply("I do not know", input_tokens=1000, output_tokens=100)


def test_the_ladder_asks_the_stronger_model_in_a_fresh_thread_and_both_have_one_meter():
    asked: list[str] = []
    limits = ModelLimits(requests=4, prices=Prices(1.0, 10.0), priced=(("big", Prices(5.0, 50.0)),))
    meter = Meter(limits)
    backend = RoutedBackend({name: Junk(asked) for name in ("small", "big")})
    client = ModelClient(backend, meter, lambda seconds: None)
    proposer = ModelProposer(client, lambda texts: True, route=Route(("small", "big")))
    scope = scope_of()
    assert list(proposer.propose(plan_of(scope), context_of(scope))) == []
    assert asked == ["small", "small", "big", "big"]
    assert proposer.cost.arms == (ArmUse("small", 2, 2000, 200, 0.004), ArmUse("big", 2, 2000, 200, 0.02))
    assert proposer.cost.usd == pytest.approx(0.024)


def request(model: str) -> ModelRequest:
    return ModelRequest((Message("user", "x" * 985),), bug="b", model=model)


def test_the_cap_holds_for_all_models_together_and_is_checked_before_each_request():
    limits = ModelLimits(
        requests=9, output_tokens=100, usd=0.02, prices=Prices(1.0, 10.0), priced=(("big", Prices(10.0, 50.0)),)
    )
    meter = Meter(limits)
    assert meter.begin(request("big")) == ""  # at worst 0.01501
    assert meter.hold(request("big")) == ""
    assert "0.02 US dollars" in meter.hold(request("big"))
    assert meter.hold(request("small")) == ""  # 0.002 more


def test_unknown_prices_are_unknown_and_not_nothing():
    meter = Meter(ModelLimits(prices=Prices(1.0, 1.0), priced=(("big", None),)))
    for model in ("small", "big"):
        assert meter.begin(request(model)) == meter.hold(request(model)) == ""
        meter.settle(request(model), ModelReply("x", input_tokens=999_999, output_tokens=1))
    assert [(use.arm, use.usd) for use in meter.arms] == [("small", 1.0), ("big", None)]
    assert meter.cost.usd == 1.0
