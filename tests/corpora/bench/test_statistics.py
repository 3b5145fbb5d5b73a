"""Intervals, estimators and paired tests against values computed by hand or known from the literature."""

from __future__ import annotations

from itertools import combinations

import pytest

from corpora.bench.statistics import LEAST_DISCORDANT, at_k, compare_pairs, mean_at_k, rate


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (1, 100, 0.0018, 0.0545)],
)
def test_wilson_intervals(count: int, total: int, low: float, high: float):
    found = rate(count, total)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
    assert found.share == count / total


def test_nothing_counted_says_nothing():
    assert (rate(0, 0).share, rate(0, 0).low, rate(0, 0).high) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(("count", "total"), [(-1, 3), (4, 3)])
def test_a_share_of_more_than_all_is_refused(count: int, total: int):
    with pytest.raises(ValueError, match="no share"):
        rate(count, total)


@pytest.mark.parametrize(("attempts", "successes", "k"), [(5, 2, 1), (5, 2, 3), (6, 0, 2), (4, 4, 4), (5, 3, 3)])
def test_at_k_is_the_share_of_all_draws_with_a_success(attempts: int, successes: int, k: int):
    draws = list(combinations([True] * successes + [False] * (attempts - successes), k))
    assert at_k(attempts, successes, k) == pytest.approx(sum(map(any, draws)) / len(draws))


@pytest.mark.parametrize(("attempts", "successes", "k"), [(2, 1, 3), (2, 3, 1), (2, 1, 0)])
def test_impossible_draws_are_refused(attempts: int, successes: int, k: int):
    with pytest.raises(ValueError, match="cannot be drawn"):
        at_k(attempts, successes, k)


def test_the_mean_needs_enough_attempts_of_every_bug():
    assert mean_at_k([(2, 1), (2, 2)], 1) == pytest.approx(0.75)
    assert mean_at_k([(2, 1), (1, 1)], 2) is None
    assert mean_at_k([], 1) is None


@pytest.mark.parametrize(
    ("first", "second", "p"), [(0, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (3, 3, 1.0), (8, 1, 0.0390625)]
)
def test_mcnemar(first: int, second: int, p: float):
    found = compare_pairs([(True, False)] * first + [(False, True)] * second + [(True, True)] * 2 + [(False, False)])
    assert found.p == pytest.approx(p)
    assert (found.only_first, found.only_second, found.both, found.neither) == (first, second, 2, 1)


def test_the_smallest_sound_sample_is_the_first_that_can_reach_five_percent():
    below, at = (compare_pairs([(True, False)] * n) for n in (LEAST_DISCORDANT - 1, LEAST_DISCORDANT))
    assert (below.small, at.small) == (True, False)
    assert at.p < 0.05 < below.p
