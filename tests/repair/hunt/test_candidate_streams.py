"""The merged stream: likeliest fix first over all suspects, nobody starved, patient streams asked one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any, cast

import pytest

from analysis.facts import FunctionId
from repair.hunt.candidate_streams import (
    DECIDING,
    MOST_FURTHER,
    MOST_SUSPECTS,
    UNDECIDING,
    CandidateStream,
    FurtherSuspects,
    interleave,
)
from repair.records.task import Pause
from transforms.tree.proposal import Origin, Proposal

ONE = FunctionId("m.py", "f", 1)


def stream(name: str, weight: float, hopes: Sequence[float], drawn: list[str] | None = None) -> CandidateStream:
    def proposals() -> Iterator[Proposal]:
        for number, hope in enumerate(hopes):
            if drawn is not None:
                drawn.append(f"{name}{number}")
            yield Proposal(ONE, (), Origin("test", f"{name}{number}"), weight=hope)

    nothing = cast(Any, None)
    return CandidateStream(nothing, nothing, nothing, "m.py:f", nothing, nothing, proposals(), weight)


def order(streams: Sequence[CandidateStream], most: int = 100) -> list[str]:
    every = interleave(streams, lambda: False)
    return [p.origin.operator for _, p in islice((pair for pair in every if pair[1]), most) if p]


@pytest.mark.parametrize(
    ("streams", "expected"),
    [
        ([("a", 1.0, (0.01, 0.001)), ("b", 0.5, (0.01, 0.008))], ["a0", "b0", "b1", "a1"]),
        ([("a", 0.1, (0.01, 0.01)), ("b", 1.0, (0.002, 0.0005))], ["b0", "a0", "a1", "b1"]),
        ([("a", 1.0, ()), ("b", 0.5, (0.01,))], ["b0"]),
        ([("a", 1.0, (0.0, 0.0)), ("b", 0.5, (0.0,))], ["a0", "b0", "a1"]),
    ],
)
def test_order(streams: list[tuple[str, float, tuple[float, ...]]], expected: list[str]) -> None:
    assert order([stream(*each) for each in streams]) == expected


def test_no_stream_starves() -> None:
    mixed = order([stream("a", 1.0, [0.01] * 200), stream("b", 0.5, [0.0001] * 200)], 120)
    assert sum(name.startswith("b") for name in mixed) > 5


def test_an_empty_stream_says_so_once() -> None:
    seen = list(interleave([stream("a", 1.0, [0.1]), stream("b", 1.0, [])], lambda: False))
    assert [p is None for _, p in seen].count(True) == 2
    assert len({each.weight for each, p in seen if p is None}) == 1


def test_streams_without_opinions_are_not_drawn_ahead() -> None:
    drawn: list[str] = []
    merged = interleave([stream("a", 1.0, [0.0] * 3, drawn), stream("b", 0.9, [0.0] * 3, drawn)], lambda: False)
    next(merged)
    assert drawn == ["a0"]


def pausing(*given: float | Pause) -> CandidateStream:
    """A stream that gives hopes and pauses in this order."""

    def proposals() -> Iterator[Proposal | Pause]:
        for number, each in enumerate(given):
            yield each if isinstance(each, Pause) else Proposal(ONE, (), Origin("test", f"p{number}"), weight=each)

    span, proposer = cast(Any, SimpleNamespace(function=ONE)), cast(Any, SimpleNamespace(name="pausing"))
    return CandidateStream(
        cast(Any, None), cast(Any, None), span, "m.py:f", cast(Any, None), proposer, proposals(), 1.0
    )


def test_a_pause_lasts_as_many_draws_of_others_as_it_says() -> None:
    mixed = order([stream("a", 1.0, [0.01] * 9), pausing(Pause(5), 0.9)])
    assert mixed.index("p1") in range(5, 8)
    assert len(mixed) == 10


def test_a_pause_ends_where_nothing_else_is_left() -> None:
    assert order([stream("a", 1.0, [0.01]), pausing(Pause(500), 0.9, Pause(70), 0.1)]) == ["a0", "p1", "p3"]
    assert order([pausing(Pause(500), Pause(500), 0.9), pausing(Pause(3))]) == ["p2"]


@pytest.mark.parametrize(("decides", "first"), [(True, "f"), (False, "g"), (None, "g")])
def test_a_function_in_which_another_value_mends_comes_first(decides: bool | None, first: str) -> None:
    def stream_of(name: str, weight: float, *given: float | Pause) -> CandidateStream:
        def proposals() -> Iterator[Proposal | Pause]:
            for hope in given:
                yield hope if isinstance(hope, Pause) else Proposal(ONE, (), Origin("test", name), weight=hope)

        span = cast(Any, SimpleNamespace(function=replace(ONE, qualname=name)))
        nothing = cast(Any, None)
        return CandidateStream(nothing, nothing, span, name, nothing, nothing, proposals(), weight)

    streams = [stream_of("f", 1.0, 0.01), stream_of("g", 2.0, 0.01), stream_of("f", 5.0, Pause(9, decides=decides))]
    later = [stream_of("f", 4.0), stream_of("g", 8.0)]
    assert next(p.origin.operator for _, p in interleave(streams, lambda: False, [*streams, *later]) if p) == first
    factor = 1.0 if decides is None else DECIDING if decides else UNDECIDING
    assert [each.weight for each in streams] == [factor, 2.0, 5.0 * factor]
    assert [each.weight for each in later] == [4.0 * factor, 8.0], "what is drawn at other times knows it too"


def test_what_a_pause_says_stands_in_the_title() -> None:
    quiet, told = pausing(0.5), pausing(Pause(said="it has no conditions"))
    list(interleave([quiet, told], lambda: False))
    assert quiet.title == "m.py:f (pausing)"
    assert told.title == "m.py:f (pausing: it has no conditions)"


@pytest.mark.parametrize(("suspects", "left"), [(MOST_SUSPECTS, 0), (MOST_SUSPECTS + 2, 2), (100, MOST_FURTHER)])
def test_further_suspects_are_opened_once_when_they_are_due_and_only_for_who_is_not_waited_for(suspects, left):
    asked = []

    class Asked:
        localized = SimpleNamespace(suspects=tuple(range(suspects)))

        def open_streams(self, suspect, proposers):
            asked.append((suspect, [proposer.name for proposer in proposers]))
            return "cannot be edited" if suspect % 2 else [suspect]

    due = []
    proposers = [SimpleNamespace(name="search", eager=True), SimpleNamespace(name="model", eager=False)]
    further = FurtherSuspects(cast(Any, Asked()), cast(Any, proposers), lambda: bool(due))
    assert (further.are_left, further.are_due) == (bool(left), False)
    due.append("now")
    assert further.are_due is bool(left)
    expected = range(MOST_SUSPECTS, MOST_SUSPECTS + left)
    assert further.open() == [each for each in expected if not each % 2]
    assert asked == [(each, ["search"]) for each in expected]
    assert not further.are_left
