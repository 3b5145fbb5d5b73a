"""Messages about a value of an unsuitable type: the expression they speak of, and what it needs to be.

The wordings are those of CPython 3.8 to 3.14. None makes the constraint ``NULLABLE``, any other type
``WRONG_TYPE``. The first row that fits decides; ``need`` may use every group of the pattern.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis import operands
from analysis.operands import Finder


@dataclass(frozen=True, slots=True)
class ValueRule:
    """A message about a value. ``side`` names the group that holds the offending type."""

    types: tuple[str, ...]
    pattern: re.Pattern[str]
    finder: Finder
    need: str
    side: str = "type"


def _value(pattern: str, finder: Finder, need: str, side: str = "type") -> ValueRule:
    return ValueRule(("TypeError", "AttributeError"), re.compile(pattern, re.S), finder, need, side)


_PAIR = r": '(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'"
_BETWEEN = r"^'(?P<op>[<>=]+)' not supported between instances of '(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'"
_UNSUPPORTED = r"^unsupported operand type\(s\) for (?P<op>\S+)(?: or \S+)?" + _PAIR
_OPERAND = "the operator {op} needs a value that it supports"

VALUES: tuple[ValueRule, ...] = (
    _value(
        r"^'(?P<type>NoneType)' object has no attribute '(?P<name>\w+)'",
        operands.attribute_base,
        "`.{name}` needs a value",
    ),
    _value(
        r"^'(?P<type>[\w.]+)' object (?:is not subscriptable|does not support item (?:assignment|deletion))",
        operands.subscript_base,
        "the subscript needs a container",
    ),
    _value(r"^'(?P<type>[\w.]+)' object is unsliceable", operands.subscript_base, "the slice needs a sequence"),
    _value(r"^'(?P<type>[\w.]+)' object is not callable", operands.callee, "the call needs a callable"),
    _value(
        r"^'(?P<type>[\w.]+)' object is not (?:iterable|an iterator|an async iterable|reversible)",
        operands.iterated,
        "the iteration needs an iterable",
    ),
    _value(
        r"^cannot unpack non-iterable (?P<type>[\w.]+) object", operands.iterated, "the unpacking needs an iterable"
    ),
    _value(
        r"^argument of type '(?P<type>[\w.]+)' is not (?:iterable|a container or iterable)",
        operands.iterated,
        "`in` needs a container",
    ),
    _value(
        r"argument after \*\*? must be (?:an iterable|a mapping), not (?P<type>[\w.]+)",
        operands.iterated,
        "the unpacked argument needs an iterable or mapping",
    ),
    _value(
        r"^'(?P<type>[\w.]+)' object (?:does not support|is not) (?:the |an? )?(?:asynchronous )?context manager",
        operands.managed,
        "`with` needs a context manager",
    ),
    _value(
        r"^object of type '(?P<type>[\w.]+)' has no (?P<name>len)\(\)", operands.argument, "len() needs a sized value"
    ),
    _value(r"^bad operand type for unary \S+ '(?P<type>[\w.]+)'", operands.unary_operand, "the sign needs a number"),
    _value(
        r"^bad operand type for (?P<name>\w+)\(\): '(?P<type>[\w.]+)'", operands.argument, "{name}() needs a number"
    ),
    _value(
        r"^type (?P<type>[\w.]+) doesn't define __(?P<name>\w+)__ method", operands.argument, "{name}() needs a number"
    ),
    _value(
        r"^can(?:not| only|'t) concat(?:enate)? (?P<left>\w+) \(not \"(?P<right>[\w.]+)\"\) to (?P<same>\w+)",
        operands.added,
        "joining needs a {left} on both sides",
        "right",
    ),
    _value(
        r"^can't concat (?P<right>[\w.]+) to (?P<left>\w+)",
        operands.added,
        "joining needs a {left} on both sides",
        "right",
    ),
    _value(
        r"^can't multiply sequence by non-int of type '(?P<type>[\w.]+)'",
        operands.multiplied,
        "repeating needs an int",
    ),
    _value(
        r"indices must be integers(?: or slices)?(?:, not '?(?P<type>[\w.]+)'?)?",
        operands.subscript_index,
        "the index needs to be an int or slice",
    ),
    _value(
        r"^slice indices must be integers or None", operands.subscript_index, "the bounds of a slice need to be ints"
    ),
    _value(r"^(?:unhashable type|cannot use) ?:? ?'(?P<type>[\w.]+)'", operands.hashed, "a key needs to be hashable"),
    _value(
        r"^sequence item \d+: expected \S+ instance, (?P<type>[\w.]+) found",
        operands.argument,
        "each joined item needs to be text",
    ),
    _value(
        r"^object (?P<type>[\w.]+) can't be used in 'await' expression|^'(?P<awaited>[\w.]+)' object can't be awaited",
        operands.nothing,
        "`await` needs an awaitable",
    ),
    _value(
        r"^'(?P<type>[\w.]+)' object cannot be interpreted as an integer", operands.argument, "the call needs an int"
    ),
    _value(r"^%\w format: .*, not (?P<type>[\w.]+)", operands.formatted, "the format needs a value of another type"),
    _value(
        r"^(?P<name>[\w.]+)\(\) (?:argument|arg)\b.*?(?:, not|, got) '?(?P<type>[\w.]+)'?$",
        operands.argument,
        "{name}() refuses this type",
    ),
    _value(
        r"(?:must be|expected|required)\b.*?(?:got|not) (?:type )?'?(?P<type>[A-Za-z_][\w.]*)'?(?: instead)?$",
        operands.argument,
        "the call refuses this type",
    ),
    _value(r"^expected string or bytes-like object$", operands.argument, "the call needs text"),
)
"""Messages about one value."""

PAIRS: tuple[ValueRule, ...] = tuple(
    _value(pattern, finder, _OPERAND, side)
    for pattern in (_UNSUPPORTED, _BETWEEN)
    for side, finder in (("left", operands.left_operand), ("right", operands.right_operand))
)
"""Messages about an operator: the side that is None is at fault, else both are named."""
