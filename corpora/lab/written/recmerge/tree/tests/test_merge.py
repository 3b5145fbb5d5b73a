import pytest

from diffing import MISSING, diff_record, diff_tables, index_by
from merging import Conflict, merge_record, merge_tables
from report import format_changes, summary

BASE = {"id": 1, "name": "Ann", "mail": "ann@x.org", "age": 30}


def test_diff_record():
    assert diff_record({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": (1, MISSING), "b": (2, 3), "c": (MISSING, 4)}


def test_diff_tables():
    added, removed, changed = diff_tables([{"id": 1, "n": "a"}, {"id": 2, "n": "b"}], [{"id": 2, "n": "c"}, {"id": 3, "n": "d"}])
    assert added == [{"id": 3, "n": "d"}]
    assert removed == [{"id": 1, "n": "a"}]
    assert changed == {2: {"n": ("b", "c")}}


def test_duplicates():
    with pytest.raises(ValueError):
        index_by([{"id": 1}, {"id": 1}], "id")


def test_report():
    assert format_changes({"b": (2, 3), "a": (MISSING, "x")}) == ["a: - -> 'x'", "b: 2 -> 3"]
    assert summary([1], [], {2: {}}) == "1 added, 1 changed"
    assert summary([], [], {}) == "no changes"


def test_merge_both_sides():
    assert merge_record(BASE, BASE | {"name": "Anna"}, BASE | {"age": 31}) == BASE | {"name": "Anna", "age": 31}


def test_merge_same_change():
    new = BASE | {"age": 31}
    assert merge_record(BASE, new, dict(new)) == new


def test_merge_conflict():
    with pytest.raises(Conflict) as caught:
        merge_record(BASE, BASE | {"age": 31}, BASE | {"age": 32})
    assert caught.value.fields == {"age": (31, 32)}


@pytest.mark.parametrize("prefer, age", [("mine", 31), ("theirs", 32)])
def test_merge_prefer(prefer, age):
    merged = merge_record(BASE, BASE | {"age": 31}, BASE | {"age": 32}, prefer=prefer)
    assert merged["age"] == age


def test_merge_field_removed_by_them():
    theirs = {k: v for k, v in BASE.items() if k != "mail"}
    assert merge_record(BASE, BASE | {"age": 31}, theirs) == {"id": 1, "name": "Ann", "age": 31}


def test_merge_field_removed_by_me():
    mine = {k: v for k, v in BASE.items() if k != "mail"}
    assert merge_record(BASE, mine, BASE | {"age": 31}) == {"id": 1, "name": "Ann", "age": 31}


def test_merge_tables():
    base = [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id": 3, "n": "c"}]
    mine = [{"id": 1, "n": "A"}, {"id": 2, "n": "b"}, {"id": 4, "n": "d"}]
    theirs = [{"id": 1, "n": "a", "x": 1}, {"id": 3, "n": "c"}, {"id": 5, "n": "e"}]
    assert merge_tables(base, mine, theirs) == [{"id": 1, "n": "A", "x": 1}, {"id": 4, "n": "d"}, {"id": 5, "n": "e"}]


def test_merge_tables_changed_beats_removed():
    assert merge_tables([{"id": 1, "n": "a"}], [], [{"id": 1, "n": "b"}]) == [{"id": 1, "n": "b"}]
