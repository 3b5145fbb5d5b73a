import pytest

from intervals import gaps, merge, total


@pytest.mark.parametrize(("intervals", "expected"), [
    ([], []), ([(1, 3)], [(1, 3)]), ([(4, 6), (1, 3)], [(1, 3), (4, 6)]), ([(1, 4), (2, 6)], [(1, 6)]),
])
def test_merge(intervals, expected):
    assert merge(intervals) == expected


def test_empty_intervals_are_dropped():
    assert merge([(3, 3), (5, 4)]) == []


def test_touching_intervals_are_one():
    assert merge([(1, 3), (3, 5)]) == [(1, 5)]


def test_one_within_another():
    assert merge([(1, 9), (2, 4)]) == [(1, 9)]


def test_total():
    assert total([(1, 4), (2, 6), (10, 11)]) == 6


def test_gaps():
    assert gaps([(1, 3), (5, 6)]) == [(3, 5)]


def test_no_gap_between_touching_intervals():
    assert gaps([(1, 3), (3, 5), (7, 8)]) == [(5, 7)]
