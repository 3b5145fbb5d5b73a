import pytest

from diffing import MISSING
from merging import Conflict, merge_record, merge_tables

BASE = {"a": 1, "b": 2, "c": 3}


def no(*names, **more):
    return {k: v for k, v in BASE.items() if k not in names} | more


@pytest.mark.parametrize("mine, theirs, want", [
    (BASE, BASE, BASE),
    (no(), no("a"), no("a")),
    (no("a"), no(), no("a")),
    (no("a"), no("a"), no("a")),
    (no("a"), no("b"), no("a", "b")),
    (no(), {}, {}),
    ({}, no(), {}),
    ({}, {}, {}),
    (no(a=5), no("b"), {"a": 5, "c": 3}),
    (no(), no("a", d=4), {"b": 2, "c": 3, "d": 4}),
    (no(d=4), no("a", e=5), {"b": 2, "c": 3, "d": 4, "e": 5}),
    (no(a=None), no(), no(a=None)),
    (no(), no(a=None), no(a=None)),
    (no(), no(a=0, b="", c=False), {"a": 0, "b": "", "c": False}),
    (no(d=4), no(d=4), no(d=4)),
])
def test_merge(mine, theirs, want):
    keep = dict(mine), dict(theirs), dict(BASE)
    assert merge_record(BASE, mine, theirs) == want
    assert (mine, theirs, BASE) == keep


@pytest.mark.parametrize("prefer, want", [("mine", no(a=5)), ("theirs", no("a"))])
def test_changed_against_removed(prefer, want):
    assert merge_record(BASE, no(a=5), no("a"), prefer) == want


@pytest.mark.parametrize("prefer, want", [("mine", no("a")), ("theirs", no(a=5))])
def test_removed_against_changed(prefer, want):
    assert merge_record(BASE, no("a"), no(a=5), prefer) == want


def test_removed_against_changed_is_a_conflict():
    with pytest.raises(Conflict) as caught:
        merge_record(BASE, no("a"), no(a=5))
    assert caught.value.fields == {"a": (MISSING, 5)}


def test_changed_against_removed_is_a_conflict():
    with pytest.raises(Conflict) as caught:
        merge_record(BASE, no(a=5, b=6), no("a", b=7))
    assert caught.value.fields == {"a": (5, MISSING), "b": (6, 7)}


def test_prefer_theirs_takes_rest_of_mine():
    assert merge_record(BASE, no(a=5, b=6), no("a", c=9), "theirs") == {"b": 6, "c": 9}


def test_prefer_mine_takes_rest_of_theirs():
    assert merge_record(BASE, no(a=5), no("a", "c"), "mine") == {"a": 5, "b": 2}


def test_tables():
    base = [{"id": 1, "n": "a", "x": 1}]
    assert merge_tables(base, [{"id": 1, "n": "b", "x": 1}], [{"id": 1, "n": "a"}]) == [{"id": 1, "n": "b"}]
