"""Neighbours of recorded calls: each differs in one place, and what is shared stays shared."""

import copy
import enum
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def vary() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe import vary as module  # noqa: PLC0415

        yield module
    finally:
        sys.path.remove(str(PROBE))


class Bag:
    def __init__(self) -> None:
        self.count, self.items, self.owner = 2, [1], self


def neighbours(vary: Any, *args: Any, **kwargs: Any) -> list[Any]:
    return list(vary.variants(lambda: copy.deepcopy((list(args), kwargs, {}))))


@pytest.mark.parametrize(
    ("value", "others"),
    [
        (True, [False]),
        (3, [4, 2, -3, 7, 0]),
        (0, [1, -1]),
        ("ab", ["a", "abb", "b", "AB", ""]),
        ("", []),
        ((1,), [(), (1, 1), (2,), (0,), (-1,), (3,)]),
        ({"a": 1}, [{}, {"a": 2}, {"a": 0}, {"a": -1}, {"a": 3}]),
        ({2, 1}, [{2}, set()]),
        (None, []),
        (object(), []),
    ],
)
def test_values_near(vary: Any, value: Any, others: list[Any]) -> None:
    assert [args[0] for args, _, _ in neighbours(vary, value)] == others


def test_iterators_keep_their_kind_and_lose_items(vary: Any) -> None:
    found = [args[0] for args, _, _ in neighbours(vary, iter([5, 6]))]
    assert all(hasattr(each, "__next__") for each in found)
    assert [list(each) for each in found][:4] == [[5], [5, 6, 5], [6], [6, 5]]


def test_objects_differ_in_one_number_or_text(vary: Any) -> None:
    bags = [args[0] for args, _, _ in neighbours(vary, Bag())]
    assert [bag.count for bag in bags] == [3, 1, -2, 5, 0]
    assert all(bag.items == [1] and bag.owner is bag for bag in bags)


def test_one_place_at_a_time_and_all_places_in_turn(vary: Any) -> None:
    found = neighbours(vary, 1, "a", key=True)
    assert [(args, kwargs) for args, kwargs, _ in found][:3] == [
        ([2, "a"], {"key": True}),
        ([1, ""], {"key": True}),
        ([1, "a"], {"key": False}),
    ]
    assert len(found) <= 14


def test_what_cannot_be_compared_has_no_neighbours(vary: Any) -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise ValueError

        __hash__ = None  # type: ignore[assignment]

    assert neighbours(vary, Odd()) == []
    assert len(neighbours(vary, [Odd()])) <= 2


class Colour(enum.Enum):
    RED = 1


class Single:
    """An object that is its own copy."""

    size = 1

    def __init__(self) -> None:
        self.count = 2

    def __deepcopy__(self, memo: Any) -> Any:
        return self


def test_what_is_its_own_copy_is_left_alone(vary: Any) -> None:
    single = Single()
    assert neighbours(vary, single, Colour.RED) == []
    assert (single.count, Colour.RED.value, Colour.RED.name) == (2, 1, "RED")
