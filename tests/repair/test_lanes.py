"""The merged stream: likeliest fix first over all suspects, nobody starved, patient lanes asked one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, cast

import pytest

from analysis.facts import FunctionId
from repair.lanes import Lane, interleaved
from transforms.proposal import Origin, Proposal

ONE = FunctionId("m.py", "f", 1)


def lane(name: str, weight: float, hopes: Sequence[float], drawn: list[str] | None = None) -> Lane:
    def proposals() -> Iterator[Proposal]:
        for number, hope in enumerate(hopes):
            if drawn is not None:
                drawn.append(f"{name}{number}")
            yield Proposal(ONE, (), Origin("test", f"{name}{number}"), weight=hope)

    nothing = cast(Any, None)
    return Lane(nothing, nothing, nothing, nothing, nothing, proposals(), weight)


def order(lanes: Sequence[Lane], most: int = 100) -> list[str]:
    every = interleaved(lanes, lambda: False)
    return [p.origin.operator for _, p in islice((pair for pair in every if pair[1]), most) if p]


@pytest.mark.parametrize(
    ("lanes", "expected"),
    [
        ([("a", 1.0, (0.01, 0.001)), ("b", 0.5, (0.01, 0.008))], ["a0", "b0", "b1", "a1"]),
        ([("a", 0.1, (0.01, 0.01)), ("b", 1.0, (0.002, 0.0005))], ["b0", "a0", "a1", "b1"]),
        ([("a", 1.0, ()), ("b", 0.5, (0.01,))], ["b0"]),
        ([("a", 1.0, (0.0, 0.0)), ("b", 0.5, (0.0,))], ["a0", "b0", "a1"]),
    ],
)
def test_order(lanes: list[tuple[str, float, tuple[float, ...]]], expected: list[str]) -> None:
    assert order([lane(*each) for each in lanes]) == expected


def test_no_lane_starves() -> None:
    mixed = order([lane("a", 1.0, [0.01] * 200), lane("b", 0.5, [0.0001] * 200)], 120)
    assert sum(name.startswith("b") for name in mixed) > 5


def test_an_empty_lane_says_so_once() -> None:
    seen = list(interleaved([lane("a", 1.0, [0.1]), lane("b", 1.0, [])], lambda: False))
    assert [p is None for _, p in seen].count(True) == 2
    assert len({each.weight for each, p in seen if p is None}) == 1


def test_lanes_without_opinions_are_not_drawn_ahead() -> None:
    drawn: list[str] = []
    stream = interleaved([lane("a", 1.0, [0.0] * 3, drawn), lane("b", 0.9, [0.0] * 3, drawn)], lambda: False)
    next(stream)
    assert drawn == ["a0"]
