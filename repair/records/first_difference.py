"""Where two values part that should be the same: for whoever proves something again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MOST_SHOWN = 40
"""Characters of either side that are shown from where they part."""


def first_difference(then: str | bytes, now: str | bytes) -> str:
    """Where two texts part, and what stands there; empty where they are the same byte for byte.

    Bytes, lines and columns count from 1; a column is a byte.
    """
    old, new = _bytes(then), _bytes(now)
    if old == new:
        return ""
    at = length_in_common(old, new)
    line, column = old.count(b"\n", 0, at) + 1, at - (old.rfind(b"\n", 0, at) + 1) + 1
    return f"at byte {at + 1} (line {line}, column {column}): {_shown(new, at)}, and it was {_shown(old, at)}"


def length_in_common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, its) in pairs if mine != its), min(len(one), len(other)))


def differences(then: Any, now: Any, place: str = "") -> Iterator[str]:
    """Each place where two JSON values are not the same, with how they differ there."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys((*then, *now)):
            yield from differences(then.get(name), now.get(name), f"{place}.{name}" if place else str(name))
    elif _is_list(then) and _is_list(now) and len(then) == len(now):
        for number, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from differences(old, new, f"{place}[{number}]")
    elif isinstance(then, str) and isinstance(now, str):
        if then != now:
            yield f"{place} differs {first_difference(then, now)}"
    elif then != now:
        yield f"{place} is {_short(now)}, and it was {_short(then)}"


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _shown(content: bytes, at: int) -> str:
    rest = content[at : at + MOST_SHOWN].decode("utf-8", "backslashreplace")
    return repr(rest) if rest else "the end"


def _short(value: Any) -> str:
    shown = f"{value!r}"
    return shown if len(shown) <= 2 * MOST_SHOWN else f"{shown[: 2 * MOST_SHOWN]}…"
