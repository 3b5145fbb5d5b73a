"""Numbers and texts that are compared in Python, so that searches and sorts inside C show as executed lines.

They are equal to what they were made from, have its hash, and are of a kind of their own. A program that asks for the
exact type takes another way. So does the other one, or they do not agree.
"""

from __future__ import annotations

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from _repair_probe.ground.words import Value


def _kind(base: Any) -> Any:
    class Counted(base):  # type: ignore[misc]  # the base is a parameter
        __slots__ = ()
        __hash__ = base.__hash__

        def __eq__(self, other: Value) -> Value:
            return base.__eq__(self, other)

        def __ne__(self, other: Value) -> Value:
            return base.__ne__(self, other)

        def __lt__(self, other: Value) -> Value:
            return base.__lt__(self, other)

        def __le__(self, other: Value) -> Value:
            return base.__le__(self, other)

        def __gt__(self, other: Value) -> Value:
            return base.__gt__(self, other)

        def __ge__(self, other: Value) -> Value:
            return base.__ge__(self, other)

        def __deepcopy__(self, memo: dict[int, Value]) -> Counted:
            return self

    Counted.__name__ = Counted.__qualname__ = base.__name__
    return Counted


_KINDS = {base: _kind(base) for base in (int, float, str)}


def count_comparisons(value: Value) -> Value:
    """The value with the numbers and texts in its collections counted; the same where there are none."""
    kind = type(value)
    if kind in _KINDS:
        return _KINDS[kind](value)
    if kind in (list, tuple, set, frozenset):
        return kind(count_comparisons(item) for item in value)
    if kind is dict:
        return {count_comparisons(key): item for key, item in value.items()}
    return value
