"""Which neighbours of a call have to follow a fix of it: ordinary values that the old function does not set apart.

What a looser form of a candidate changes beyond it, and whether that is in the way of the fix.
"""

from __future__ import annotations

import types

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType

    from _repair_probe.compare.calls import Entry
    from _repair_probe.compare.evaluate import CallOutcome
    from _repair_probe.ground.words import Send, Value

    Way = tuple[str, str]


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


def kind_of(outcome: CallOutcome) -> str:
    """What an outcome is like: that something is returned, or the type of what is raised."""
    return outcome.shown.partition("(")[0] if outcome.shown.startswith("raises") else outcome.shown[:7]


class Weighed:
    """What was seen on one input: whether the old code reached the change, and how the old function ended there.

    ``moved`` says whether the patch ends otherwise; ``None`` where the old function is not among the rivals.
    """

    old: CallOutcome | None
    moved: bool | None

    __slots__ = ("mine", "moved", "old", "reached")

    def __init__(self, mine: CallOutcome, reached: bool) -> None:
        self.mine, self.reached = mine, reached
        self.old = self.moved = None

    def is_like(self, other: Weighed) -> bool:
        """Whether the old function reaches the change here, and ends in the same way as there."""
        if not self.reached or self.old is None or other.old is None:
            return False
        return kind_of(self.old) == kind_of(other.old)


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
            way = kind_of(weighed.old), kind_of(weighed.mine)
            if way not in self._fixes:
                self._fixes.add(way)
                self._send(fixes=[*way, entry.test])

    def tell(self, place: int, call: str, old: CallOutcome, mine: CallOutcome, other: CallOutcome) -> bool:
        """Tell the difference; true where the form needs no further one."""
        way = kind_of(old), kind_of(other)
        if (place, way) not in self._told:
            self._told.add((place, way))
            ours, theirs = mine.excerpts_beside(other)
            self._send(looser=place, way=[*way], call=call, mine=ours, other=theirs)
        return way in self._fixes
