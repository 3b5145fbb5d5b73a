"""Nested data to flat lists."""


def is_branch(value):
    """Whether the value holds others: any iterable but text and bytes."""
    from collections.abc import Iterable

    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def flatten(value, depth=None):
    """All leaves, from left to right; ``depth`` bounds how many levels are opened."""
    if depth is not None and depth < 0:
        return [value]
    if not is_branch(value):
        return [value]
    rest = None if depth is None else depth - 1
    return [leaf for part in value for leaf in flatten(part, rest)]
