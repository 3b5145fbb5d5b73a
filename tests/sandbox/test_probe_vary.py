"""Neighbours of recorded calls: each differs in one place, and what is shared stays shared."""

import ast
import copy
import datetime
import decimal
import enum
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def vary() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.values import vary as module  # noqa: PLC0415

        yield module
    finally:
        sys.path.remove(str(PROBE))


class Bag:
    def __init__(self) -> None:
        self.count, self.items, self.owner = 2, [1], self


def neighbours(vary: Any, *args: Any, **kwargs: Any) -> list[Any]:
    found = vary.variants(lambda: copy.deepcopy((list(args), kwargs, {})))
    return [(variant.args, variant.kwargs, variant.cells) for variant in found]


@pytest.mark.parametrize(
    ("value", "others"),
    [
        (True, [False]),
        (3, [4, 2, -3, 7, 0]),
        (0, [1, -1]),
        ("ab", ["a", "abb", "bc", "ac", "b", "AB", ""]),
        ("19", ["1", "199", "20", "18", "21", "11", "9", ""]),
        ("5.19", ["5.1", "5.199", "6.21", "5.11", ".19", ""]),
        (b"Zz", [b"Z", b"Zzz", b"Aa", b"Za", b"z", b"zZ", b""]),
        ("", []),
        ((1,), [(), (1, 1), (2,), (0,), (-1,), (3,)]),
        ([(1, "a")], [[], [(1, "a"), (1, "a")], [(2, "a")], [(0, "a")], [(1, "")], [(1, "aa")]]),
        ({"a": 1}, [{}, {"a": 2}, {"a": 0}, {"a": -1}, {"a": 3}]),
        ({2, 1}, [{2}, set()]),
        (
            datetime.date(2024, 2, 28),
            [
                datetime.date(2024, 2, 29),
                datetime.date(2024, 2, 27),
                datetime.date(2024, 3, 6),
                datetime.date(2025, 2, 27),
            ],
        ),
        (datetime.date.max, [datetime.date(9999, 12, 30)]),
        (datetime.timedelta(7), [datetime.timedelta(n) for n in (8, 6, 14, 372)]),
        (decimal.Decimal("1.5"), [decimal.Decimal(n) for n in ("2.5", "0.5", "-1.5", "4.0")]),
        (None, []),
        (object(), []),
    ],
)
def test_values_near(vary: Any, value: Any, others: list[Any]) -> None:
    assert [args[0] for args, _, _ in neighbours(vary, value)] == others


@pytest.mark.parametrize(
    ("old", "new", "step"),
    [(3, 4, 1), ("7", "6", -1), ("0", "00", 0), (2.5, 3.5, 1), (1, "2", 0), ("a", "b", 0), (None, 1, 0), ([1], [2], 0)],
)
def test_steps_of_numbers(vary: Any, old: object, new: object, step: int) -> None:
    assert vary.step_of(old, new) == step


def test_iterators_keep_their_kind_and_lose_items(vary: Any) -> None:
    found = [args[0] for args, _, _ in neighbours(vary, iter([5, 6]))]
    assert all(hasattr(each, "__next__") for each in found)
    assert [list(each) for each in found][:4] == [[5], [5, 6, 5], [6], [6, 5]]


def test_objects_differ_in_one_number_or_text(vary: Any) -> None:
    bags = [args[0] for args, _, _ in neighbours(vary, Bag())]
    assert [bag.count for bag in bags if bag.items == [1]] == [3, 1, 4, -2, 5, 0]
    assert [bag.items for bag in bags if bag.count == 2] == [[], [1, 1], [2], [0], [-1], [3]]
    assert all((bag.count == 2) != (bag.items == [1]) and bag.owner is bag for bag in bags), "one thing at a time"


class Line:
    def __init__(self, count: int) -> None:
        self.count = count


class Cart:
    """A basket whose lines are objects, by name and in a row."""

    def __init__(self) -> None:
        self.lines = {"tea": Line(2), "cup": Line(3), "pot": Line(4)}
        self.last = [Line(7)]
        self.pairs = {"tea": (2, 5)}


def test_what_an_object_holds_differs_too_in_one_place_at_a_time(vary: Any) -> None:
    carts = [args[0] for args, _, _ in neighbours(vary, Cart())]
    counts = [[line.count for line in (*cart.lines.values(), *cart.last)] for cart in carts]
    assert [3, 3, 4, 7] in counts
    assert [2, 3, 5, 7] in counts, "the first and the last one"
    assert [2, 3, 4, 8] in counts
    assert {"tea": (2, 6)} in [cart.pairs for cart in carts]
    assert {} in [cart.lines for cart in carts]
    given = vary.variants(lambda: copy.deepcopy(([Cart()], {}, {})))
    assert "lines['tea'].count=3" in [variant.note for variant in given]


class Till:
    """Seven plain attributes behind two that hold others."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.owner = object()
        self.a = self.b = self.c = self.d = self.e = 1
        self._rate = 80
        self.__vat = 7


def test_what_is_otherwise_in_an_object_is_said(vary: Any) -> None:
    from _repair_probe.compare.calls import Entry  # noqa: PLC0415

    (first, *_) = vary.variants(lambda: ([Bag()], {}, {}))
    assert first.note == "count=3"
    large = vary.Variant(([[0] * 500], {}, {}), note="count=3")
    assert Entry([], {}, {}, 0).moved_to(large).source("price").endswith(" with count=3")
    assert Entry([], {"count": 3}, {}, 0, note="count=3").source("price") == "price(count=3)"


def test_attributes_that_the_function_reads_come_first_and_all_in_turn(vary: Any) -> None:
    from _repair_probe.values import call_effects as callbacks  # noqa: PLC0415

    def changed(text: str) -> list[str]:
        given = vary.variants(lambda: ([Till()], {}, {}), callbacks.PassableOptions(ast.parse(text).body[0]), {})
        held = [vars(variant.args[0]) for variant in given]
        return [
            name for each in held for name, value in each.items() if name != "owner" and vars(Till())[name] != value
        ]

    read = changed("def price(self):\n    return self.rate + self.__vat")
    assert read[:6] == ["_rate", "_Till__vat", "a", "b", "c", "d"]
    assert len(read) == 24
    assert changed("def price(self):\n    return 1")[:3] == ["a", "b", "c"]


def test_objects_differ_in_one_date(vary: Any) -> None:
    held = types.SimpleNamespace(first=datetime.date(2026, 3, 1))
    found = [args[0].first.isoformat() for args, _, _ in neighbours(vary, held)]
    assert found == ["2026-03-02", "2026-02-28", "2026-03-08", "2027-03-01"]


def test_one_place_at_a_time_and_all_places_in_turn(vary: Any) -> None:
    found = neighbours(vary, 1, "a", key=True)
    assert [(args, kwargs) for args, kwargs, _ in found][:3] == [
        ([2, "a"], {"key": True}),
        ([1, ""], {"key": True}),
        ([1, "a"], {"key": False}),
    ]
    assert len(found) <= 16


def test_what_cannot_be_compared_has_no_neighbours(vary: Any) -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise ValueError

        __hash__ = None  # type: ignore[assignment]

    assert neighbours(vary, Odd()) == []
    assert len(neighbours(vary, [Odd()])) <= 2


class Colour(enum.Enum):
    RED = 1


class Size(enum.Enum):
    S, M, L = range(3)


def test_members_of_an_enumeration_stand_in_for_each_other(vary: Any) -> None:
    assert [args for args, _, _ in neighbours(vary, Size.M)] == [[Size.S], [Size.L]]


def test_what_is_varied_is_said_where_it_is_what_the_call_gives(vary: Any) -> None:
    def told(*args: Any) -> list[tuple[Any, Any]]:
        found = vary.variants(lambda: copy.deepcopy((list(args), {}, {})))
        return [(variant.old, variant.new) for variant in found if variant.of_call]

    assert told(3)[0] == (3, 4)
    assert told(Bag())[0] == (2, 3)
    assert told(Bag(), "")[:1] == [(2, 3)]
    assert {old for old, _ in told(Bag(), "a")} == {"a"}


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
