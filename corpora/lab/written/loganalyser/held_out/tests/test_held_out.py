from datetime import datetime, timedelta

import pytest

from logan.parser import Entry
from logan.sessions import longest, sessions


def entry(minutes, user="ann", path="/p"):
    return Entry(datetime(2024, 3, 1) + timedelta(minutes=minutes), user, "GET", path, 200, 0.1)


def spans(entries, **kwargs):
    base = datetime(2024, 3, 1)
    return [(s.user, (s.start - base).total_seconds() / 60, (s.end - base).total_seconds() / 60)
            for s in sessions(entries, **kwargs)]


@pytest.mark.parametrize("minutes, expected", [
    ([0], [(0, 0)]),
    ([0, 30], [(0, 30)]),
    ([0, 31], [(0, 0), (31, 31)]),
    ([0, 30, 60, 90], [(0, 90)]),
    ([0, 29, 58, 87], [(0, 87)]),
    ([0, 20, 40, 80], [(0, 40), (80, 80)]),
    ([0, 20, 40, 80, 100, 120], [(0, 40), (80, 120)]),
    ([0, 100, 200], [(0, 0), (100, 100), (200, 200)]),
    ([0, 30, 61], [(0, 30), (61, 61)]),
    ([0, 31, 61], [(0, 0), (31, 61)]),
    ([5, 5, 5], [(5, 5)]),
    ([0, 25, 50, 75, 100, 125, 150], [(0, 150)]),
    ([1400, 1420, 1445, 1470], [(1400, 1470)]),
])
def test_one_user(minutes, expected):
    assert spans([entry(m) for m in minutes]) == [("ann", *pair) for pair in expected]


def test_any_order():
    minutes = [60, 0, 80, 20, 40, 200]
    assert spans([entry(m) for m in minutes]) == [("ann", 0, 80), ("ann", 200, 200)]


def test_users_do_not_mix():
    entries = [entry(0), entry(20, "bob"), entry(40), entry(45, "bob"), entry(70)]
    assert spans(entries) == [("ann", 0, 0), ("bob", 20, 45), ("ann", 40, 70)]


def test_another_user_does_not_keep_a_session_open():
    entries = [entry(0), entry(25, "bob"), entry(50), entry(75, "bob")]
    assert spans(entries) == [("ann", 0, 0), ("bob", 25, 25), ("ann", 50, 50), ("bob", 75, 75)]


def test_same_start_sorted_by_user():
    assert spans([entry(0, "zoe"), entry(0, "ann")]) == [("ann", 0, 0), ("zoe", 0, 0)]


def test_paths_of_both_sessions():
    entries = [entry(0, path="/a"), entry(20, path="/b"), entry(45, path="/c"), entry(100, path="/d")]
    assert [s.paths for s in sessions(entries)] == [["/a", "/b", "/c"], ["/d"]]


def test_own_gap():
    entries = [entry(0), entry(8), entry(16), entry(30)]
    assert spans(entries, gap=timedelta(minutes=10)) == [("ann", 0, 16), ("ann", 30, 30)]
    assert spans(entries, gap=timedelta(minutes=7)) == [
        ("ann", 0, 0), ("ann", 8, 8), ("ann", 16, 16), ("ann", 30, 30)]


def test_seconds_count():
    entries = [entry(0), entry(30 + 1 / 60)]
    assert len(sessions(entries)) == 2


def test_no_entries():
    assert sessions([]) == []


def test_works_on_an_iterator():
    assert spans(entry(m) for m in (0, 20, 40)) == [("ann", 0, 40)]


def test_longest():
    entries = [entry(m) for m in (0, 20, 40)] + [entry(100, "bob"), entry(125, "bob")]
    assert longest(entries).user == "ann"
    assert longest(entries).length == timedelta(minutes=40)
