"""Larger inputs like a recorded one: collections and texts repeated, numbers that may be sizes multiplied.

A *place* is where a call grows: one argument, all of them together, or the collections that the instance holds.
Items are repeated as they are, or each time moved on, so that they stay distinct; or these, with their comparisons
counted.
"""

from __future__ import annotations

import copy

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.counted_comparisons import count_comparisons
from _repair_probe.values.pictures import attributes

if TYPE_CHECKING:
    from typing import Any, Literal

    from _repair_probe.ground.words import Copies, Value

    Side = tuple[Literal["self", 0, 1], Any]

FACTORS = (2, 4, 8, 16, 32, 64)
MOST_ITEMS = 4000
_LEAST_NUMBER, _MOST_NUMBER = 2, 10000
_MOST_PLACES = 4
_ITERATORS: tuple[type, ...] = (type(iter([])), type(iter(())), type(iter(range(0))), type(iter("")))
_COLLECTIONS = (list, tuple, dict, set, frozenset)

SELF = "the instance's collections"
ALL = "all arguments"


class GrowthPlace:
    """Where a call grows, and how."""

    def __init__(self, name: str, keys: list[Side], moving: bool, counting: bool = False) -> None:
        self.name, self._keys, self._moving, self._counting = name, keys, moving, counting

    def grow(self, copies: Copies, factor: int) -> Copies:
        """The copies ``(args, kwargs, cells)`` with what stands here that many times as large."""
        for side, key in self._keys:
            if side == "self":
                _grow_fields(copies[0][0], factor, self._moving)
            else:
                grown = enlarge_value(copies[side][key], factor, self._moving)
                copies[side][key] = count_comparisons(grown) if self._counting else grown
        return copies


def places(copies: Copies, skip: int) -> list[GrowthPlace]:
    """Places of a call that can grow, few; ``skip`` is 1 where its first argument is the instance or class."""
    args, kwargs, _ = copies
    named: list[tuple[str, Side, Value]] = [
        ("argument %d" % (n + 1 - skip), (0, n), args[n]) for n in range(skip, len(args))
    ]
    named += [(name, (1, name), kwargs[name]) for name in sorted(kwargs)]
    found = []
    for moving, counting in ((True, False), (False, False), (True, True)):
        able = [(name, key) for name, key, value in named if enlarge_value(value, 2, moving) is not None]
        if len(able) > 1:
            found.append(GrowthPlace(ALL, [key for _, key in able], moving, counting))
        found += [GrowthPlace(name, [key], moving, counting) for name, key in able[:_MOST_PLACES]]
    if skip and args and not isinstance(args[0], type) and any(_fields(args[0])):
        found.append(GrowthPlace(SELF, [("self", None)], True))
    return found


def enlarge_value(value: Value, factor: int, moving: bool) -> Value:
    """The value so many times as large, ``None`` where that means nothing. ``moving`` ones have distinct items."""
    kind = type(value)
    if kind is int:
        return None if moving or not _LEAST_NUMBER <= value <= _MOST_NUMBER else value * factor
    if kind is str or kind is bytes:
        return None if moving or not value or len(value) * factor > 4 * MOST_ITEMS else value * factor
    if kind in _ITERATORS:
        items = enlarge_value(list(copy.copy(value)), factor, moving)
        return None if items is None else iter(items)
    if kind not in _COLLECTIONS or not value or len(value) * factor > MOST_ITEMS:
        return None
    if not moving:
        return value * factor if kind in (list, tuple) else None
    items = list(value.items()) if kind is dict else list(value)
    moved = [_vary_item(item, turn, kind is dict) for turn in range(factor) for item in items]
    return kind(moved) if moved[: len(items)] != moved[len(items) : 2 * len(items)] else None


def _vary_item(item: Value, turn: int, pair: bool = False) -> Value:
    """The item, another one for each turn; where it holds no number and no text, the same."""
    kind = type(item)
    if not turn or kind is bool:
        return item
    if pair:
        return _vary_item(item[0], turn), item[1]
    if kind is int or kind is float:
        return item + 1000 * turn
    if kind is str:
        return item + "abcdefghij"[turn % 10] * (1 + turn // 10)
    if kind is tuple or kind is list:
        return kind(_vary_item(part, turn) for part in item)
    return item


def _fields(instance: Value) -> list[tuple[str, Value]]:
    return [(n, v) for n, v in attributes(instance, type(instance)) if type(v) in (list, dict, set) and v]


def _grow_fields(instance: Value, factor: int, moving: bool) -> None:
    for name, value in _fields(instance):
        grown = enlarge_value(value, factor, moving)
        if grown is None and type(value) is list:
            grown = enlarge_value(value, factor, False)
        if grown is not None:
            try:
                object.__setattr__(instance, name, grown)
            except (AttributeError, TypeError):
                continue
