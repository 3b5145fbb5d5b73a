"""The digits of a call's numbers and texts, one exchanged at a time: is one of them what a fix hangs on?"""

from __future__ import annotations

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.vary import Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from _repair_probe.ground.words import Copies, Value, Where

_MOST_TEXT = 60


def digits_of(args: Sequence[Value], kwargs: dict[str, Value]) -> Iterator[tuple[int, int | str, str, int, int]]:
    """``(side, key, name, index, digit)`` for the first digit and the last two of each number and text."""
    named: list[tuple[int, int | str, str, Value]] = [(0, n, str(n), value) for n, value in enumerate(args)]
    named += [(1, key, key, value) for key, value in sorted(kwargs.items())]
    for side, key, name, value in named:
        if type(value) in (int, str) and len(_text(value)) <= _MOST_TEXT:
            places = [n for n, letter in enumerate(_text(value)) if letter in "0123456789"]
            told = {place: "%s[%d]" % (name, n) for n, place in zip((-1, -2), reversed(places))}
            if places:
                told.setdefault(places[0], "%s[0]" % name)
            for place, label in told.items():
                yield side, key, label, place, int(_text(value)[place])


def with_digit(copies: Callable[[], Copies], at: Where, place: int, digit: int) -> Variant | None:
    """The call with this digit in the argument ``at``; ``None`` where that would be another number of digits."""
    (side, key), changed = at, copies()
    old = changed[side][key]
    text = _text(old)
    new = text[:place] + str(digit) + text[place + 1 :]
    changed[side][key] = type(old)(new)
    if type(old) is int and str(changed[side][key]) != new:
        return None
    return Variant(changed, (old, changed[side][key]))


def _text(value: Value) -> str:
    return str(value) if type(value) is int and abs(value) < 10**18 else value if type(value) is str else ""
