"""Hooks at places of an instrumented function: they write down what is in scope there, and may put another value there.

The text of a place is ``(__repair_value__(k) if __repair_first__(k) else __repair_seen__(k, <expression>))``, so
that the expression is evaluated where it stands, or not at all.
"""

from __future__ import annotations

import builtins
import sys

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.snapshots import MISSING, copy_plain, snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType, FrameType
    from typing import Protocol

    from _repair_probe.ground.words import Value

    Seen = tuple[dict[str, Value], Value, Value]

    class Schedule(Protocol):
        """What stands at a place, and whether the program's own expression is left out there."""

        def skips(self, count: int, /) -> bool: ...
        def value(self, frame: FrameType, count: int, /) -> Value: ...
        def instead(self, count: int, value: Value, /) -> Value: ...


_MOST_HITS = 24
_MOST_EVALUATIONS = 20000


class Enough(BaseException):
    """A forced value keeps the program running for ever."""


class Hit:
    """One evaluation of a place: what was in scope, what the program had there, and what it was given."""

    __slots__ = ("given", "own", "state")

    def __init__(self, state: dict[str, Value]) -> None:
        self.state, self.own, self.given = state, MISSING, MISSING

    def as_fields(self) -> Seen:
        """As plain data."""
        return self.state, self.own, self.given


class Watch:
    """``code`` is that of the instrumented function, ``wanted`` are texts to look up beside what is in scope."""

    hits: dict[int, list[Hit]]
    _counts: dict[int, int]
    _open: list[tuple[FrameType, int, Hit]]

    def __init__(self, code: CodeType | None, wanted: Iterable[str]) -> None:
        self._code, self._wanted = code, wanted
        self.begin()
        for name, hook in (("first", self._first), ("value", self._value), ("seen", self._seen)):
            setattr(builtins, "__repair_%s__" % name, hook)

    def begin(
        self,
        places: Iterable[int] = (),
        schedule: Schedule | None = None,
        most: int = _MOST_HITS,
        states: int = _MOST_HITS,
    ) -> None:
        """Start anew: record so many hits of each of these places, which are given what the schedule says.

        The first ``states`` of them with what is in scope, the others with nothing.
        """
        self._places, self._schedule, self._most, self._states = frozenset(places), schedule, most, states
        self._counts, self._open, self._busy = {}, [], False
        self.hits = {}

    def _first(self, place: int) -> bool:
        if self._busy or place not in self._places:
            return False
        count = self._counts[place] = self._counts.get(place, 0) + 1
        if count > _MOST_EVALUATIONS:
            raise Enough
        frame = sys._getframe(1)
        hits = self.hits.setdefault(place, [])
        if len(hits) < self._most:
            self._busy = True
            try:
                told = len(hits) < self._states
                hits.append(Hit(snapshot(frame, self._code, self._wanted) if told else {}))
            finally:
                self._busy = False
            self._open.append((frame, place, hits[-1]))
        return self._schedule is not None and self._schedule.skips(count)

    def _value(self, place: int) -> Value:
        frame = sys._getframe(1)
        value = None if self._schedule is None else self._schedule.value(frame, self._counts[place])
        hit = self._hit(frame, place)
        if hit is not None:
            hit.given = copy_plain(value)
        return value

    def _seen(self, place: int, value: Value) -> Value:
        if self._busy or place not in self._places:
            return value
        hit = self._hit(sys._getframe(1), place)
        given = value
        if self._schedule is not None:
            given = self._schedule.instead(self._counts[place], value)
        if hit is not None:
            hit.own, hit.given = copy_plain(value), copy_plain(given)
        return given

    def _hit(self, frame: FrameType, place: int) -> Hit | None:
        """The hit that began in the frame; those above it were left by an exception."""
        for number in range(len(self._open) - 1, -1, -1):
            known, where, hit = self._open[number]
            if known is frame and where == place:
                del self._open[number:]
                return hit
        return None


class Truth:
    """Predicate switching: a condition is true, false, or the other way round, always or at one evaluation.

    Zhang, Gupta and Gupta, Locating faults through automated predicate switching, 2006. ``skip`` is for a condition
    that cannot be evaluated.
    """

    def __init__(self, truth: bool | None, count: int = 0, skip: bool = False) -> None:
        self._truth, self._count, self._skip = truth, count, skip

    def skips(self, _count: int) -> bool:
        """Whether the program's own expression is left out."""
        return self._skip

    def value(self, _frame: FrameType, _count: int) -> Value:
        """What stands there where it is left out."""
        return bool(self._truth)

    def instead(self, count: int, value: Value) -> Value:
        """What stands there after the program's own value was found; ``None`` as the truth turns it round."""
        if self._count and count != self._count:
            return value
        return not value if self._truth is None else self._truth


class Angel:
    """An angelic value: what an expression over the scope gives (Nguyen et al., SemFix, 2013)."""

    def __init__(self, code: CodeType) -> None:
        self._code = code

    def skips(self, _count: int) -> bool:
        """Always."""
        return True

    def value(self, frame: FrameType, _count: int) -> Value:
        """The expression's value there and then."""
        namespace = dict(frame.f_globals)
        for outer in (frame.f_back, frame):
            if outer is not None and outer.f_code.co_filename == frame.f_code.co_filename:
                namespace.update(outer.f_locals)
        return eval(self._code, namespace)

    def instead(self, _count: int, value: Value) -> Value:
        """Never asked."""
        return value
