"""Which neighbours of a call have to follow a fix of it: ordinary values that the old function does not set apart.

What a looser form of a candidate changes beyond it, and whether that is in the way of the fix.

What lies around a test's call: its neighbours, calls further from it, and the same call with other digits.

The digits of a call's numbers and texts, one exchanged at a time: is one of them what a fix hangs on?
"""

from __future__ import annotations

import itertools
import types
from time import monotonic

from _repair_probe.compare.evaluate import RETURNED
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.vary import Variant, further_variants, step_of, variants

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType

    from _repair_probe.compare.calls import Entry
    from _repair_probe.compare.evaluate import CallOutcome
    from _repair_probe.ground.words import Send, Value

    Way = tuple[tuple[str, str], tuple[str, str]]
    """How a call ends under one program and under another."""

    from collections.abc import Callable
    from typing import Protocol

    from _repair_probe.compare.evaluate import Evaluator
    from _repair_probe.ground.words import Copies, Fields
    from _repair_probe.values.call_effects import PassableOptions

    class Weighing(Protocol):
        """What compares a call's outcomes."""

        name: str
        until: float
        evaluator: Evaluator

        @property
        def send(self) -> Send: ...

        def may_vary(self, entry: Entry) -> bool: ...

        def weigh(self, entry: Entry, reached: bool | None = None, plain: bool = True) -> Weighed | None: ...

    from collections.abc import Iterator, Sequence

    from _repair_probe.ground.words import Where


_SCALARS = (int, float, str, bytes)


class Ordinary:
    """Says whether a value is like its neighbours for a function: none of the values that code treats by themselves.

    Nothing, flags, zero and what is empty are not like their neighbours. Nor is a constant of the function, or a number
    next to one: a right fix of a boundary changes what happens there alone.
    """

    def __init__(self, codes: Iterable[CodeType], namespace: dict[str, Value], defaults: Iterable[Value]) -> None:
        self._known: set[Value] = set()
        for code in codes:
            for value in code.co_consts:
                self._learn(value)
            for name in code.co_names:
                self._learn(namespace.get(name))
        for value in defaults:
            self._learn(value)

    def _learn(self, value: Value, depth: int = 2) -> None:
        kind = type(value)
        if kind in (int, float):
            self._known.update((value - 1, value, value + 1))
        elif kind in _SCALARS:
            self._known.add(value)
        elif depth and kind in (tuple, list, set, frozenset) and len(value) <= 100:
            for item in value:
                self._learn(item, depth - 1)
        elif depth and kind is dict and len(value) <= 100:
            self._learn([*value], depth)

    def __call__(self, value: Value) -> bool:
        kind = type(value)
        if value is None or kind is bool:
            return False
        if kind in _SCALARS:
            return bool(value) and value not in self._known
        try:
            return len(value) > 0
        except Exception:  # no collection, or one of the target's own
            return not isinstance(value, (types.ModuleType, type))


class Weighed:
    """What was seen on one input: whether the old code reached the change, and how the old function ended there.

    ``moved`` says whether the patch ends otherwise; ``None`` where the old function is not among the rivals. Then
    ``before`` is how that one ends, where somebody asked.
    """

    old: CallOutcome | None
    before: CallOutcome | None
    moved: bool | None

    __slots__ = ("before", "mine", "moved", "old", "reached")

    def __init__(self, mine: CallOutcome, reached: bool) -> None:
        self.mine, self.reached = mine, reached
        self.old = self.before = self.moved = None

    def is_like(self, other: Weighed) -> bool:
        """Whether the old function reaches the change here, and ends in the same way as there."""
        if not self.reached or self.old is None or other.old is None:
            return False
        return self.old.ending == other.old.ending


class Looser:
    """Knows how the candidate ends the tests' calls that it changes, and tells each form's differences of that way."""

    _fixes: set[Way]
    _told: set[tuple[int, Way]]

    def __init__(self, send: Send) -> None:
        self._send = send
        self._fixes, self._told = set(), set()

    def learn(self, entry: Entry, weighed: Weighed) -> None:
        """A call was weighed: where a test makes it and the candidate changes it, that is the way of the fix."""
        if entry.test and weighed.moved and weighed.old is not None:
            way = weighed.old.ending, weighed.mine.ending
            if way not in self._fixes:
                self._fixes.add(way)
                self._send(kind="fixes", way=[*way])

    def tell(self, place: int, call: Fields, old: CallOutcome, mine: CallOutcome, other: CallOutcome) -> bool:
        """Tell the difference; true where the form needs no further one."""
        way = old.ending, other.ending
        if (place, way) not in self._told:
            self._told.add((place, way))
            ours, theirs = mine.wires_beside(other)
            self._send(kind="looser", rival=place, way=[*way], call=call, mine=ours, other=theirs)
        return way in self._fixes


_MOST_TEXT = 60
"""Characters of a number or text whose digits are exchanged."""


def digits_of(args: Sequence[Value], kwargs: dict[str, Value]) -> Iterator[tuple[int, int | str, str, int, int]]:
    """``(side, key, name, index, digit)`` for the first digit and the last two of each number and text."""
    named: list[tuple[int, int | str, str, Value]] = [(0, n, str(n), value) for n, value in enumerate(args)]
    named += [(1, key, key, value) for key, value in sorted(kwargs.items())]
    for side, key, name, value in named:
        if type(value) in (int, str) and len(_text(value)) <= _MOST_TEXT:
            places = [n for n, letter in enumerate(_text(value)) if letter in "0123456789"]
            told = {place: "%s[%d]" % (name, n) for n, place in zip((-1, -2), reversed(places))}
            if places:
                told.setdefault(places[0], "%s[0]" % name)
            for place, label in told.items():
                yield side, key, label, place, int(_text(value)[place])


def with_digit(copies: Callable[[], Copies], at: Where, place: int, digit: int) -> Variant | None:
    """The call with this digit in the argument ``at``; ``None`` where that would be another number of digits."""
    (side, key), changed = at, copies()
    old = changed[side][key]
    text = _text(old)
    new = text[:place] + str(digit) + text[place + 1 :]
    changed[side][key] = type(old)(new)
    if type(old) is int and str(changed[side][key]) != new:
        return None
    return Variant(changed, (old, changed[side][key]))


def _text(value: Value) -> str:
    return str(value) if type(value) is int and abs(value) < 10**18 else value if type(value) is str else ""


_SECONDS, _FURTHER_SECONDS = 0.7, 5.0
"""How long the neighbours of one recorded call are tried, and how long where other digits or further calls are."""


class Around:
    """Tries such calls with one ``Comparer``. ``ordinary`` says which values have nothing that sets them apart."""

    def __init__(
        self, comparer: Weighing, ordinary: Ordinary, options: PassableOptions, defaults: dict[str, Value]
    ) -> None:
        self._comparer, self._ordinary = comparer, ordinary
        self._options, self._defaults = options, defaults

    def tell_neighbours(self, entry: Entry, weighed: Weighed, further_too: bool = False) -> None:
        """The call's neighbours, for a while; those that have to follow a change of it are told."""
        copies = self._copies(entry)
        further_too = further_too and not entry.live  # what is made for these changes the arguments
        late = self._clock(entry, _FURTHER_SECONDS if further_too else _SECONDS)
        sides: dict[str, dict[int, Fields]] = {}
        beside = []
        every = variants(copies, self._options, self._defaults, entry.live)
        for variant in itertools.chain(further_variants(copies) if further_too else (), every):
            if late():
                break
            near = entry.moved_to(variant)
            found = self._comparer.weigh(near, plain=self._ordinary(variant.new))
            if not (variant.of_call and found and found.is_like(weighed)):
                continue
            ordinary = self._ordinary(variant.old) and self._ordinary(variant.new)
            if not weighed.moved:
                if ordinary:
                    beside.append(near if found.moved else None)
                continue
            told: Fields = self._told(near, found)
            if ordinary:
                self._comparer.send(kind="near", test=entry.test, moved=found.moved, **told)
            if not found.moved:
                sides.setdefault(repr(variant.old), {})[step_of(variant.old, variant.new)] = told
        old = weighed.old
        if weighed.moved and old is not None and old.kind == RETURNED != weighed.mine.kind:
            self._refused(entry, sides)
        if beside:
            name = self._comparer.name
            moved = [each.wire(name) for each in beside if each is not None]
            told = {"tried": len(beside), "moved": len(moved), "call": min(moved, key=_length, default=None)}
            self._comparer.send(kind="beside", of=entry.wire(name), **told)

    def _refused(self, entry: Entry, sides: dict[str, dict[int, Fields]]) -> None:
        """Tell where a number is newly refused and both numbers next to it are not."""
        for around in sides.values():
            if 1 in around and -1 in around:
                self._comparer.send(kind="alone", test=entry.test, **around[-1])

    def tell_digits(self, entry: Entry, weighed: Weighed) -> None:
        """Tell the digits of a test's own call, and, where the patch changes it, what other digits come to."""
        late = self._clock(entry, _SECONDS if entry.live else _FURTHER_SECONDS)
        for side, key, place, index, own in list(digits_of(entry.args, entry.kwargs)):
            self._digit(entry.test, (place, own, own), entry, weighed)
            for other in range(10) if weighed.moved else ():
                if late():
                    return
                variant = with_digit(self._copies(entry), (side, key), index, other) if other != own else None
                if variant is None:
                    continue
                near = entry.moved_to(variant)
                found = self._comparer.weigh(near)
                if found and found.is_like(weighed):
                    self._digit(entry.test, (place, own, other), near, found)

    def _digit(self, test: str, digit: tuple[str, int, int], entry: Entry, found: Weighed) -> None:
        self._comparer.send(kind="digit", digit=[*digit], test=test, moved=found.moved, **self._told(entry, found))

    def _copies(self, entry: Entry) -> Callable[[], Copies]:
        return lambda: self._comparer.evaluator.copies(entry)

    def _told(self, entry: Entry, found: Weighed) -> Fields:
        return {"call": entry.wire(self._comparer.name), "mine": found.mine.wire()}

    def _clock(self, entry: Entry, seconds: float) -> Callable[[], bool]:
        """Says whether time is up for what lies around the call, or nothing is left to compare with."""
        until = min(self._comparer.until, monotonic() + seconds)
        return lambda: monotonic() > until or not self._comparer.may_vary(entry)


def _length(call: Fields) -> int:
    return len(call["arguments"] + call["context"])
