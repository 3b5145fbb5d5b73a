"""Further inputs near a recorded call: the same objects with one plain part of them changed.

Generated literals never reach code that only runs for an iterator, an instance or a callback. A call that a test made
does, and so do its neighbours. Each variant changes one argument, or something that an argument holds as attribute.
That is a number, a text, a flag or a collection, its own or that of an object that it holds. Or it changes something
that the call left at its default. What is shared stays shared.
"""

from __future__ import annotations

import copy
import datetime
import enum
import itertools
import types

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.pictures import attributes, excerpt, picture
from _repair_probe.values.possible_states import is_refused
from _repair_probe.values.unlike_values import exchange_values, values_unlike

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from _repair_probe.ground.words import Copies, Value, Where
    from _repair_probe.values.call_effects import PassableOptions

    Path = tuple[tuple[Value, bool], ...]
    """Steps into an object: a name and true for an attribute, a key and false for an item."""

    Above = tuple[int, ...]
    """The identities of the objects that one lies in."""

    Setting = tuple[Value, str, Value]
    """An object, the name of an attribute, and what to put there."""

_MOST_CHANGED, _MOST_ALONE, _MOST_ASIDE = 20, 24, 10
"""Variants of what a call gives, of that where it gives objects alone, and of what it leaves at its default."""

_MOST_UNLIKE = 60
"""Variants that are further from the call."""

_MOST_FIELDS = 6
_MOST_DEEP, _MOST_BELOW, _DEEPEST = 8, 6, 3
"""Collections and fields of held objects that are changed, in how many ways each, and how deep they may lie."""
_MOST_ITEMS = 200
_MOST_MEMBERS = 4
_ITERATORS: tuple[type, ...] = (type(iter([])), type(iter(())), type(iter(range(0))), type(iter("")))
_EXACT = (("decimal", "Decimal"), ("fractions", "Fraction"))
_SEQUENCES = (list, tuple)
_TEXTS = (str, bytes)
_HOLDERS = (list, tuple, dict, set, frozenset)
_SCALARS = (bool, int, float, str, bytes)
_SHARED = (type, types.ModuleType, types.FunctionType, enum.Enum)
_DATES = (datetime.date, datetime.datetime, datetime.timedelta)
_DIGITS = str.maketrans("0123456789", "1234567891")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NEXT = str.maketrans(_LETTERS + _LETTERS.upper(), _LETTERS[1:] + "a" + _LETTERS[1:].upper() + "A")


class Variant:
    """Changed arguments. ``old`` and ``new`` are what changed where ``of_call``: where the call itself gives it.

    Else it is what the call leaves as it is: an option, or an object's attribute beside plain arguments. ``note``
    says what was changed where the arguments do not show it. A ``setting`` is still to be made.
    """

    __slots__ = ("args", "cells", "kwargs", "new", "note", "of_call", "old", "setting")

    old: Value
    new: Value

    def __init__(
        self,
        copies: Copies,
        change: tuple[Value, Value] | None = None,
        note: str = "",
        setting: Setting | None = None,
    ) -> None:
        self.setting = setting
        (self.args, self.kwargs, self.cells), self.note = copies, note
        self.of_call = change is not None
        self.old, self.new = change or (None, None)


def variants(
    copies: Callable[[], Copies],
    options: PassableOptions | None = None,
    defaults: dict[str, Value] | None = None,
    live: bool = False,
) -> Iterator[Variant]:
    """Variants, few for each place. ``copies()`` gives fresh ``(args, kwargs, cells)``.

    ``options`` are the function's ``PassableOptions``, and ``defaults`` the defaults of its parameters by name. Where
    the arguments are ``live``, which is no copies, their attributes are left as settings to be made.
    """
    args, kwargs, cells = copies()
    places: list[Where] = [(0, n) for n in range(len(args))] + [(1, name) for name in sorted(kwargs)]
    alone = not any(True for side, key in places for _ in _near_values((args, kwargs)[side][key]))
    read = options.attributes if options is not None else frozenset()
    streams = [_variants_at(copies, place, alone, read, live) for place in places]
    yield from _in_turn(streams, _MOST_ALONE if alone else _MOST_CHANGED)
    if options is not None:
        left, defaults = options.left_out(args, kwargs), defaults or {}
        aside = [_variants_passed(copies, options, name, defaults[name]) for name in left if name in defaults]
        yield from _in_turn(
            [*aside, *(_variants_of_cell(copies, options, name) for name in sorted(cells))], _MOST_ASIDE
        )


def further_variants(copies: Callable[[], Copies]) -> Iterator[Variant]:
    """Variants of what a call gives that are further from it: see ``kinds``."""
    args, kwargs, _ = copies()
    places: list[Where] = [(0, n) for n in range(len(args))] + [(1, name) for name in sorted(kwargs)]
    streams = [_unlike_variants(copies, place) for place in places]
    yield from _in_turn([_exchanges(copies), *streams], _MOST_UNLIKE)


def _exchanges(copies: Callable[[], Copies]) -> Iterator[Variant]:
    for changed, old, new in exchange_values(copies):
        yield Variant(changed, (old, new))


def _unlike_variants(copies: Callable[[], Copies], place: Where) -> Iterator[Variant]:
    side, key = place
    value = copies()[side][key]
    for other in values_unlike(value):
        changed = copies()
        changed[side][key] = copy.deepcopy(other)
        yield Variant(changed, (value, other))


def _in_turn(streams: list[Iterator[Variant]], most: int) -> Iterator[Variant]:
    given = 0
    while streams and given < most:
        for stream in list(streams):
            variant = next(stream, None)
            if variant is None:
                streams.remove(stream)
            elif given < most:
                given += 1
                yield variant


def _variants_at(
    copies: Callable[[], Copies], place: Where, alone: bool, read: Container[str], live: bool
) -> Iterator[Variant]:
    """Variants of one argument: of the value where it is plain or holds others, else of its attributes.

    ``alone`` says that no argument is plain, so that the attributes are what the call gives. Those whose names the
    function reads, with or without underscores, come first.
    """
    side, key = place
    value = copies()[side][key]
    own = list(_near_values(value))
    for number in range(len(own)):
        changed = copies()
        # Made anew from this copy, so that what the argument shares with others is still shared.
        changed[side][key] = list(_near_values(changed[side][key]))[number]
        yield Variant(changed, (value, changed[side][key]))
    if own or isinstance(value, _SHARED) or (copies()[side][key] is value and not live):
        return  # a member of an enumeration, say, is its own copy: it is the program's
    fields = sorted(_fields_below(value), key=lambda field: _last_name(field[0]) not in read)
    plain = [field for field in fields if len(field[0]) == 1 and type(field[1]) in (*_SCALARS, *_DATES)]
    chosen = [*plain[:_MOST_FIELDS], *[field for field in fields if field not in plain][:_MOST_DEEP]]
    streams = [_replace_argument(copies, place, path, held, alone, live) for path, held in chosen]
    yield from _in_turn(streams, _MOST_ALONE)


def _fields_below(value: Value, depth: int = _DEEPEST, above: Above = ()) -> Iterator[tuple[Path, Value]]:
    """Attributes of an object that hold plain values or collections, and those of objects in these, with their paths.

    Example: of a cart ``(("items", ATTRIBUTE),)``, and of an item in it ``(("items", ATTRIBUTE), (0, ITEM), ("count",
    ATTRIBUTE))``.
    """
    for name, held in attributes(value, type(value)):
        step: Path = ((name, True),)
        kind = type(held)
        if kind in _SCALARS or kind in _DATES or kind in _HOLDERS:
            yield step, held
        if depth > 1:
            around = (*above, id(value))
            for key, inner in _objects_in(held):
                if id(inner) not in around:
                    for path, leaf in _fields_below(inner, depth - 1, around):
                        yield (*step, *key, *path), leaf


def _objects_in(held: Value) -> list[tuple[Path, Value]]:
    """The object itself, or the first and the last objects of a list or a mapping."""
    kind = type(held)
    if kind in _SCALARS or kind in _DATES:
        return []
    if kind is list or kind is dict:
        found = list(enumerate(held) if kind is list else held.items())
        ends = found if len(found) <= 2 else [found[0], found[-1]]
        return [(((key, False),), each) for key, each in ends if _is_object(each)]
    return [((), held)] if _is_object(held) else []


def _is_object(value: Value) -> bool:
    kind = type(value)
    plain = kind in _SCALARS or kind in _DATES or kind in _HOLDERS or isinstance(value, (type, enum.Enum))
    return not plain and kind.__module__ not in ("builtins", "types", "functools", "threading", "_thread")


def _shown(path: Path) -> str:
    """The path as a program writes it: ``items['tea'].count``."""
    steps = (".%s" % name if is_attribute else "[%s]" % excerpt(picture(name), 20) for name, is_attribute in path)
    return "".join(steps)[1:]


def _last_name(path: Path) -> str:
    name = str(path[-1][0])
    return name.strip("_").rpartition("__")[2]


def _replace_argument(
    copies: Callable[[], Copies], place: Where, path: Path, field: Value, alone: bool, live: bool
) -> Iterator[Variant]:
    """The call with another value in one attribute of an argument, or of an object that it holds."""
    side, key = place
    others = list(_near_values(field))
    if type(field) is int:
        others.insert(2, field + 2)  # odd, or even, as the field is
    for other in others[: _MOST_ALONE if len(path) == 1 else _MOST_BELOW]:
        changed = copies()
        try:
            owner = changed[side][key]
            for name, is_attribute in path[:-1]:
                owner = dict(attributes(owner, type(owner)))[name] if is_attribute else owner[name]
            setting = owner, path[-1][0], copy.deepcopy(other)
            if not live:
                if is_refused(*setting):
                    continue
                object.__setattr__(*setting)
        except (AttributeError, TypeError, LookupError):
            return
        # Of a large object the text shows the beginning alone.
        note = "%s=%s" % (_shown(path), excerpt(picture(other), 60))
        yield Variant(changed, (field, other) if alone else None, note, setting if live else None)


def _variants_passed(
    copies: Callable[[], Copies], options: PassableOptions, name: str, default: Value
) -> Iterator[Variant]:
    """The call with a parameter named that it left at its default."""
    for number in range(len(options.values(name, default, _near_values))):
        changed = copies()
        changed[1][name] = options.values(name, default, _near_values)[number]
        yield Variant(changed)


def _variants_of_cell(copies: Callable[[], Copies], options: PassableOptions, name: str) -> Iterator[Variant]:
    """The call with a free variable changed that holds a flag, a number or a text, or nothing where it is called."""
    value = copies()[2][name]
    plain = _near_values(value) if type(value) in _SCALARS else ()
    for other in [*plain, *(options.recorders(name) if value is None else ())]:
        changed = copies()
        changed[2][name] = copy.deepcopy(other)
        yield Variant(changed, note="%s=%s" % (name, excerpt(picture(other), 60)))


def _near_values(value: Value) -> Iterator[Value]:
    """Values of the same kind that a slip by one would tell apart; none where the kind is not known."""
    kind = type(value)
    if kind is bool:
        yield not value
    elif kind is int or kind is float:
        yield from _distinct_values(value, (value + 1, value - 1, -value, value * 2 + 1, kind(0)))
    elif kind in _TEXTS:
        yield from _distinct_values(
            value, (value[:-1], value + value[-1:], *_of_its_shape(value), value[1:], value.swapcase(), value[:0])
        )
    elif kind in _SEQUENCES:
        yield from _rows(value, kind)
    elif kind in (set, frozenset):
        yield from _distinct_values(value, (kind(sorted(value, key=repr)[1:]), kind()))
    elif kind is dict:
        yield from _mappings(value)
    elif kind in _DATES:
        yield from _distinct_values(value, _moments(value))
    elif (kind.__module__, kind.__name__) in _EXACT:
        yield from _distinct_values(value, (value + 1, value - 1, -value, value * 2 + 1))
    elif isinstance(value, enum.Enum):
        yield from [member for member in kind if member is not value][:_MOST_MEMBERS]
    elif kind in _ITERATORS:
        items = list(copy.copy(value))
        if len(items) <= _MOST_ITEMS:
            for row in _rows(items, list):
                yield iter(row)


def _moments(value: datetime.date | datetime.timedelta) -> Iterator[Value]:
    """A day, a week and a year on, and a day back, as far as the calendar goes."""
    for days in (1, -1, 7, 365):
        try:
            yield value + datetime.timedelta(days=days)
        except OverflowError:
            continue


def _of_its_shape(value: Value) -> list[Value]:
    """Texts with other digits, or other letters, in the same places."""
    if type(value) is bytes:
        return [text.encode("latin-1") for text in _of_its_shape(value.decode("latin-1"))]
    numbers = [str(int(value) + 1), str(int(value) - 1)] if value.isdecimal() and len(value) < 20 else []
    last = value[:-1] + value[-1:].translate(_DIGITS).translate(_NEXT)
    return [*numbers, value.translate(_DIGITS), value.translate(_NEXT), last]


def step_of(old: Value, new: Value) -> int:
    """By how much a number, or a text that is one, was moved; 0 where that cannot be said."""
    try:
        moved = int(new) - int(old)
    except (TypeError, ValueError, OverflowError):
        return 0
    return moved if type(old) is type(new) and type(old) in (int, float, str) else 0


def _rows(value: Value, kind: type) -> Iterator[Value]:
    yield from _distinct_values(value, (value[:-1], value + value[:1], value[1:], value[::-1], kind()))
    for place in sorted({0, len(value) - 1}) if value else ():
        for other in _variants_inside(value[place]):
            yield value[:place] + kind([other]) + value[place + 1 :]


def _variants_inside(item: Value) -> Iterator[Value]:
    """Values near an item; near one that is a row itself, rows of the same length."""
    if type(item) in _SCALARS:
        yield from _near_values(item)
    elif type(item) in _SEQUENCES:
        for place, part in enumerate(item[:_MOST_FIELDS]):
            for other in itertools.islice(_near_values(part), 2) if type(part) in _SCALARS else ():
                yield item[:place] + type(item)([other]) + item[place + 1 :]


def _mappings(value: dict[Value, Value]) -> Iterator[Value]:
    items = list(value.items())
    yield from _distinct_values(value, (dict(items[1:]), dict(items[::-1]) if len(items) > 1 else value, {}))
    for key, held in items[:1]:
        inside = _variants_inside(held) if type(held) in _SEQUENCES else ()
        for other in _distinct_values(held, (*inside, *_near_values(held))):
            yield dict(value, **{key: other}) if type(key) is str else {**value, key: other}


def _distinct_values(value: Value, others: Iterable[Value]) -> Iterator[Value]:
    """Those that differ from the value and from each other, by identity where they cannot be compared."""
    known = [value]
    for other in others:
        try:
            new = all(other is not k and other != k for k in known)
        except Exception:  # the target's own ``__eq__``
            new = False
        if new:
            known.append(other)
            yield other
