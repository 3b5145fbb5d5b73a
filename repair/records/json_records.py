"""Frozen dataclasses to JSON values and back, with the standard library only.

The embedding client reads results with this inside a host that may not have our other libraries. Understood
are the field types that our border records use: plain values, enums, unions of those, tuples, string maps and
nested dataclasses. A field's ``metadata["json"]`` gives its JSON name where Python forbids it.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def to_plain(value: Any) -> Any:
    """The value as dicts, lists and JSON scalars."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {_json_name(f): to_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_plain(item) for item in value]
    return value


def from_plain(kind: Any, value: Any, where: str) -> Any:
    """The value as an instance of ``kind``; raises ``ValueError`` that names the place."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record(kind, value, where)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _union(get_args(kind), value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{where} is not a list")
        return tuple(from_plain(get_args(kind)[0], item, f"{where}[{n}]") for n, item in enumerate(value))
    if isinstance(origin, type) and issubclass(origin, Mapping):  # the origin of a Literal is no class
        if not isinstance(value, dict):
            raise ValueError(f"{where} is not an object")
        return {key: from_plain(get_args(kind)[1], item, f"{where}.{key}") for key, item in value.items()}
    return _scalar(kind, value, where)


def _json_name(field: dataclasses.Field[Any]) -> str:
    return str(field.metadata.get("json", field.name))


def _record(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{where} is not an object")
    found = {}
    for name, attribute, field_kind, required in _fields(kind):
        if name not in value:
            if required:
                raise ValueError(f"{where}.{name} is missing")
            continue
        item = value[name]
        fits = type(item) is field_kind and field_kind in _SIMPLE  # most are, and ten thousand records are read at once
        found[attribute] = item if fits else from_plain(field_kind, item, f"{where}.{name}")
    return kind(**found)


_SIMPLE = frozenset({str, int, float, bool})


@functools.cache
def _fields(kind: type) -> tuple[tuple[str, str, Any, bool], ...]:
    """Of each field of a record its JSON name, its own name, its type, and whether it has to be there."""
    hints = get_type_hints(kind)
    missing = dataclasses.MISSING
    return tuple(
        (_json_name(f), f.name, hints[f.name], f.default is missing and f.default_factory is missing)
        for f in dataclasses.fields(kind)
    )


def _union(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    for kind in kinds:
        if kind is type(None):
            if value is None:
                return None
            continue
        try:
            return from_plain(kind, value, where)
        except ValueError as problem:
            refused = problem
    raise ValueError(f"{where} has none of its types: {refused}")


def _scalar(kind: Any, value: Any, where: str) -> Any:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ValueError(f"{where} is {value!r}, not one of {get_args(kind)}")
        return value
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        try:
            return kind(value)
        except ValueError as problem:
            raise ValueError(f"{where}: {problem}") from problem
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{where} is {type(value).__name__}, not {kind.__name__}")
    return value
