"""The tests' own parameters, put back after each run: a test may change the very lists that it is given.

Pytest hands the same objects to each run of a parametrized test. A candidate that gets further than the unpatched
program may let its test change them. Whoever runs next in that process is then given something else. What is put back
are the contents of plain lists, dicts and sets, the same objects in the same order. Nothing is compared by the
project's own code. What cannot be put back, the batch's digests still see.
"""

from __future__ import annotations

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    import pytest

    from _repair_probe.ground.words import Value

_MOST = 2000


class Parameters:
    """What the parameters of some items hold now. With too much of it nothing is kept, and nothing put back."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self._kept: list[tuple[Value, list[Value]]] = []
        specs = (getattr(item, "callspec", None) for item in items)
        waiting: list[Value] = [spec.params for spec in specs if spec is not None]
        seen: set[int] = set()
        left = _MOST
        while waiting:
            thing = waiting.pop()
            if type(thing) not in _INSIDE or id(thing) in seen:
                continue
            seen.add(id(thing))
            held = _INSIDE[type(thing)](thing)
            left -= 1 + len(held)
            if left < 0:
                self._kept = []
                return
            if type(thing) in _BACK:
                self._kept.append((thing, held))
            waiting.extend(held)

    def restore(self) -> None:
        """Put back what has changed."""
        for thing, held in self._kept:
            now = _INSIDE[type(thing)](thing)
            if len(now) != len(held) or any(a is not b for a, b in zip(now, held)):
                _BACK[type(thing)](thing, held)


def _list_back(thing: list[Value], held: list[Value]) -> None:
    thing[:] = held


def _dict_back(thing: dict[Value, Value], held: list[Value]) -> None:
    thing.clear()
    thing.update(zip(held[::2], held[1::2]))


def _set_back(thing: set[Value], held: list[Value]) -> None:
    thing.clear()
    thing.update(held)


def _pairs(thing: dict[Value, Value]) -> list[Value]:
    return [each for pair in thing.items() for each in pair]


_INSIDE: dict[type, Callable[[Any], list[Value]]] = {list: list, tuple: list, frozenset: list, set: list, dict: _pairs}
_BACK: dict[type, Callable[[Any, list[Value]], None]] = {list: _list_back, dict: _dict_back, set: _set_back}
