"""Larger inputs: what grows, how, and that what is counted stays equal to what it was."""

import copy
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def probe() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.values import counted_comparisons as counted  # noqa: PLC0415
        from _repair_probe.values import scaled_inputs as larger  # noqa: PLC0415

        yield larger, counted
    finally:
        sys.path.remove(str(PROBE))


@pytest.mark.parametrize(
    ("value", "repeated", "moved"),
    [
        ([1, 2], [1, 2, 1, 2], [1, 2, 1001, 1002]),
        (("a", "b"), ("a", "b", "a", "b"), ("a", "b", "ab", "bb")),
        ({"a": 1}, None, {"a": 1, "ab": 1}),
        ({3}, None, {3, 1003}),
        ([(1, 2)], [(1, 2), (1, 2)], [(1, 2), (1001, 1002)]),
        ([True, None], [True, None, True, None], None),
        ("ab", "abab", None),
        (b"ab", b"abab", None),
        (7, 14, None),
        (1, None, None),
        (10**6, None, None),
        (True, None, None),
        (1.5, None, None),
        ([], None, None),
        (None, None, None),
    ],
)
def test_what_grows(probe: Any, value: object, repeated: object, moved: object) -> None:
    larger, _ = probe
    assert (larger.enlarge_value(value, 2, False), larger.enlarge_value(value, 2, True)) == (repeated, moved)


def test_growing_is_bounded(probe: Any) -> None:
    larger, _ = probe
    assert larger.enlarge_value([1] * 3000, 2, False) is None
    assert larger.enlarge_value("x" * 10**6, 2, False) is None


def test_an_iterator_grows_into_one(probe: Any) -> None:
    larger, _ = probe
    value = iter([1, 2])
    assert list(larger.enlarge_value(value, 2, False)) == [1, 2, 1, 2]
    assert list(value) == [1, 2]


def test_the_collections_of_an_instance_grow_and_classes_do_not(probe: Any) -> None:
    larger, _ = probe

    class Bag:
        def __init__(self) -> None:
            self.items, self.name = [4, 5], "bag"

    bag = Bag()
    found = [place.name for place in larger.places(([bag], {}, {}), 1)]
    assert found == [larger.SELF]
    grown = larger.places(([bag], {}, {}), 1)[0].grow(copy.deepcopy(([bag], {}, {})), 2)
    assert (grown[0][0].items, grown[0][0].name, bag.items) == ([4, 5, 1004, 1005], "bag", [4, 5])
    assert larger.places(([Bag], {}, {}), 1) == []


@pytest.mark.parametrize("value", [[1, "a", 2.5], ("a",), {"k": [1]}, {1, 2}, [(1, 2)], [None, True], 3])
def test_what_is_counted_is_equal_to_what_it_was(probe: Any, value: object) -> None:
    _, counted = probe
    made = counted.count_comparisons(value)
    assert made == value
    assert type(made) is type(value) or isinstance(value, int)
    assert copy.deepcopy(made) == value


def test_counted_items_sort_and_are_found_as_before(probe: Any) -> None:
    _, counted = probe
    made = counted.count_comparisons([3, 1, 2])
    assert sorted(made) == [1, 2, 3]
    assert 2 in made
    assert {*made} == {1, 2, 3}
    assert (made[0] != 3, made[0] < 1, made[0] <= 3, made[0] > 3, made[0] >= 3) == (False, False, True, False, True)
