"""Bounded representations of values of exact builtin types; anything else has none."""

_MOST_TEXT = 200
_MOST_ITEMS = 20
_MOST_BITS = 512


def plain(value, depth=2):
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


def _container(value, kind, depth):
    items = list(value.items()) if kind is dict else [(item,) for item in value]
    shown = [[plain(part, depth) for part in item] for item in items]
    if any(part is None for item in shown for part in item):
        return None
    inner = ", ".join(sorted(": ".join(item) for item in shown) if kind in (set, frozenset) else map(": ".join, shown))
    text = {
        list: "[%s]",
        tuple: "(%s,)" if len(shown) == 1 else "(%s)",
        dict: "{%s}",
        set: "{%s}" if shown else "set()%s",
        frozenset: "frozenset({%s})" if shown else "frozenset()%s",
    }[kind] % inner
    return text if len(text) <= 2 * _MOST_TEXT else None
