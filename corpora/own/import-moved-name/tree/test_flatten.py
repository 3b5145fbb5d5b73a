import pytest

import flatten


def test_module_loads():
    assert flatten.__doc__ == "Nested data to flat lists."


def test_too_deep_is_left_alone():
    assert flatten.flatten([1, 2], depth=-1) == [[1, 2]]


@pytest.mark.parametrize("value", [[1], (1, 2), {3}, {"a": 1}, range(2)])
def test_branches(value):
    assert flatten.is_branch(value)


@pytest.mark.parametrize("value", [1, "text", b"bytes", None])
def test_leaves(value):
    assert not flatten.is_branch(value)


def test_flatten():
    assert flatten.flatten([1, [2, (3, "four")], []]) == [1, 2, 3, "four"]


def test_flatten_one_level():
    assert flatten.flatten([1, [2, [3]]], depth=1) == [1, 2, [3]]
