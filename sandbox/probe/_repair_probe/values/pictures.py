"""Pictures of values: text that two equal outcomes share, and that a person can read.

Exact builtin types look like Python source; containers are walked; other objects show their type and
attributes. Code of the target is only run for the ``repr`` of standard types. Everything is bounded.
"""

from __future__ import annotations

import ast
import collections
import copy
import enum
import functools
import re
import types

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.plain import plain_source
from _repair_probe.values.streams import stream_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from _repair_probe.ground.words import Value

_MOST_NODES = 3000
_MOST_DEPTH = 9
_MOST_TEXT = 5000
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")
_SCALARS: tuple[Any, ...] = (int, float, complex, str, bytes, bytearray)
_REPR_MODULES = {
    "array",
    "datetime",
    "decimal",
    "fractions",
    "io",
    "ipaddress",
    "pathlib",
    "re",
    "thread",
    "uuid",
    "zoneinfo",
}
_NATIVE_MODULES = ("_io", "_thread")
_HEAP_TYPE = 1 << 9
_NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
_LAZY_MODULES = ("builtins", "itertools")
_DEFAULT_FACTORY: Any = collections.defaultdict.__dict__["default_factory"].__get__
_ROWS: tuple[type, ...] = (type(iter([])), type(iter(())))
"""Iterators that can be looked at without being used up."""


def literal(value: Value) -> str | None:
    """Python source that ``ast.literal_eval`` reads back, or ``None`` when the value is not plain."""
    text = plain_source(value, 5)
    if text is None:
        return None
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    return text


def picture(value: Value, drained: Callable[[Value], str] | None = None, private: bool = True) -> str:
    """The whole bounded picture of a value. ``drained`` gives that of an iterator in it, which it may use up.

    Without ``private`` the attributes that an object keeps to itself are left out.
    """
    return _Painter(drained, private).paint(value, 0)


def is_lazy(value: Value) -> bool:
    """Whether the value is an iterator of the language itself, whose picture shows nothing of its items."""
    kind = type(value)
    return kind.__module__ in _LAZY_MODULES and hasattr(kind, "__next__")


def excerpt(text: str, most: int = 200, start: int = 0) -> str:
    """A piece of a picture that is short enough to show."""
    piece = text[start : start + most]
    return ("…" if start else "") + piece + ("…" if start + most < len(text) else "")


def excerpt_start(mine: str, other: str, most: int) -> int:
    """Where pieces of so many characters have to begin that show where two pictures first differ."""
    same = next((i for i, (a, b) in enumerate(zip(mine, other)) if a != b), min(len(mine), len(other)))
    return same - 60 if same > most - 50 else 0


def excerpts(mine: str, other: str, most: int = 200) -> tuple[str, str]:
    """Pieces of two pictures that show where they first differ."""
    start = excerpt_start(mine, other, most)
    return excerpt(mine, most, start), excerpt(other, most, start)


def scrub_addresses(text: str) -> str:
    """The text without memory addresses."""
    return _ADDRESS.sub("0x…", text[:_MOST_TEXT])


class _Painter:
    """One walk over one value."""

    def __init__(self, drained: Callable[[Value], str] | None, private: bool) -> None:
        self._drained, self._private = drained, private
        self._open: set[int] = set()
        self._left = _MOST_NODES

    def paint(self, value: Value, depth: int) -> str:
        kind = type(value)
        if value is None or kind is bool or kind in _SCALARS:
            return _scalar(value)
        self._left -= 1
        if id(value) in self._open:
            return "<itself>"
        if self._left < 0 or depth > _MOST_DEPTH:
            return "<…>"
        self._open.add(id(value))
        try:
            return self._walk(value, kind, depth + 1)
        finally:
            self._open.discard(id(value))

    def _walk(self, value: Value, kind: Any, depth: int) -> str:
        if self._drained is not None and is_lazy(value):
            return self._drained(value)
        if kind in _ROWS:
            return "iter(%s)" % self.paint(list(copy.copy(value)), depth)
        if isinstance(value, enum.Enum):
            return "%s.%s" % (kind.__qualname__, value._name_)
        if isinstance(value, _NAMED):
            return "<%s>" % getattr(value, "__qualname__", getattr(value, "__name__", "?"))
        for base, shape in _CONTAINERS:
            if isinstance(value, base):
                inside = shape(self, base, value, depth)
                return inside if kind is base else self._object(value, kind, depth, inside)
        if isinstance(value, BaseException):
            return "%s(%s)" % (kind.__qualname__, ", ".join(self.paint(a, depth) for a in value.args))
        if isinstance(value, types.MethodType):
            return "<%s of %s>" % (value.__func__.__qualname__, self.paint(value.__self__, depth))
        if isinstance(value, functools.partial):
            return "partial%s" % self.paint((value.func, value.args, value.keywords), depth)
        for base in _SCALARS:
            if isinstance(value, base):
                return self._object(value, kind, depth, base.__repr__(value))
        return self._object(value, kind, depth, None)

    def _object(self, value: Value, kind: Any, depth: int, inside: str | None) -> str:
        fields = attributes(value, kind)
        known = kind.__module__ in _NATIVE_MODULES or kind.__module__.split(".")[0].lstrip("_") in _REPR_MODULES
        standard = known or not kind.__flags__ & _HEAP_TYPE
        if inside is None and (standard or not fields) and standard:
            stands = stream_text(value)
            return scrub_addresses("%s%s" % (kind.__repr__(value), stands and " " + stands))
        if not self._private:
            fields = [(name, field) for name, field in fields if not name.startswith("_")]
        shown = ["%s=%s" % (name, self.paint(field, depth)) for name, field in fields]
        return "%s(%s)" % (kind.__qualname__, ", ".join(([inside] if inside is not None else []) + shown))

    def sequence(self, base: Any, value: Value, depth: int) -> str:
        """Items in order."""
        inside = ", ".join(self.paint(item, depth) for item in base.__iter__(value))
        if base is tuple:
            return "(%s,)" % inside if len(value) == 1 else "(%s)" % inside
        if base is list:
            return "[%s]" % inside
        most = base.maxlen.__get__(value)
        return "deque([%s])" % inside if most is None else "deque([%s], maxlen=%d)" % (inside, most)

    def mapping(self, _base: type, value: Value, depth: int) -> str:
        """Items in the order of insertion, after what makes missing ones: ``list, {1: []}``."""
        items = ", ".join("%s: %s" % (self.paint(k, depth), self.paint(v, depth)) for k, v in dict.items(value))
        if not isinstance(value, collections.defaultdict):
            return "{%s}" % items
        factory = _DEFAULT_FACTORY(value)
        made = factory.__qualname__ if isinstance(factory, type) else self.paint(factory, depth)
        return "%s, {%s}" % (made, items)

    def collection(self, base: Any, value: Value, depth: int) -> str:
        """Items without an order."""
        inside = "{%s}" % ", ".join(sorted(self.paint(item, depth) for item in base.__iter__(value)))
        return inside if base is set and value else "%s(%s)" % (base.__name__, inside if value else "")


_CONTAINERS: tuple[tuple[type, Callable[[_Painter, Any, Value, int], str]], ...] = (
    (list, _Painter.sequence),
    (tuple, _Painter.sequence),
    (collections.deque, _Painter.sequence),
    (dict, _Painter.mapping),
    (set, _Painter.collection),
    (frozenset, _Painter.collection),
)


def _scalar(value: Value) -> str:
    if type(value) is float:
        # Two ways to compute one number differ in the last digits: that tells no programs apart.
        value = float("%.12g" % value)
    text = repr(value) if type(value) is not int or value.bit_length() < 4096 else hex(value)
    return text if len(text) <= _MOST_TEXT else "%s… (%d)" % (text[:_MOST_TEXT], len(text))


def attributes(value: Value, kind: type) -> list[tuple[str, Value]]:
    """Names and values of an object's own attributes, slots included, without running its code."""
    fields = []
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):
                name = "_%s%s" % (base.__name__.lstrip("_"), name)
            member = base.__dict__.get(name)
            if isinstance(member, types.MemberDescriptorType):
                try:
                    fields.append((name, member.__get__(value, kind)))
                except AttributeError:
                    continue
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    return fields + [(str(k), v) for k, v in own.items()] if isinstance(own, dict) else fields
