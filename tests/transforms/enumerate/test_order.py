"""The order as a model: counts move weights as far as they are many, and say nothing of what they have not seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.facts import FailureClass
from transforms.enumerate.order import (
    HAND_SET,
    UNIFORM_ORDER,
    CountedHistory,
    FixCounts,
    Order,
    hand_weight,
    learn_order,
)
from transforms.operators.catalog import MENDING
from transforms.operators.operator import Operator
from transforms.operators.priors import BASE

BY_NAME = {o.name: o for o in MENDING}
NUMBER, STRING, COMPARISON = (BY_NAME[name] for name in ("number", "string", "comparison"))
LOGIC = FailureClass.LOGIC


def weight(order: Order, operator: Operator, subclass: str = "") -> float:
    return order.weight(operator, LOGIC, subclass)


def test_fixes_that_were_seen_move_the_weights_by_their_number() -> None:
    few, many = (learn_order(FixCounts(operators={"number": n})) for n in (1.0, 10_000.0))
    by_hand = weight(HAND_SET, NUMBER)
    assert by_hand < weight(few, NUMBER) < 2 * by_hand
    assert weight(many, NUMBER) > 0.9
    assert 0 < weight(many, STRING) < by_hand


def test_without_counts_the_proportions_are_those_set_by_hand() -> None:
    assert weight(HAND_SET, COMPARISON) == pytest.approx(BASE["comparison"])
    assert weight(learn_order(FixCounts()), NUMBER) == weight(HAND_SET, NUMBER)
    assert HAND_SET.place(NUMBER, "argument") == 1.0


def test_an_operator_that_no_table_lists_weighs_what_its_family_does() -> None:
    new = replace(NUMBER, name="of_tomorrow")
    mates = [BASE[o.name] for o in MENDING if o.family == NUMBER.family and o.name in BASE]
    assert hand_weight(new) == pytest.approx(sum(mates) / len(mates))
    assert weight(learn_order(FixCounts(operators={"number": 50.0})), new) > 0
    assert hand_weight(replace(new, family="of_tomorrow")) > 0


def test_a_context_in_which_fixes_stand_more_often_than_places_do() -> None:
    counts = FixCounts(places={"number": {"index": 20.0}}, expected={"number": {"index": 5.0, "argument": 15.0}})
    order = learn_order(counts)
    assert order.place(NUMBER, "index") > 1 > order.place(NUMBER, "argument") > 0
    assert order.place(NUMBER, "returned") == order.place(STRING, "index") == 1.0


def test_a_subclass_that_messages_named_moves_its_families() -> None:
    counts = FixCounts(
        operators={"number": 50.0, "string": 50.0},
        families={"literal": 50.0, "comparison": 50.0},
        subclasses={"index": {"comparison": 40.0}},
    )
    order = learn_order(counts)
    assert weight(order, COMPARISON, "index") / weight(order, COMPARISON) > 1.5
    assert weight(order, NUMBER, "index") < weight(order, NUMBER)
    assert weight(order, NUMBER, "key") / weight(order, NUMBER) == pytest.approx(1.5)


def test_in_a_uniform_order_all_operators_are_alike() -> None:
    assert {UNIFORM_ORDER.weight(o, FailureClass.CONTRACT, "none") for o in MENDING} == {sum(BASE.values()) / len(BASE)}


def test_counts_add_up() -> None:
    source = CountedHistory("a/b", "1", "2", 10, 3, 2, 1)
    one = FixCounts((source,), {"number": 1.0}, places={"number": {"index": 1.0}})
    both = one.add(FixCounts((source,), {"number": 0.5, "string": 1.0}, places={"number": {"argument": 0.5}}))
    assert both.sources == (source, source)
    assert both.operators == {"number": 1.5, "string": 1.0}
    assert both.places == {"number": {"argument": 0.5, "index": 1.0}}
    assert FixCounts().add(one) == one
