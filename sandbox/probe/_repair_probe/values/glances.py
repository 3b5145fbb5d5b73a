"""A value at a glance: of which class it is, and its text where it is short. None of the target's code is run."""

from __future__ import annotations

import collections

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.pictures import attributes
from _repair_probe.values.plain import plain_source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _repair_probe.ground.words import Value

    Glance = tuple[str, str]
    """The class of a value, and its text, which may be empty: ``("empty str", "''")``."""

    Glances = dict[str, Glance]

_MOST_TEXT = 80
_MOST_NAMES = 24
_MOST_ATTRIBUTES = 12
_LONGEST_NAME = 60
_NUMBERS = (int, float)
_SIZED = (str, bytes, bytearray, list, tuple, dict, set, frozenset, collections.deque)


def glance(value: Value) -> Glance:
    """Class and text of one value.

    Two values are of one class where code that asks for nothing, truth, sign or type cannot tell them apart.
    Example: ``glance(-3)`` is ``("negative int", "-3")``.
    """
    kind = type(value)
    if value is None or kind is bool:
        return repr(value), repr(value)
    if any(kind is number for number in _NUMBERS):
        sign = "positive" if value > 0 else "negative" if value < 0 else "zero" if value == 0 else "nan"
        return "%s %s" % (sign, kind.__name__), _short(value)
    if any(kind is sized for sized in _SIZED):
        return ("%s" if value else "empty %s") % kind.__name__, _short(value) or _beginning(value)
    return _name_of(kind), ""


def glances(named: Mapping[str, Value], owner: str = "") -> Glances:
    """Those of named values, the first of them; of the one that is called ``owner`` its attributes, too."""
    found = {}
    for name in list(named)[:_MOST_NAMES]:
        if type(name) is str and len(name) <= _LONGEST_NAME:
            found[name] = glance(named[name])
    if owner and owner in named and found.get(owner, ("", "x"))[1] == "":
        value = named[owner]
        try:
            own = attributes(value, type(value))
        except Exception:  # a class of the target may be odd in any way
            own = []
        for name, held in own[:_MOST_ATTRIBUTES]:
            if len(name) <= _LONGEST_NAME and not name.startswith("__"):
                found["%s.%s" % (owner, name)] = glance(held)
    return found


def distance(one: Mapping[str, Glance], other: Mapping[str, Glance], owner: str = "") -> float:
    """How far two calls are from each other by what they are given; 0 where nothing that is told differs.

    Attributes of the ``owner`` count a quarter of what an argument does.
    """
    total = 0.0
    for name in {*one, *other}:
        weight = 0.25 if owner and name.startswith(owner + ".") else 1.0
        total += weight * _apart(one.get(name), other.get(name))
    return total


def _apart(one: Glance | None, other: Glance | None) -> float:
    if one is None or other is None:
        return 2.0
    if one[1] == other[1] and one[0] == other[0]:
        return 0.0
    if one[0] != other[0]:
        return 2.0
    numbers = _number(one[1]), _number(other[1])
    if numbers[0] is not None and numbers[1] is not None:
        size = abs(numbers[0]) + abs(numbers[1])
        return abs(numbers[0] - numbers[1]) / size if 0 < size < float("inf") else 1.0
    return 1.0 - _shared(one[1], other[1])


def _shared(one: str, other: str) -> float:
    """The share of two texts that they begin and end with alike."""
    least, most = sorted((len(one), len(other)))
    front = next((n for n in range(least) if one[n] != other[n]), least)
    back = next((n for n in range(least - front) if one[-1 - n] != other[-1 - n]), least - front)
    return (front + back) / most if most else 1.0


def _number(text: str) -> float | None:
    try:
        return float(text)
    except (ValueError, OverflowError):
        return None


def _short(value: Value) -> str:
    text = plain_source(value) or ""
    return text if len(text) <= _MOST_TEXT else ""


def _beginning(value: Value) -> str:
    """What is told of a value whose text is long, or not plain."""
    if type(value) in (str, bytes):
        return repr(value[: _MOST_TEXT // 2])[:_MOST_TEXT] + "…"
    return "<%s of %d items>" % (type(value).__name__, len(value))


def _name_of(kind: type) -> str:
    try:
        name: str = type.__getattribute__(kind, "__qualname__")
    except BaseException:  # a metaclass of the target may raise anything
        return "object"
    return name[:_LONGEST_NAME]
