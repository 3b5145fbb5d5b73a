"""What a picture shows is made again: its picture is the same."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import pathlib
import re
import sys
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import packaging.version
import pytest
from packaging.version import Version

from repair.compare.made_values import HELPERS, class_names, making
from sandbox.request import PROBE


@pytest.fixture(scope="module")
def picture() -> Iterator[Callable[[object], str]]:
    """The pictures of the probe, which is no part of the engine's own path."""
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.values import pictures  # noqa: PLC0415

        yield pictures.picture
    finally:
        sys.path.remove(str(PROBE))


class Colour(enum.Enum):
    RED = "r"


class Plain:
    def __init__(self) -> None:
        raise AssertionError("no constructor is run")

    @classmethod
    def of(cls, **state: Any) -> Plain:
        made = object.__new__(cls)
        made.__dict__.update(state)
        return made

    class Inner:
        pass


@dataclasses.dataclass(frozen=True, slots=True)
class Money:
    amount: int
    unit: str = "EUR"


class Bag(dict):  # type: ignore[type-arg]
    pass


class Row(list):  # type: ignore[type-arg]
    pass


class Table(collections.defaultdict):  # type: ignore[type-arg]
    pass


class Recent(collections.deque):  # type: ignore[type-arg]
    pass


class Name(str):
    __slots__ = ("lang",)


class Point(NamedTuple):
    x: int
    y: int


class NoStock(Exception):
    pass


def _with(value: Any, **state: Any) -> Any:
    for name, held in state.items():
        setattr(value, name, held)
    return value


VALUES = [
    [1, -2.5, None, True, "a", b"b", (1,), (), {1, 2}, set(), frozenset({3}), {"k": [1]}],
    Plain.of(items={"tea": (3, 1)}, _held=[], _Plain__own=2),
    Plain.of(money=Money(5), bag=_with(Bag(a=1), size=1), row=Row([1])),
    Name("anna"),
    _with(Name("anna"), lang="de"),
    Point(1, 2),
    Colour.RED,
    Plain.of(inner=Plain.Inner()),
    NoStock("gone"),
    KeyError("k"),
    collections.deque([1]),
    collections.deque([1], maxlen=3),
    collections.Counter("aab"),
    collections.defaultdict(list, {1: [2]}),
    collections.defaultdict(None, {1: 2}),
    collections.defaultdict(collections.deque, {1: collections.deque([2])}),
    collections.defaultdict(Bag, {1: Bag(a=1)}),
    _with(Table(int, a=1), size=1),
    _with(Recent([1, 2], 3), size=1),
    datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC),
    datetime.timedelta(days=1),
    decimal.Decimal("1.50"),
    fractions.Fraction(1, 3),
    pathlib.PurePosixPath("/a"),
    uuid.UUID(int=1),
    re.compile("a+"),
    Version("1.2.post3"),
]


def classes(qualname: str) -> str:
    if qualname == "Version":
        return "packaging.version.Version"
    if qualname == "_Version":
        return "packaging.version._Version"
    here = getattr(sys.modules[__name__], qualname.split(".")[0], None)
    return f"here.{qualname}" if getattr(here, "__module__", "") == __name__ else ""


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_what_is_made_has_the_same_picture(value: object, picture: Callable[[object], str]) -> None:
    space: dict[str, Any] = {
        **{each.__name__: each for each in (collections, datetime, decimal, fractions, pathlib, re, uuid, packaging)},
        "here": sys.modules[__name__],
    }
    exec(HELPERS, space)
    source = making(picture(value), classes)
    made = eval(source, space)
    assert type(made) is type(value)
    assert picture(made) == picture(value)
    assert space["state_of"](made) == space["state_of"](value)


@pytest.mark.parametrize(
    "shown",
    [
        *("", "<object>", "Cart(items=<itself>)", "[1, …", "Unknown(a=1)", "f(1)", "Cart(**{'a': 1})", "a.b.c"),
        *(
            "lambda: 1",
            "[x for x in y]",
            "1 + 1",
            "x",
            "defaultdict(<<lambda>>, {})",
            "print('a')",
            "ValueError(args=1)",
            "nan",
        ),
        "defaultdict(<<lambda>>, {})",
        *("(" * 400, "[" * 9000, "Cart(items=print(1))", "__import__('os')"),
    ],
)
def test_what_does_not_say_enough_is_not_made(shown: str) -> None:
    assert making(shown, lambda name: "shop.Cart" if name == "Cart" else "") == ""


def test_two_states_that_differ_are_not_the_same() -> None:
    space: dict[str, Any] = {}
    exec(HELPERS, space)
    state_of = space["state_of"]
    assert state_of(Plain.of(a=1)) != state_of(Plain.of(a=2))
    assert state_of(Money(1)) != state_of(Money(2))
    assert state_of(Bag(a=1)) != state_of({"a": 1})
    assert state_of(collections.deque([1], 2)) != state_of(collections.deque([1]))
    assert state_of(Recent([1], 2)) != state_of(Recent([1]))
    assert state_of(collections.defaultdict(list)) != state_of(collections.defaultdict(int))
    assert state_of(Name("a")) != state_of("a")
    assert state_of(_with(Bag(), size=1)) != state_of(Bag())


def test_a_class_is_named_by_its_own_module_first_and_by_none_where_two_have_it() -> None:
    sources = (
        ("a.py", b"class Cart:\n    class Item: ...\n"),
        ("b.py", b"class Cart: ...\n"),
        ("c.py", b"class Shop: ...\n# class Item\n"),
        ("d.py", b"class Broken(\n"),
    )
    find = class_names("a.py", sources, lambda path: path.removesuffix(".py"))
    assert find("Cart") == "a.Cart"
    assert find("Cart.Item") == "a.Cart.Item"
    assert find("Shop") == "c.Shop"
    assert [find("Item"), find("Broken"), find("")] == ["", "", ""]
    assert class_names("c.py", sources, lambda path: path)("Cart") == ""


def test_numbers_with_a_point_are_the_same_to_nine_digits_wherever_they_stand() -> None:
    space: dict[str, Any] = {}
    exec(HELPERS, space)
    same = space["same"]
    assert same({"a": [0.1 + 0.2, (1,)]}, {"a": [0.3, (1,)]})
    assert same(float("inf"), float("inf"))
    for found, expected in (
        (0.301, 0.3),
        (1, 1.0),
        (True, 1),
        ([1], (1,)),
        ([1], [1, 2]),
        ({"a": 1}, {"b": 1}),
        ("a", "b"),
    ):
        assert not same(found, expected)
