import pytest

from layers import merge
from layers.merge import DELETE, flatten, merge_all


@pytest.mark.parametrize("base, layer, expected", [
    ({}, {}, {}),
    ({"a": 1}, {}, {"a": 1}),
    ({}, {"a": 1}, {"a": 1}),
    ({"a": 1}, {"a": 2}, {"a": 2}),
    ({"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 1, "y": 2}}),
    ({"a": {"x": 1}}, {"a": {"x": 2}}, {"a": {"x": 2}}),
    ({"a": {"x": 1}}, {"a": 5}, {"a": 5}),
    ({"a": 5}, {"a": {"x": 1}}, {"a": {"x": 1}}),
    ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
    ({"a": {"b": {"c": 1}}}, {"a": {"b": {"d": 2}}}, {"a": {"b": {"c": 1, "d": 2}}}),
    ({"a": 1}, {"a": None}, {"a": None}),
    ({"a": {"x": 1}}, {"a": {}}, {"a": {"x": 1}}),
])
def test_values(base, layer, expected):
    assert merge(base, layer) == expected


def test_delete():
    assert merge({"a": 1, "b": 2}, {"a": DELETE}) == {"b": 2}
    assert merge({"a": 1}, {"zzz": DELETE}) == {"a": 1}
    assert merge({"a": {"x": 1, "y": 2}}, {"a": {"x": DELETE}}) == {"a": {"y": 2}}


def test_arguments_stay_as_they_are():
    base = {"a": {"x": 1}, "b": [1]}
    layer = {"a": {"y": 2}, "b": [2]}
    merge(base, layer)
    assert base == {"a": {"x": 1}, "b": [1]}
    assert layer == {"a": {"y": 2}, "b": [2]}


def test_result_shares_no_dict_with_base():
    base = {"a": {"x": 1}, "b": {"z": 1}}
    result = merge(base, {"a": {"y": 2}})
    result["b"]["z"] = 99
    result["a"]["x"] = 99
    assert base == {"a": {"x": 1}, "b": {"z": 1}}


def test_result_shares_no_list_with_layer():
    layer = {"a": [1]}
    merge({}, layer)["a"].append(2)
    assert layer == {"a": [1]}


def test_merge_all():
    assert merge_all([]) == {}
    layers = [{"a": 1, "b": {"x": 1}}, {"b": {"y": 2}}, {"a": 3}]
    assert merge_all(layers) == {"a": 3, "b": {"x": 1, "y": 2}}


def test_flatten():
    assert flatten({"a": {"b": 1, "c": {}}, "d": 2}) == {"a.b": 1, "a.c": {}, "d": 2}
