"""Pictures of values: equal for equal outcomes, different for different ones, readable, bounded."""

import io
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from sandbox.request import PROBE


class Colour(Enum):
    RED = 1


class Point:
    __slots__ = ("__hidden", "x")

    def __init__(self, x: Any) -> None:
        self.x = x
        self.__hidden = 1


class Tagged(list[int]):
    def __init__(self, items: list[int], tag: str) -> None:
        super().__init__(items)
        self.tag = tag


class Hostile:
    def __repr__(self) -> str:
        raise SystemExit

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


@pytest.fixture(scope="module")
def values() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.values import pictures as module  # noqa: PLC0415

        yield module
    finally:
        sys.path.remove(str(PROBE))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (True, "True"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (-0.0, "-0.0"),
        (1e300, "1e+300"),
        (0.1 + 0.2, "0.3"),
        (1.0000001, "1.0000001"),
        (str(0.1 + 0.2), "'0.30000000000000004'"),
        ((1,), "(1,)"),
        ([1, "a", b"b", None], "[1, 'a', b'b', None]"),
        ({"b": 1, "a": {2}}, "{'b': 1, 'a': {2}}"),
        (set(), "set()"),
        (frozenset({3, 1}), "frozenset({1, 3})"),
        (deque([1]), "deque([1])"),
        (OrderedDict(a=1), "OrderedDict({'a': 1})"),
        (Colour.RED, "Colour.RED"),
        (Point(2), "Point(_Point__hidden=1, x=2)"),
        (Tagged([1], "t"), "Tagged([1], tag='t')"),
        (Hostile(), "Hostile()"),
        (date(2020, 1, 2), "datetime.date(2020, 1, 2)"),
        (Decimal("1.0"), "Decimal('1.0')"),
        (ValueError("x", 1), "ValueError('x', 1)"),
        (range(3), "range(0, 3)"),
        (len, "<len>"),
        (Point, "<Point>"),
    ],
)
def test_picture(values: Any, value: object, text: str) -> None:
    assert values.picture(value) == text


def test_streams_of_the_language_show_where_they_are_and_stay_there(values: Any, tmp_path: Path) -> None:
    text, data = io.StringIO("one\ntwo"), io.BytesIO(b"abc")
    text.readline(), data.read(1)
    assert values.picture(text) == "<_io.StringIO object at 0x…> 'one\\ntwo', at 4"
    assert values.picture(data) == "<_io.BytesIO object at 0x…> b'abc', at 1"
    path = tmp_path / "a"
    path.write_text("one\ntwo\n")
    with path.open() as lines, path.open("rb") as raw, path.open("a") as end:
        lines.readline(), raw.read(2), end.write("three")
        assert values.picture(lines).endswith("encoding='UTF-8'> at 4")
        assert values.picture(raw).endswith("> at 2")
        assert values.picture(end).endswith("encoding='UTF-8'> at 8"), "what is held back is not written out for that"
        assert path.read_text() == "one\ntwo\n"
        assert next(lines) == "two\n"
        assert values.picture(lines).endswith("> at 8"), "in the middle of a loop there is none of the text"
    assert values.picture(lines).endswith("closed")


def test_a_lock_shows_whether_it_is_held(values: Any) -> None:
    lock = threading.Lock()
    with lock:
        assert values.picture(lock) == "<locked _thread.lock object at 0x…>"
    assert values.picture(lock) == "<unlocked _thread.lock object at 0x…>"


def test_what_is_left_of_a_row_shows_and_stays(values: Any) -> None:
    rest = iter([1, "a", 3])
    assert next(rest) == 1
    assert values.picture([rest, iter(())]) == "[iter(['a', 3]), iter([])]"
    assert list(rest) == ["a", 3]


def test_addresses_and_cycles_do_not_show(values: Any) -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert values.picture(loop) == "[<itself>]"
    assert values.picture(object()) == values.picture(object())


def test_pictures_are_bounded(values: Any) -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep, deep]
    assert len(values.picture(deep)) < 100_000
    assert len(values.picture("x" * 10**6)) < 10_000
    assert len(values.picture([[i] for i in range(10**5)])) < 10**6


@pytest.mark.parametrize(
    ("value", "text"),
    [((1, "a"), "(1, 'a')"), ((float("nan"),), None), ((frozenset(),), None), ((object(),), None), ({}, "{}")],
)
def test_literal_reads_back_or_is_none(values: Any, value: object, text: str | None) -> None:
    assert values.literal(value) == text


def test_excerpts_show_the_first_difference(values: Any) -> None:
    mine, other = values.excerpts("x" * 1000 + "a", "x" * 1000 + "b")
    assert mine.endswith("xa")
    assert other.endswith("xb")
    assert len(mine) < 300
