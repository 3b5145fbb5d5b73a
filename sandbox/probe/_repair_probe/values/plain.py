"""Bounded representations of values of exact builtin types; anything else has none."""

from __future__ import annotations

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from _repair_probe.ground.words import Value

_MOST_TEXT = 200
_MOST_ITEMS = 20
_MOST_BITS = 512


def plain_source(value: Value, depth: int = 2) -> str | None:
    """Python source for the value, or ``None`` when it is not plain, or too large to show whole."""
    kind = type(value)
    if value is None or kind is bool or kind is float or kind is complex:
        return repr(value)
    if kind is int:
        return repr(value) if value.bit_length() <= _MOST_BITS else None
    if kind is str or kind is bytes:
        return repr(value) if len(value) <= _MOST_TEXT else None
    if depth and kind in (list, tuple, set, frozenset, dict) and len(value) <= _MOST_ITEMS:
        return _container(value, kind, depth - 1)
    return None


def _container(value: Value, kind: type, depth: int) -> str | None:
    items = list(value.items()) if kind is dict else [(item,) for item in value]
    shown = []
    for item in items:
        parts = [part for part in [plain_source(each, depth) for each in item] if part is not None]
        if len(parts) < len(item):
            return None
        shown.append(": ".join(parts))
    inner = ", ".join(sorted(shown) if kind in (set, frozenset) else shown)
    forms: dict[type, str] = {
        list: "[%s]",
        tuple: "(%s,)" if len(shown) == 1 else "(%s)",
        dict: "{%s}",
        set: "{%s}" if shown else "set()%s",
        frozenset: "frozenset({%s})" if shown else "frozenset()%s",
    }
    text = forms[kind] % inner
    return text if len(text) <= 2 * _MOST_TEXT else None
