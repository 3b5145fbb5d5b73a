"""Calls further from a recorded one: other kinds, one name exchanged everywhere, other files."""

import collections
import copy
import decimal
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox.request import PROBE


@pytest.fixture(scope="module")
def kinds() -> Iterator[Any]:
    sys.path.insert(0, str(PROBE))
    try:
        from _repair_probe.values import unlike_values as module  # noqa: PLC0415

        yield module
    finally:
        sys.path.remove(str(PROBE))


class Shelf:
    def __init__(self) -> None:
        self.counts = {"nail": 3, "screw": 20}


@pytest.mark.parametrize(
    ("value", "types"),
    [
        (7, {int, float, decimal.Decimal}),
        (1.5, {float, int, decimal.Decimal}),
        ("ab", {str, list}),
        (b"ab", {bytes, bytearray}),
        ([1, 2], {list, tuple, collections.deque}),
        ((1, 2), {list, tuple, collections.deque}),
        ({"a": 1}, {dict, collections.OrderedDict}),
        ({1}, {frozenset}),
        (frozenset({1}), {set}),
        (io.StringIO("a\nb\n"), {io.StringIO}),
        (None, set()),
        (float("nan"), {float}),
        (True, set()),
    ],
)
def test_the_same_in_another_kind(kinds: Any, value: Any, types: set[type]) -> None:
    found = list(kinds.values_unlike(value))
    assert types <= {type(each) for each in found}
    assert bool(found) is bool(types)
    for each in found:
        copy.deepcopy(each)


def test_rows_come_in_other_lengths_and_as_a_stream_that_can_be_copied(kinds: Any) -> None:
    found = list(kinds.values_unlike([1, 2, 3]))
    assert {len(each) for each in found if type(each) is list} >= {1, 2, 3, 4, 5, 6, 9}
    stream = next(each for each in found if type(each) is kinds.Stream)
    assert list(copy.deepcopy(stream)) == list(stream) == [1, 2, 3]
    assert list(stream) == []


@pytest.mark.parametrize("value", [[1, 2], (1, 2), ["a", "b"], "ab"])
def test_rows_hold_an_item_of_another_kind(kinds: Any, value: Any) -> None:
    rows = [row for row in kinds.values_unlike(value) if type(row) in (list, tuple)]
    assert any(len({type(item) for item in row}) == 2 for row in rows)


def test_an_object_comes_as_after_long_use(kinds: Any) -> None:
    class Till:
        def __init__(self) -> None:
            self.taken, self.name, self.open = 2, "a", True

    later = list(kinds.values_unlike(Till()))
    assert [each.taken for each in later] == [12, 1002]
    assert {each.name for each in later} == {"a"}
    assert all(each.open is True for each in later)


def test_an_object_that_cannot_be_copied_has_no_later_form(kinds: Any) -> None:
    class Odd:
        def __init__(self) -> None:
            self.taken = 2

        def __deepcopy__(self, memo: dict[int, Any]) -> None:
            raise RuntimeError("mine")

    assert list(kinds.values_unlike(Odd())) == []


def test_a_text_of_lines_comes_with_longer_ones(kinds: Any) -> None:
    assert "a=1a=1\nb=2b=2\n" in list(kinds.contents_like("a=1\nb=2\n"))


@pytest.mark.parametrize(("value", "longer"), [("€12.5", {"€1212.5", "€12.55"}), ("7", {"77"}), ("ab", set())])
def test_a_text_comes_with_longer_numbers(kinds: Any, value: str, longer: set[str]) -> None:
    assert all(each in list(kinds.values_unlike(value)) for each in longer)


def test_each_other_digit_comes_to_the_first_place_and_the_last_two(kinds: Any) -> None:
    found = list(kinds.other_digits("x1.234"))
    assert len(found) == len(set(found)) == 27
    assert {"x9.234", "x1.264", "x1.235"} <= set(found)
    assert "x1.334" not in found
    assert list(kinds.other_digits("x")) == []


def test_a_name_is_exchanged_wherever_it_stands(kinds: Any) -> None:
    shelf = Shelf()
    found = list(kinds.exchange_values(lambda: copy.deepcopy(([shelf, "nail", 3], {}, {}))))
    assert [(args[0].counts, args[1], args[2]) for (args, _, _), old, _ in found if old == "nail"][:2] == [
        ({"objm": 3, "screw": 20}, "objm", 3),
        ({"znail": 3, "screw": 20}, "znail", 3),
    ]
    assert [(args[0].counts, args[2]) for (args, _, _), old, _ in found if old == 3][:1] == [
        ({"nail": 4, "screw": 20}, 4)
    ]
    assert shelf.counts == {"nail": 3, "screw": 20}


def test_what_stands_in_one_place_alone_is_not_exchanged(kinds: Any) -> None:
    assert list(kinds.exchange_values(lambda: (["a", 5, [1, 1], True], {}, {}))) == []


@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_comes_under_other_names_and_with_other_contents(kinds: Any, tmp_path: Path, kind: type) -> None:
    path = tmp_path / "app.ini"
    path.write_text("a = 1\nb = 2\n")
    first, *found = kinds.values_unlike(kind(str(path)))
    assert Path(first) == path
    assert not isinstance(first, kind)
    assert found
    assert all(isinstance(each, kind) for each in found)
    there = [Path(each) for each in found]
    assert {"app2.ini", "app.txt", "app"} <= {each.name for each in there}
    assert {each.read_text() for each in there} >= {"a = 1\nb = 2\n", "b = 2\na = 1\n", "a = 1\n", "a = 1\nb = 2"}
    assert [each.name for each in tmp_path.iterdir()] == ["app.ini"]


def test_a_path_that_names_no_small_file_of_text_has_none(kinds: Any, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"\xff\xfe")
    (tmp_path / "large").write_text("a" * 60000)
    assert [list(kinds.values_unlike(tmp_path / name)) for name in ("data", "large", "missing", "")] == [[], [], [], []]
