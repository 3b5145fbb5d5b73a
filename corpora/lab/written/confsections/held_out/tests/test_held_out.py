from copy import deepcopy

import pytest

from conf.config import Config
from conf.layers import merged

A = {"a": {"x": 1, "y": 2}}
B = {"a": {"x": 5}, "b": {"z": 3}}
C = {"b": {"z": 4, "w": 0}, "c": {}}


@pytest.mark.parametrize("layers, want", [
    ([], {}),
    ([A], {"a": {"x": 1, "y": 2}}),
    ([A, B], {"a": {"x": 5, "y": 2}, "b": {"z": 3}}),
    ([B, A], {"a": {"x": 1, "y": 2}, "b": {"z": 3}}),
    ([A, B, C], {"a": {"x": 5, "y": 2}, "b": {"z": 4, "w": 0}, "c": {}}),
    ([C, B, A], {"a": {"x": 1, "y": 2}, "b": {"z": 3, "w": 0}, "c": {}}),
    ([B, C], {"a": {"x": 5}, "b": {"z": 4, "w": 0}, "c": {}}),
    ([{}, A, {}], {"a": {"x": 1, "y": 2}}),
    ([{"a": {}}, A], {"a": {"x": 1, "y": 2}}),
    ([A, {"a": {}}], {"a": {"x": 1, "y": 2}}),
    ([A, {"a": {"x": None, "y": 0}}], {"a": {"x": None, "y": 0}}),
    ([A, {"a": {"x": False}}], {"a": {"x": False, "y": 2}}),
])
def test_merged(layers, want):
    layers = deepcopy(layers)
    before = deepcopy(layers)
    assert merged(*layers) == want
    assert layers == before


def test_middle_layer_is_left():
    b, c = deepcopy(B), deepcopy(C)
    merged({"q": {"r": 1}}, b, c, {"c": {"n": 1}})
    assert b == B
    assert c == C


@pytest.mark.parametrize("count", [1, 2, 3])
def test_result_shares_no_section(count):
    layers = deepcopy([A, B, C][:count])
    before = deepcopy(layers)
    out = merged(*layers)
    for values in out.values():
        values["new"] = 1
    assert layers == before


def test_same_layer_twice():
    base = deepcopy(A)
    assert merged(base, {"a": {"x": 7}}) == {"a": {"x": 7, "y": 2}}
    assert merged(base, {"a": {"y": 7}}) == {"a": {"x": 1, "y": 7}}


def test_defaults_stay():
    before = deepcopy(Config.DEFAULTS)
    Config("name = one\n[server]\nport = 1\nnew = 2", environ={"APP_SERVER__HOST": "x"})
    assert Config.DEFAULTS == before
    assert Config().get("server.new", None) is None
    assert Config().get("name") == "app"
