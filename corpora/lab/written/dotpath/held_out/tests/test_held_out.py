import pytest

from dotpath import PathError, flatten, get, unflatten, update


@pytest.mark.parametrize("path, expected", [
    ("a", 1),
])
def test_single_step(path, expected):
    assert update({}, path, 1) == {path: expected}


@pytest.mark.parametrize("path, expected", [
    ("a.b", {"a": {"b": 1}}),
    ("a[0]", {"a": [1]}),
    ("a[2]", {"a": [None, None, 1]}),
    ("a[0][0]", {"a": [[1]]}),
    ("a[0].b", {"a": [{"b": 1}]}),
    ("a[1].b[0]", {"a": [None, {"b": [1]}]}),
    ("a.b[0].c[1]", {"a": {"b": [{"c": [None, 1]}]}}),
    ("a.7", {"a": {"7": 1}}),
    ("a.7.b", {"a": {"7": {"b": 1}}}),
    ("7[0]", {"7": [1]}),
    ("a[0].0", {"a": [{"0": 1}]}),
    ("x[0][1][2]", {"x": [[None, [None, None, 1]]]}),
])
def test_containers_made(path, expected):
    assert update({}, path, 1) == expected


def test_root_list():
    assert update([], "[1].name", "kim") == [None, {"name": "kim"}]
    assert update([], "[0][1]", 2) == [[None, 2]]


def test_none_in_list_becomes_dictionary():
    assert update({"a": [None, None]}, "a[0].b", 1) == {"a": [{"b": 1}, None]}


def test_none_in_list_becomes_list():
    assert update({"a": [None]}, "a[0][1]", 1) == {"a": [[None, 1]]}


def test_none_in_dictionary_becomes_list():
    assert update({"a": None}, "a[0]", 1) == {"a": [1]}


@pytest.mark.parametrize("blocker", [0, "", False, 0.0, "text", 5])
def test_values_in_the_way_stay(blocker):
    data = {"a": blocker}
    with pytest.raises(PathError):
        update(data, "a.b", 1)
    assert data == {"a": blocker}


def test_empty_dictionary_in_the_way_of_an_index():
    data = {"a": {}}
    with pytest.raises(PathError):
        update(data, "a[0]", 1)
    assert data == {"a": {}}


def test_empty_list_in_the_way_of_a_key():
    data = {"a": []}
    with pytest.raises(PathError):
        update(data, "a.b", 1)
    assert data == {"a": []}


def test_existing_containers_are_used():
    inner, items = {}, []
    data = {"a": inner, "b": items}
    update(data, "a.x", 1)
    update(data, "b[0]", 2)
    assert data["a"] is inner and inner == {"x": 1}
    assert data["b"] is items and items == [2]


def test_value_is_set_not_merged():
    assert update({"a": {"x": 1}}, "a", {"y": 2}) == {"a": {"y": 2}}
    assert update({"a": [{"x": 1}]}, "a[0]", {"y": 2}) == {"a": [{"y": 2}]}


def test_value_object_is_stored():
    value = {"y": 2}
    data = update({"a": {"x": 1}}, "a", value)
    assert data["a"] is value


def test_second_update_uses_the_first():
    data = update({}, "rows[0].cells[1]", "b")
    update(data, "rows[0].cells[0]", "a")
    update(data, "rows[1].cells[0]", "c")
    assert data == {"rows": [{"cells": ["a", "b"]}, {"cells": ["c"]}]}


def test_numeric_keys_round_trip():
    data = {"years": {"2023": {"1": "x"}, "2024": {"2": "y"}}}
    assert unflatten(flatten(data)) == data


def test_round_trip_out_of_order():
    assert unflatten({"a[1].b": 1, "a[0].b": 0}) == {"a": [{"b": 0}, {"b": 1}]}


def test_get_after_update():
    data = update({}, "p.q[3].r", "deep")
    assert get(data, "p.q[3].r") == "deep"
    assert get(data, "p.q[2]", "?") is None
