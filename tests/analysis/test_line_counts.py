"""When executed lines are a doubt, and when they are not."""

from collections.abc import Callable

import pytest

from analysis.line_counts import LineCounts, LineCountsPair, WorkReport, excess

SIZES = (1, 2, 4, 8, 16, 32)
Lines = Callable[[int], float]


def call(old: int, new: int, agree: bool = True) -> LineCountsPair:
    return LineCountsPair("f([1])", LineCounts(old, old), LineCounts(new, new), agree)


def row(
    old: Lines, new: Lines, agree: Callable[[int], bool] = lambda n: True, bound: int = 10**9
) -> tuple[LineCountsPair, ...]:
    return tuple(
        LineCountsPair(
            "f([1])", lines_of(old(n), bound), lines_of(new(n), bound), agree(n) and new(n) < bound, "argument 1", n
        )
        for n in SIZES
    )


def lines_of(lines: float, bound: int) -> LineCounts:
    return LineCounts(min(int(lines), bound), 0, lines >= bound)


@pytest.mark.parametrize(
    ("old", "new", "doubted"),
    [
        (10, 5000, True),
        (10, 900, False),  # a hundred times as much is little, where it is little
        (2000, 19000, False),
        (2000, 21000, True),
    ],
)
def test_gross_is_many_times_and_much(old: int, new: int, doubted: bool) -> None:
    assert (excess(WorkReport((call(old, new),))) is not None) is doubted


def test_calls_that_differ_say_nothing() -> None:
    assert excess(WorkReport((call(10, 10**6, agree=False),))) is None


def test_one_call_that_returns_early_is_weighed_with_the_others() -> None:
    assert excess(WorkReport((call(2, 3000), call(2900, 3000)))) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (lambda n: 10 * n, lambda n: 10 * n * n),
        (lambda n: 5, lambda n: 6 * n * n),
        (lambda n: 4 * n * n, lambda n: 4 * n**3),
        (lambda n: 10 * n, lambda n: 100 + 20 * n + 30 * n * n),
    ],
)
def test_a_steeper_growth_is_a_doubt(old: Lines, new: Lines) -> None:
    found = excess(WorkReport((), (row(old, new),)))
    assert found is not None
    assert found.shown.factor == SIZES[-1]
    assert found.orders[1] > found.orders[0] + 0.4


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (lambda n: 5, lambda n: 300 * n),  # a loop that was missing
        (lambda n: 10 * n, lambda n: 60 * n),
        (lambda n: 10 * n * n, lambda n: 90 * n * n),
        (lambda n: 3 * n**1.3, lambda n: 100 * n**1.6),
        (lambda n: 2, lambda n: n * n / 2),  # hardly anything, however it grows
    ],
)
def test_other_growth_is_none(old: Lines, new: Lines) -> None:
    assert excess(WorkReport((), (row(old, new),))) is None


def test_growth_counts_only_where_both_agree() -> None:
    steep = row(lambda n: n, lambda n: 10 * n * n, agree=lambda n: n < 4)
    assert excess(WorkReport((), (steep,))) is None


def test_what_the_old_function_does_on_other_calls_is_usual_for_it() -> None:
    steep = row(lambda n: 10 * n, lambda n: 10 * n * n)
    usual = row(lambda n: 7 * n * n, lambda n: 7 * n * n, agree=lambda n: False)
    assert excess(WorkReport((), (steep,))) is not None
    assert excess(WorkReport((), (steep, usual))) is None


def test_a_call_that_had_to_be_ended_is_a_doubt() -> None:
    found = excess(WorkReport((), (row(lambda n: 4 * n, lambda n: 30 * 2.0**n, bound=5_000),)))
    assert found is not None
    assert found.shown.new.ended


def test_a_bound_reached_without_a_jump_is_none() -> None:
    assert excess(WorkReport((), (row(lambda n: 40, lambda n: 3000 * n, bound=50_000),))) is None


def test_where_both_had_to_be_ended_nothing_is_said() -> None:
    exponential = row(lambda n: 20 * 2.0**n, lambda n: 30 * 2.0**n, bound=50_000)
    assert excess(WorkReport((), (exponential,))) is None
