"""Calls that are like a recorded one, and further from it than its neighbours.

Such a call has the same items in another kind of container, or numbers and texts of another kind, length or beginning.
One name may be exchanged wherever it stands. Another file may have the same contents, and the same file others. A patch
that asks for what the tests' calls happen to have in common answers some of them otherwise.
"""

from __future__ import annotations

import collections
import copy
import decimal
import fractions
import io
import os
import pathlib
import re
import tempfile

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.pictures import attributes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from _repair_probe.ground.words import Copies, Value

_MOST_ITEMS = 200
_MOST_NODES = 400
_MOST_DEPTH = 5
_MOST_TEXT = 4000
_MOST_BYTES = 50000
_MOST_NAMES = 3
_MOST_COUNTERS = 4
_NUMBER = re.compile("[0-9]+")
_ROWS = (list, tuple, collections.deque)
_NEXT = {ord(a): ord(b) for a, b in zip("abcdefghijklmnopqrstuvwxyz", "bcdefghijklmnopqrstuvwxyza")}
_NEXT.update({ord(a): ord(b) for a, b in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "BCDEFGHIJKLMNOPQRSTUVWXYZA")})


class Row(list):  # type: ignore[type-arg]  # a base cannot name its items before Python 3.9
    """A list that is none exactly."""


class Word(str):
    """A text that is none exactly."""


class Whole(int):
    """A number that is none exactly."""


class Table(dict):  # type: ignore[type-arg]  # the same
    """A dict that is none exactly."""


class Stream:
    """Items one after the other, once. Unlike a generator it can be copied."""

    def __init__(self, items: Iterable[Value]) -> None:
        self._items = list(items)

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> Value:
        if not self._items:
            raise StopIteration
        return self._items.pop(0)


def values_unlike(value: Value) -> Iterator[Value]:
    """Values that a function which takes this one may as well be given; none where nothing is known of it."""
    kind = type(value)
    if kind is int:
        yield from (value + 2, value + 3, value + 10, value * 10, value * 1000 + 7, 10**12 + value)
        yield from (Whole(value), float(value), decimal.Decimal(value), fractions.Fraction(value))
    elif kind is float:
        yield from (value + 0.5, value * 10, value + 1000, value / 3)
        if value == value and abs(value) < 1e15:
            yield from (decimal.Decimal(str(value)), fractions.Fraction(str(value)), int(value))
    elif kind is str:
        yield from _texts(value)
    elif kind is bytes:
        yield from (bytearray(value), value * 2, b"x" + value, value + b"x", value[: len(value) // 2])
    elif kind in _ROWS and len(value) <= _MOST_ITEMS:
        yield from _rows(list(value), kind)
    elif kind is dict and len(value) <= _MOST_ITEMS:
        yield from _tables(value)
    elif kind in (set, frozenset):
        yield (frozenset if kind is set else set)(value)
    elif kind is io.StringIO:
        for text in contents_like(value.getvalue()):
            yield io.StringIO(text)
    elif isinstance(value, pathlib.PurePath):
        yield from _files(value, type(value))
    elif kind.__module__ != "builtins" and not isinstance(value, type):
        yield from _later_words(value, kind)


def _texts(value: str) -> Iterator[Value]:
    if os.sep in value and len(value) < 1000 and os.path.isfile(value):
        yield from _files(value, str)
        return
    half = len(value) // 2
    yield from _lengthen_numbers(value)
    yield from (value + "x", "x" + value, value[:half] + "x" + value[half:], value * 2, value * 3)
    yield from other_digits(value)
    yield from (value.upper(), value.lower(), value[::-1], value[:1], value[:2], value[:3], value[:half], "é" + value)
    yield from (value.translate(_NEXT), " " + value, value + "\n", Word(value), list(value))
    if value:
        yield _mix_kinds(list(value))


def _lengthen_numbers(value: str) -> Iterator[str]:
    """The text with one of its first or last numbers twice as long."""
    runs = list(_NUMBER.finditer(value))
    for run in dict.fromkeys([*runs[:1], *runs[-1:]]):
        yield value[: run.start()] + run.group() * 2 + value[run.end() :]


def other_digits(value: str) -> Iterator[str]:
    """The text with one of its first or last digits exchanged, for each other digit by turns."""
    places = [n for n, c in enumerate(value) if c in "0123456789"]
    for step in (1, 3, 5, 7, 2, 4, 6, 8, 9):
        for place in sorted({*places[:1], *places[-2:]}):
            yield value[:place] + str((int(value[place]) + step) % 10) + value[place + 1 :]


def _rows(items: list[Value], kind: type) -> Iterator[Value]:
    others = [other for other in (list, tuple) if other is not kind]
    yield from (other(items) for other in others)
    yield Stream(items)
    yield from (Row(items), collections.deque(items), iter(items))
    half = len(items) // 2
    yield from (kind(row) for row in (items * 2, items + items[:2], items * 3, items[:half], items[half:]) if row)
    for place in range(min(len(items), 3)):
        for other in _few(values_unlike(items[place]), 4):
            yield kind([*items[:place], other, *items[place + 1 :]])
    yield kind([*items[:half], *items[:1], *items[half:]])
    if items:
        yield kind(_mix_kinds(items))
    if all(type(item) is str for item in items) and items:
        yield "".join(items)


def _later_words(value: Value, kind: type) -> Iterator[Value]:
    """The object with one of the numbers that it holds as large as after long use."""
    numbers = [(name, held) for name, held in attributes(value, kind) if type(held) is int]
    for name, held in numbers[:_MOST_COUNTERS]:
        for other in (held + 10, held + 1000):
            try:
                later = copy.deepcopy(value)
                object.__setattr__(later, name, other)
            except Exception:  # code of the target's own
                return
            yield later


def _mix_kinds(items: list[Value]) -> list[Value]:
    """The items, the last one of another kind."""
    return [*items[:-1], "x" if type(items[-1]) is not str else 7]


def _tables(value: dict[Value, Value]) -> Iterator[Value]:
    yield from (Table(value), collections.OrderedDict(value))
    for key in list(value)[:2]:
        for other in _few(values_unlike(key), 3):
            yield {other if k is key else k: v for k, v in value.items()}
        for other in _few(values_unlike(value[key]), 3):
            yield dict(value, **{key: other}) if type(key) is str else {**value, key: other}


def _few(stream: Iterable[Value], most: int) -> list[Value]:
    return [other for _, other in zip(range(most), stream)]


def _files(path: Value, kind: type) -> Iterator[Value]:
    """A small file as a path or a name, copies under other names, and files with its name and other contents."""
    place = pathlib.Path(path)
    try:
        if not place.is_file() or place.stat().st_size > _MOST_BYTES:
            return
        data = place.read_bytes()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="like-"))
        names = (place.stem + "2" + place.suffix, place.stem + ".txt", place.stem, "other" + place.suffix, "z.dat")
        made = [(name, data) for name in dict.fromkeys(names) if name]
        text = data.decode("utf-8")
        made += [(os.path.join(str(n), place.name), new.encode()) for n, new in enumerate(contents_like(text))]
    except (OSError, UnicodeDecodeError):
        return
    yield str(place) if kind is not str else place
    for name, content in made:
        target = folder / name
        try:
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(content)
        except OSError:
            continue
        yield kind(str(target))


def contents_like(text: str) -> Iterator[str]:
    """Texts with the same lines in other places, and other lines in the same places."""
    if not text or len(text) > _MOST_TEXT:
        return
    ended = text if text.endswith("\n") else text + "\n"
    lines = ended.splitlines(keepends=True)
    yield from ("".join(each.translate(_NEXT) + each for each in lines), "\n" * 3 + text, "\n" * 20 + text)
    yield "".join(line.rstrip("\r\n") * 2 + "\n" for line in lines)
    yield from (text * 2, ended.translate(_NEXT) + text, "".join(lines[::-1]), "".join(lines[1:]), "".join(lines[:-1]))
    yield from (text.rstrip("\n"), text.replace("\n", "\r\n"), text.translate(_NEXT), text.upper())


def exchange_values(copies: Callable[[], Copies]) -> Iterator[tuple[Copies, Value, Value]]:
    """Calls in which one text or number stands for another in all places where it was, if there are several."""
    counts: collections.Counter[tuple[type, Value]] = collections.Counter()
    _visit(copies()[:2], lambda value: counts.update([(type(value), value)]))
    named = [pair for pair, count in counts.items() if count > 1 and pair[0] is str and any(map(str.isalpha, pair[1]))]
    numbers = [pair for pair, count in counts.items() if count > 1 and pair[0] is int and abs(pair[1]) > 1]
    for kind, value in named[:_MOST_NAMES] + numbers[:_MOST_NAMES]:
        for other in _stand_ins(value):
            changed = copies()
            _visit(changed[:2], _swap(kind, value, other))
            yield changed, value, other


def _stand_ins(value: Value) -> tuple[Value, ...]:
    if type(value) is int:
        return (value + 1, value * 2 + 1, value + 10)
    return (value.translate(_NEXT), "z" + value, "a" + value, value * 2, value[:1], value.swapcase(), value[::-1])


def _swap(kind: type, value: Value, other: Value) -> Callable[[Value], Value]:
    return lambda held: other if type(held) is kind and held == value else held


def _visit(value: Value, say: Callable[[Value], Value], depth: int = 0, seen: set[int] | None = None) -> Value:
    """Show every text and number below to ``say``, and put what it gives in its place, if anything."""
    seen = set() if seen is None else seen
    if type(value) in (str, int):
        new = say(value)
        return value if new is None else new
    if depth > _MOST_DEPTH or id(value) in seen or len(seen) > _MOST_NODES:
        return value
    seen.add(id(value))
    kind = type(value)
    if kind is list:
        value[:] = [_visit(item, say, depth + 1, seen) for item in value]
    elif kind is tuple:
        return tuple([_visit(item, say, depth + 1, seen) for item in value])
    elif isinstance(value, dict):
        try:
            items = [(_visit(k, say, depth + 1, seen), _visit(v, say, depth + 1, seen)) for k, v in value.items()]
            value.clear()
            value.update(items)
        except Exception:  # a mapping of the target's own
            return value
    elif kind.__module__ != "builtins" and not isinstance(value, type):
        for name, field in attributes(value, kind):
            new = _visit(field, say, depth + 1, seen)
            if new is not field:
                try:
                    object.__setattr__(value, name, new)
                except (AttributeError, TypeError):
                    continue
    return value
