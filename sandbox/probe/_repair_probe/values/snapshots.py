"""What is in scope at a place of a program, kept as plain copies that later runs cannot change.

Values of exact builtin types are copied, as deep as they are small; everything else is an ``Opaque``, which is
equal to itself alone. Attributes of such an object are read where it keeps them, so that none of its code runs.
"""

from __future__ import annotations

import base64
import marshal
import types

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import CodeType, FrameType
    from typing import Any

    from _repair_probe.ground.words import Value

SCALARS = (bool, int, float, complex, str, bytes)
_SEQUENCES = (list, tuple, set, frozenset)
_MOST_ITEMS, _MOST_TEXT, _MOST_BITS = 40, 400, 256
_MOST_FIELDS, _MOST_NAMES = 8, 24
_MARK = "\0opaque"


class Missing:
    """Stands for a value that there is not."""

    def __repr__(self) -> str:
        return "<missing>"


MISSING = Missing()


class Opaque:
    """A value of which only its type is known, and which one it is."""

    __slots__ = ("kept", "kind", "number")

    def __init__(self, kind: str, number: int, kept: Value = None) -> None:
        self.kind, self.number, self.kept = kind, number, kept

    def __eq__(self, other: object) -> bool:
        return type(other) is Opaque and (self.kind, self.number) == (other.kind, other.number)

    def __hash__(self) -> int:
        return hash((self.kind, self.number))


def copy_plain(value: Value, depth: int = 2) -> Value:
    """The value as plain data, as far as it is that, and small."""
    kind = type(value)
    if value is None:
        return None
    if kind in SCALARS:
        return value if _is_small(value, kind) else _opaque(value)
    if depth and kind in _SEQUENCES and len(value) <= _MOST_ITEMS:
        return kind([copy_plain(item, depth - 1) for item in value])
    if depth and kind is dict and len(value) <= _MOST_ITEMS:
        return {copy_plain(k, depth - 1): copy_plain(v, depth - 1) for k, v in dict.items(value)}
    return _opaque(value)


def _is_small(value: Value, kind: type) -> bool:
    if kind is int:
        small: bool = value.bit_length() <= _MOST_BITS
        return small
    return kind not in (str, bytes) or len(value) <= _MOST_TEXT


def _opaque(value: Value) -> Opaque:
    kind = type(value)
    return Opaque(type.__getattribute__(kind, "__name__"), id(value), value)


def key(value: Value) -> tuple[str, Any]:
    """What two values share that are the same for every program: ``1``, ``1.0`` and ``True`` do not."""
    kind = type(value)
    if kind in (list, tuple):
        return kind.__name__, tuple([key(item) for item in value])
    if kind in (set, frozenset):
        return kind.__name__, frozenset([key(item) for item in value])
    if kind is dict:
        return "dict", tuple([(key(k), key(v)) for k, v in value.items()])
    return kind.__name__, repr(value) if kind in (float, complex) else value


def snapshot(frame: FrameType, code: CodeType | None, wanted: Iterable[str]) -> dict[str, Value]:
    """Copies by the text that names them: locals, ``wanted`` globals and attributes, fields of objects in scope."""
    known: dict[str, Value] = {}
    for each in _frames(frame, code):
        for name, value in each.f_locals.items():
            if name.isidentifier() and len(known) < _MOST_NAMES:
                known.setdefault(name, value)
    state = {name: copy_plain(value) for name, value in known.items()}
    for text in wanted:
        if text not in state:
            value = _reach_value(text.split("."), known, frame.f_globals)
            if value is not MISSING:
                state[text] = copy_plain(value)
    for name, value in known.items():
        if type(state[name]) is Opaque and not isinstance(value, types.ModuleType):
            for field, held in _fields(value):
                state.setdefault("%s.%s" % (name, field), copy_plain(held, 1))
    return state


def _frames(frame: FrameType, code: CodeType | None) -> Iterator[FrameType]:
    """The frame, and that of the function where this one is of a comprehension in it."""
    yield frame
    own = frame.f_code
    steps = 0
    while own is not code and steps < 3 and frame.f_back is not None:
        frame, steps = frame.f_back, steps + 1
        if frame.f_code is code:
            yield frame
            return


def _reach_value(names: list[str], known: dict[str, Value], namespace: dict[str, Value]) -> Value:
    value = known.get(names[0], namespace.get(names[0], MISSING))
    for name in names[1:]:
        value = field_of(value, name)
    return value


def field_of(value: Value, name: str) -> Value:
    """The value of an attribute that the object or one of its classes simply holds."""
    if value is MISSING or type(value) in SCALARS:
        return MISSING
    held = _held_values(value)
    if name in held:
        return held[name]
    for base in type.__getattribute__(type(value), "__mro__"):
        found = type.__getattribute__(base, "__dict__").get(name, MISSING)
        if isinstance(found, types.MemberDescriptorType):
            return _slot(found, value)
        if found is not MISSING:
            plain = type(found) in SCALARS or type(found) in _SEQUENCES or type(found) is dict or found is None
            return found if plain else MISSING
    return MISSING


def _slot(found: types.MemberDescriptorType, value: Value) -> Value:
    try:
        return types.MemberDescriptorType.__get__(found, value)
    except AttributeError:
        return MISSING


def _held_values(value: Value) -> dict[str, Value]:
    try:
        held = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return {}
    return held if type(held) is dict else {}


def _fields(value: Value) -> Iterator[tuple[str, Value]]:
    names = [name for name in _held_values(value) if type(name) is str and name.isidentifier()]
    if not names:
        for base in type.__getattribute__(type(value), "__mro__"):
            for name, found in type.__getattribute__(base, "__dict__").items():
                if isinstance(found, types.MemberDescriptorType):
                    names.append(name)
    for name in names[:_MOST_FIELDS]:
        held = field_of(value, name)
        if held is not MISSING and not name.startswith("__"):
            yield name, held


def pack_values(value: Value) -> str:
    """Snapshots, or anything made of plain data and these, as text for another process of this interpreter.

    Opaque values are numbered in their order, so that the text says nothing of where they lay.
    """
    numbers: dict[Opaque, int] = {}

    def mark(value: Opaque | Missing) -> tuple[Any, ...]:
        if type(value) is not Opaque:
            return (_MARK,)
        return _MARK, value.kind, numbers.setdefault(value, len(numbers) + 1)

    return base64.b64encode(marshal.dumps(_map_values(value, mark))).decode("ascii")


def unpack_values(text: str) -> Value:
    """What ``pack_values`` gave; raises ``ValueError`` for anything else."""
    try:
        return _unmark(marshal.loads(base64.b64decode(text)))
    except (EOFError, TypeError) as problem:
        raise ValueError(str(problem)) from problem


def _unmark(value: Value) -> Value:
    if type(value) is tuple and value[:1] == (_MARK,):
        return Opaque(*value[1:]) if len(value) == 3 else MISSING
    return _map_values(value, None, _unmark)


def _map_values(
    value: Value, leaf: Callable[[Value], Value] | None, again: Callable[[Value], Value] | None = None
) -> Value:
    again = again or (lambda each: _map_values(each, leaf))
    kind = type(value)
    if kind in _SEQUENCES:
        return kind([again(item) for item in value])
    if kind is dict:
        return {again(k): again(v) for k, v in value.items()}
    return leaf(value) if kind in (Opaque, Missing) and leaf is not None else value
