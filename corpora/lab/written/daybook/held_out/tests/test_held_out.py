from datetime import date

import pytest

from daybook import Calendar, DateRangeSet, Span
from daybook.rangeset import merged


def span(first, last=None):
    return Span(date(2024, 5, first), date(2024, 5, last or first))


@pytest.mark.parametrize("given, expected", [
    ([], []),
    ([(3, 4)], [(3, 4)]),
    ([(1, 20), (5, 6)], [(1, 20)]),
    ([(5, 6), (1, 20)], [(1, 20)]),
    ([(1, 20), (5, 6), (8, 9)], [(1, 20)]),
    ([(1, 20), (2, 10), (12, 15), (18, 25)], [(1, 25)]),
    ([(1, 20), (2, 3), (4, 15), (6, 8)], [(1, 20)]),
    ([(1, 10), (2, 3), (12, 13)], [(1, 10), (12, 13)]),
    ([(1, 10), (2, 3), (11, 13)], [(1, 13)]),
    ([(1, 10), (1, 3)], [(1, 10)]),
    ([(1, 10), (8, 10)], [(1, 10)]),
    ([(1, 5), (3, 6)], [(1, 6)]),
    ([(1, 5), (5, 6)], [(1, 6)]),
    ([(1, 10), (9, 11)], [(1, 11)]),
    ([(2, 3), (6, 7), (1, 9)], [(1, 9)]),
    ([(2, 3), (6, 7), (10, 12), (5, 20)], [(2, 3), (5, 20)]),
    ([(1, 2), (4, 20), (5, 6)], [(1, 2), (4, 20)]),
    ([(1, 2), (4, 5), (7, 8)], [(1, 2), (4, 5), (7, 8)]),
    ([(1, 2), (3, 4), (5, 6)], [(1, 6)]),
    ([(1, 10), (2, 12), (3, 4), (13, 14)], [(1, 14)]),
])
def test_merged(given, expected):
    assert merged([span(*g) for g in given]) == [span(*e) for e in expected]


def test_given_list_is_not_changed():
    spans = [span(5, 6), span(1, 20)]
    merged(spans)
    assert spans == [span(5, 6), span(1, 20)]


def test_iterator_is_fine():
    assert merged(iter([span(1, 9), span(2, 3)])) == [span(1, 9)]


def test_over_the_end_of_a_month():
    text = "2024-01-20..2024-03-10, 2024-01-31..2024-02-01"
    assert str(DateRangeSet.parse(text)) == "2024-01-20..2024-03-10"


def test_union_with_inner_days():
    whole = DateRangeSet([span(1, 30)])
    inner = DateRangeSet([span(3, 4), span(10, 12), span(20)])
    assert whole.union(inner) == whole
    assert inner.union(whole) == whole


def test_days_away():
    calendar = Calendar()
    calendar.away("kim", "2024-05-01..2024-05-10")
    calendar.away("kim", "2024-05-02, 2024-05-04..2024-05-06")
    assert calendar.days_away("kim") == 10


def test_slots_with_nested_holidays():
    calendar = Calendar()
    calendar.away("kim", "2024-05-01..2024-05-20")
    calendar.away("lee", "2024-05-03..2024-05-04")
    calendar.away("max", "2024-05-08..2024-05-09")
    assert calendar.meeting_slots(span(1, 25), 1) == [span(21, 25)]
