from copy import deepcopy

import pytest

from layers import merge
from layers.merge import DELETE, merge_all
from layers.settings import DEFAULTS, Settings


def spoil(value):
    """Change every dict and list inside value."""
    if isinstance(value, dict):
        for inner in value.values():
            spoil(inner)
        value["spoiled"] = True
    elif isinstance(value, list):
        for inner in value:
            spoil(inner)
        value.append("spoiled")


CASES = [
    ({"a": {"x": {"y": 1}}}, {}),
    ({"a": {"x": {"y": 1}}}, {"a": {"z": 1}}),
    ({"a": {"x": {"y": 1}}}, {"a": {"x": {"z": 2}}}),
    ({"a": [1, 2]}, {"b": 1}),
    ({"a": {"x": [1]}}, {"a": {"y": 1}}),
    ({"a": [[1], {"x": 1}]}, {"b": [[1], {"x": 1}]}),
    ({}, {"a": {"x": {"y": 1}}}),
    ({}, {"a": {"x": [1]}}),
    ({"a": 1}, {"a": {"x": {"y": [1]}}}),
    ({"a": {"x": 1}}, {"a": [{"y": 1}]}),
    ({"a": {"x": 1}}, {"b": {"x": 1}}),
    ({"a": [{"x": 1}]}, {"a": [{"x": 2}]}),
]


@pytest.mark.parametrize("base, layer", CASES)
def test_nothing_is_shared(base, layer):
    base, layer = deepcopy(base), deepcopy(layer)
    base_was, layer_was = deepcopy(base), deepcopy(layer)
    spoil(merge(base, layer))
    assert base == base_was
    assert layer == layer_was


def test_delete_does_not_touch_the_arguments():
    base = {"a": {"x": 1, "y": 2}, "b": 1}
    layer = {"a": {"x": DELETE}, "b": DELETE}
    assert merge(base, layer) == {"a": {"y": 2}}
    assert base == {"a": {"x": 1, "y": 2}, "b": 1}
    assert layer["a"]["x"] is DELETE and layer["b"] is DELETE


def test_delete_deep():
    assert merge({"a": {"b": {"c": 1, "d": 2}}}, {"a": {"b": {"c": DELETE}}}) == {"a": {"b": {"d": 2}}}
    assert merge({"a": {"x": 1}}, {"a": DELETE}) == {}


def test_delete_where_nothing_is():
    assert merge({}, {"a": {"x": DELETE, "y": 1}}) == {"a": {"y": 1}}
    assert merge({"a": 3}, {"a": {"x": DELETE, "y": 1}}) == {"a": {"y": 1}}


def test_none_and_false_are_values():
    assert merge({"a": 1, "b": {"x": 1}}, {"a": False, "b": None}) == {"a": False, "b": None}
    assert merge({"a": None}, {"a": {"x": 1}}) == {"a": {"x": 1}}
    assert merge({"a": {"x": 1}}, {"a": 0}) == {"a": 0}


def test_empty_values_replace():
    assert merge({"a": [1]}, {"a": []}) == {"a": []}
    assert merge({"a": {"x": 1}}, {"a": ""}) == {"a": ""}
    assert merge({"a": 1}, {"a": {}}) == {"a": {}}


def test_merge_with_itself():
    base = {"a": {"x": [1]}}
    result = merge(base, base)
    assert result == base
    spoil(result)
    assert base == {"a": {"x": [1]}}


def test_key_order():
    assert list(merge({"a": 1, "b": 2}, {"c": 3, "a": 4})) == ["a", "b", "c"]


def test_merge_all_shares_nothing():
    layers = [{"a": {"x": [1]}}, {"b": {"y": [2]}}, {"a": {"z": [3]}}]
    was = deepcopy(layers)
    spoil(merge_all(layers))
    assert layers == was


def test_defaults_survive_lists():
    settings = Settings({"debug": True})
    settings.get("log.targets").append("file")
    settings.get("server.tags").append("x")
    assert DEFAULTS["log"]["targets"] == ["stderr"]
    assert DEFAULTS["server"]["tags"] == []
    assert Settings().get("server.tags") == []
