"""Which inputs are odd beside those that tests use: of another type, negative, or far larger than any of these."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.behaviour import Call
from analysis.calls import CallInput

_FAR = 1000
"""A number is far off that is so many times as large as the largest one seen in its place."""

Place = int | str


def is_odd(call: Call, seen: Sequence[CallInput]) -> bool:
    """Whether nothing like the call's arguments was seen in tests. Of what is no literal nothing is said.

    Example: tests call ``half(3)`` and ``half(8)``. Then ``half(-1)`` and ``half(None)`` are odd, and ``half(5)`` is
    not.
    """
    known = _values_by_place(seen)
    return any(place in known and _is_beyond(value, known[place]) for place, value in _arguments(call))


def _values_by_place(seen: Sequence[CallInput]) -> dict[Place, list[Any]]:
    known: dict[Place, list[Any]] = {}
    for each in seen:
        values = each.values()
        if values is not None:
            given: list[tuple[Place, Any]] = [*enumerate(values[0]), *values[1].items()]
            for place, value in given:
                known.setdefault(place, []).append(value)
    return known


def _arguments(call: Call) -> Iterator[tuple[Place, Any]]:
    try:
        parsed = ast.parse(f"f{call.arguments}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if not isinstance(parsed, ast.Call):
        return
    given: list[tuple[Place, ast.expr]] = [*enumerate(parsed.args), *((k.arg or "", k.value) for k in parsed.keywords)]
    for place, node in given:
        try:
            yield place, ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue


def _is_beyond(value: Any, seen: Sequence[Any]) -> bool:
    """Whether no value like this one is among those that were seen."""
    if _kind(value) not in {_kind(each) for each in seen}:
        return True
    if _kind(value) == "number":
        numbers = [each for each in seen if _kind(each) == "number"]
        if isinstance(value, float) and not math.isfinite(value):
            return all(not isinstance(each, float) or math.isfinite(each) for each in numbers)
        return bool(value < 0 <= min(numbers)) or bool(abs(value) > _FAR * max(1, *map(abs, numbers)))
    if isinstance(value, (list, tuple, set, frozenset)) and value:
        inner = [item for each in seen if isinstance(each, (list, tuple, set, frozenset)) for item in each]
        return bool(inner) and any(_is_beyond(item, inner) for item in value)
    if isinstance(value, dict) and value:
        items = [item for each in seen if isinstance(each, dict) for item in each.values()]
        return bool(items) and any(_is_beyond(item, items) for item in value.values())
    return False


def _kind(value: Any) -> str:
    return "number" if type(value) in (int, float) else type(value).__name__
