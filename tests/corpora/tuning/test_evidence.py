"""What pairs may claim: numbers known by hand, and promises held on scripted chance."""

import math
from random import Random

import pytest

from corpora.tuning.evidence import (
    TaskPair,
    bounds,
    count_signs,
    e_value,
    mean_difference,
    sign_test,
    spent_error,
)


def pairs_of(differences, projects=6):
    return [TaskPair(str(n), f"p{n % projects}", 0.0, gain) for n, gain in enumerate(differences)]


@pytest.mark.parametrize(("wins", "losses", "chance"), [(5, 0, 1 / 32), (7, 1, 9 / 256), (0, 0, 1.0), (0, 3, 1.0)])
def test_the_sign_test_is_exact(wins, losses, chance):
    assert sign_test(wins, losses) == pytest.approx(chance)


def test_the_e_value_is_the_integral_of_the_likelihood_ratio():
    assert e_value(7, 0) == pytest.approx(31.875)
    assert e_value(0, 0) == pytest.approx(1.0)
    steps = 20_000
    shares = [0.5 + (n + 0.5) / (2 * steps) for n in range(steps)]
    assert e_value(9, 4) == pytest.approx(math.fsum((2 * s) ** 9 * (2 - 2 * s) ** 4 for s in shares) / steps, rel=1e-6)


def test_an_edit_that_does_nothing_rarely_reaches_an_e_value_of_twenty_at_any_time():
    rng, reached = Random(1), 0
    for _ in range(400):
        wins = losses = 0
        for _ in range(60):
            wins, losses = (wins + 1, losses) if rng.random() < 0.5 else (wins, losses + 1)
            if e_value(wins, losses) >= 20:
                reached += 1
                break
    assert reached <= 0.05 * 400


def test_the_error_of_all_tests_together_is_the_whole():
    assert math.fsum(spent_error(number) for number in range(1, 10_000)) == pytest.approx(0.05, rel=1e-3)
    assert spent_error(1) > spent_error(2) > 0


def test_signs_are_counted_by_task():
    assert count_signs(pairs_of([1, 0.5, 0, -1])) == (2, 1)
    assert mean_difference(pairs_of([1, 0, 0, -1])) == 0.0
    assert mean_difference([]) == 0.0


def test_one_project_says_nothing_of_others():
    assert bounds(pairs_of([1.0] * 30, projects=1), Random(0)) == (-2.0, 2.0)


def test_bounds_hold_the_mean_and_widen_where_projects_differ():
    even = pairs_of([0.5, 0.0] * 30, projects=5)
    low, high = bounds(even, Random(0))
    assert low <= 0.25 <= high
    apart = [TaskPair(str(n), f"p{n % 6}", 0.0, float(n % 6 == 0) * 1.5) for n in range(60)]
    wide = bounds(apart, Random(0))
    assert mean_difference(apart) == pytest.approx(0.25)
    assert wide[1] - wide[0] > 2 * (high - low)


def test_the_same_seed_gives_the_same_bounds():
    pairs = pairs_of([1, 0, 0, -1, 1, 1])
    assert bounds(pairs, Random(3)) == bounds(pairs, Random(3))


def test_bounds_are_those_of_any_python():
    """From 3.12 on ``sum`` is as exact as ``fsum``: a decision that is made again elsewhere has to be the same."""
    pairs = [TaskPair(f"t{n}", f"p{n % 3}", 0.0, value) for n, value in enumerate((0.1,) * 10 + (0.8, 0.4, -0.1))]
    assert mean_difference([TaskPair(f"t{n}", "p", 0.0, 0.1) for n in range(10)]) == 0.1
    low, high = bounds(pairs, Random(1))
    assert low <= mean_difference(pairs) <= high
