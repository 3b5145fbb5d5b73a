"""In which way a result changes: what a call gave, beside what it gives now."""

from __future__ import annotations

from typing import Any

from analysis.behaviour import Behaviour, Raised, Returned, literal_of

UNKNOWN = ("unknown",)
"""Of values whose pictures are no literals nothing is said."""


def kind_of_change(old: Behaviour, new: Behaviour) -> tuple[str, ...]:
    """The way in which a call's end changes, in words that two changes of one kind share.

    Examples: ``'8.10'`` that becomes ``'8.1'`` is a text that loses a part. 3 that becomes 5 is a number that grows.
    ``ValueError`` that becomes 0 is an exception that becomes an ``int``. Collections change in one way alone: what a
    filter turned round does to them differs from call to call.
    """
    if isinstance(old, Returned) and isinstance(new, Returned):
        before, after = literal_of(old), literal_of(new)
        return UNKNOWN if before is None or after is None else _kind_of_values(before[0], after[0])
    return _end_of(old), _end_of(new)


def _end_of(behaviour: Behaviour) -> str:
    if isinstance(behaviour, Raised):
        return behaviour.type
    value = literal_of(behaviour) if isinstance(behaviour, Returned) else None
    return type(value[0] if value is not None else behaviour).__name__


def _kind_of_values(old: Any, new: Any) -> tuple[str, ...]:
    match old, new:
        case bool(), bool():
            return "bool", repr(new)
        case (bool(), _) | (_, bool()):
            pass
        case (int() | float(), int() | float()):
            return "number", _trend(old, new)
        case (str(), str()) | (bytes(), bytes()):
            return "text", _trend(len(old), len(new)), _share(new in old, old in new)
    return type(old).__name__, type(new).__name__


def _trend(old: float, new: float) -> str:
    return "grows" if new > old else "shrinks" if new < old else "stays"


def _share(within: bool, around: bool) -> str:
    """How what is held now lies to what was held: the same, a part of it, more than it, or something else."""
    return {(True, True): "same", (True, False): "part", (False, True): "more"}.get((within, around), "other")
