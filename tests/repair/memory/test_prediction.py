"""Counts of earlier failures move weights and chances by as much as they are many, and below ten not at all."""

from __future__ import annotations

import pytest

from repair.memory.prediction import MOST_FACTOR, Tally, chance_of, factors_of, rates_of

BASE = {"literal": 0.5, "guard": 0.25, "call": 0.25}


def test_nothing_is_said_below_ten_observations() -> None:
    few = Tally(9, 9, {"guard": 9})
    assert factors_of(BASE, (few,)) == {}
    assert chance_of((few,)) is None


def test_what_mended_weighs_more_and_what_did_not_less() -> None:
    found = factors_of(BASE, (Tally(100, 100, {"guard": 100}),))
    assert found == {"literal": 0.5, "guard": pytest.approx(2.5), "call": 0.5}


def test_what_a_finer_key_counts_counts_once() -> None:
    one = Tally(100, 100, {"guard": 100})
    assert factors_of(BASE, (one,) * 6) == pytest.approx(factors_of(BASE, (one,)))
    assert chance_of((Tally(31, 2),) * 6) == chance_of((Tally(31, 2),))


def test_a_finer_key_weighs_more_than_what_is_beside_it() -> None:
    found = factors_of(BASE, (Tally(200, 200, {"guard": 100, "call": 100}), Tally(100, 100, {"guard": 100})))
    assert found["guard"] > found["call"] > found["literal"]


def test_a_factor_is_bounded() -> None:
    found = factors_of({"rare": 0.01, "usual": 0.99}, (Tally(10_000, 10_000, {"rare": 10_000}),))
    assert found == {"rare": MOST_FACTOR, "usual": 1 / MOST_FACTOR}


def test_shares_as_expected_move_nothing() -> None:
    found = factors_of(BASE, (Tally(40, 40, {"literal": 20, "guard": 10, "call": 10}),))
    assert found == pytest.approx({"literal": 1, "guard": 1, "call": 1})


def test_a_finer_key_leans_on_the_coarser_one_and_counts_only_with_ten() -> None:
    coarse, few, many = Tally(100, 50), Tally(9, 0), Tally(31, 2)
    assert chance_of((coarse, few)) == chance_of((coarse,))
    found = chance_of((coarse, many))
    assert found is not None
    others = (48 + 10 * 0.5) / 79
    assert found.chance == pytest.approx((2 + 10 * others) / 41)
    assert found.claim == "uncertain: 2 of 31 like it were mended"


def test_a_failure_that_is_seldom_mended_is_called_so() -> None:
    found = chance_of((Tally(80, 2), Tally(31, 2)))
    assert found is not None
    assert found.is_unlikely
    assert found.claim == "likely to fail: 2 of 31 like it were mended"


def test_families_of_another_order_are_passed_over() -> None:
    assert factors_of(BASE, (Tally(50, 50, {"model": 50}),)) == {}


def test_who_mends_more_often_than_the_others_has_a_larger_share_within_bounds() -> None:
    found = rates_of({"model": (400, 400), "search": (4000, 0)})
    assert found == {"model": MOST_FACTOR, "search": 1 / MOST_FACTOR}
    alike = rates_of({"model": (40, 20), "search": (40, 20)})
    assert alike == {"model": pytest.approx(1.0), "search": pytest.approx(1.0)}


def test_rates_say_nothing_of_few_or_of_one_alone() -> None:
    assert rates_of({"model": (5, 5), "search": (4, 0)}) == {}
    assert rates_of({"search": (400, 4)}) == {}
    assert rates_of({}) == {}
