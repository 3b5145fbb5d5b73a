"""What happened in a run, as marks at places: when each part of the work was done, and how near candidates came.

The templates make SVG of it. No picture has more than ``MOST_MARKS`` marks, and each mark says what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from repair.store.recorded_rounds import rounds_of

MOST_MARKS = 200

WIDTH = 700.0
"""Units of a picture's width; its marks lie within."""

LANES = {"phase": 0.0, "found": 1.0, "gate": 2.0}
"""The lanes of the timeline, from the top."""

MOST_IN_LANE = {"phase": 40, "found": 60, "gate": 90}

LANE, HEIGHT = 26.0, 96.0
"""Units of a lane's height, and of the height of convergence."""

PASSED = ("passed", "plausible", "certified")
"""What is said of a text that passes its tests."""

LEAST = 2.0
"""Units. A shorter mark could not be seen."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark: its place and size, a class, and what it says."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Marks in a field of ``WIDTH`` times ``height``; ``seconds`` is what the width stands for, ``most`` the height.

    ``left`` marks are not drawn.
    """

    marks: tuple[Mark, ...]
    height: float
    seconds: float
    most: int = 0
    left: int = 0
    best: tuple[tuple[float, float], ...] = ()
    """A line of steps through these places: the fewest that were left so far."""


Event = Mapping[str, Any]
_Each = TypeVar("_Each")


def draw_timeline(events: Sequence[Event], total: float) -> Picture:
    """When each phase began and ended, when candidates passed, and what the gates took."""
    seconds = _length(events, total)
    begun = [each for each in events if each.get("type") == "phase"]
    ends = [*(_at(each) for each in begun[1:]), seconds]
    phases = [
        (
            _at(each),
            end,
            f"phase {each.get('name', '')}",
            " ".join((str(each.get("name", "")), str(each.get("detail")))),
        )
        for each, end in zip(begun, ends, strict=False)
    ]
    found = [(_at(e), _at(e), "found", str(e.get("label", ""))) for e in events if e.get("type") == "found"]
    gates = [
        (
            _at(e) - _number(e, "seconds"),
            _at(e),
            str(e.get("decision", "")),
            f"{e.get('gate', '')}: {e.get('claim', '')}",
        )
        for e in events
        if e.get("type") == "evidence"
    ]
    marks: list[Mark] = []
    left = 0
    for lane, spans in {"phase": phases, "found": found, "gate": gates}.items():
        kept = _thin(spans, MOST_IN_LANE[lane])
        left += len(spans) - len(kept)
        for start, end, kind, said in kept:
            x, width = _place(start, seconds), max(LEAST, _place(end, seconds) - _place(start, seconds))
            title = f"{start:.1f} to {end:.1f} s: {said}" if end > start else f"{start:.1f} s: {said}"
            marks.append(Mark(x, LANES[lane] * LANE, width, LANE - 6, f"{lane} {kind}", title))
    return Picture(tuple(marks), LANE * len(LANES), seconds, left=left)


def draw_convergence(events: Sequence[Event], total: float) -> Picture:
    """How many of the failing tests are left by each text that somebody made, where that is known."""
    seconds = _length(events, total)
    points = [
        (
            _sound(each.at),
            max(0, each.left),
            "found" if each.state in PASSED else "near",
            f"{each.made_by} {each.how} in {each.function}: {each.state} {each.reason}".strip(),
        )
        for each in rounds_of(events)
        if each.left is not None
    ]
    kept = _thin(points, MOST_MARKS - 1)
    most = max([1, *(int(_number(e, "failing")) for e in events if e.get("type") in ("near", "attempt", "baseline"))])
    marks = tuple(
        Mark(_place(at, seconds), _height(left, most), 0, 0, kind, f"{at:.1f} s, {left} left: {said}")
        for at, left, kind, said in kept
    )
    best = tuple(_steps(sorted((at, left) for at, left, _, _ in points), seconds, most))
    return Picture(marks, HEIGHT, seconds, most, len(points) - len(kept), best)


def _steps(points: Sequence[tuple[float, int]], seconds: float, most: int) -> Iterator[tuple[float, float]]:
    """Where the fewest tests that are left change, from all of them at the beginning to the last at the end."""
    fewest = most
    yield 0.0, _height(fewest, most)
    for at, left in points:
        if left < fewest:
            yield _place(at, seconds), _height(fewest, most)
            yield _place(at, seconds), _height(left, most)
            fewest = left
    yield WIDTH, _height(fewest, most)


def _height(left: int, most: int) -> float:
    """Where so many tests are drawn that are left: none at the bottom."""
    return round(4 + (HEIGHT - 8) * (1 - min(left, most) / most), 1)


def _length(events: Sequence[Event], total: float) -> float:
    return max([total, 0.1, *map(_at, events)])


def _place(at: float, seconds: float) -> float:
    return round(min(max(at, 0.0) / seconds, 1.0) * (WIDTH - LEAST), 1)


def _at(happened: Event) -> float:
    return _number(happened, "at")


def _number(happened: Event, name: str) -> float:
    """A number of an event; 0 where it has none, as in a record that somebody else made."""
    return _sound(happened.get(name))


def _sound(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if abs(value) < 1e9 else 0.0


def _thin(each: Sequence[_Each], most: int) -> list[_Each]:
    """So many of them at most, evenly taken, the first and the last among them."""
    if len(each) <= most:
        return list(each)
    return [each[round(number * (len(each) - 1) / (most - 1))] for number in range(most)]
