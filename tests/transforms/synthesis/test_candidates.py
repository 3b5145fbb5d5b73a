"""Proposals of what a target says: only what may be said becomes one."""

from __future__ import annotations

import pytest
from fakes.places import PAGES, points, scope_of

from analysis.synthesis import PlaceKind
from transforms.patch.apply import render
from transforms.synthesis.candidates import MOST, MOST_EACH, is_allowed, proposals_of
from transforms.tree.candidate import Rejected

NAMES = frozenset({"items", "size", "start", "self.width", "found"})


@pytest.mark.parametrize(
    "text",
    [
        "size > 0",
        "own(1) and found is None",
        "not found or own(1)",
        "len(items) - 1",
        "items[size:]",
        "items[-1].name",
        "self.width == size",
        "found.strip().lower()",
        "isinstance(found, str)",
        "max(size, start)",
        "size in (1, 2)",
    ],
)
def test_what_may_be_said(text: str) -> None:
    assert is_allowed(text.replace("(1, 2)", "[1, 2]"), "own(1)", NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "own(1)",
        "size >",
        "size); import os; (size",
        "__import__('os').system('true')",
        "other(2)",
        "eval('1')",
        "items.append(1)",
        "found.__class__",
        "secret > size",
        "isinstance(found, Secret)",
        "isinstance(*items)",
        "[n for n in items]",
        "lambda: size",
        "(size := 3)",
        "f'{size}'",
        "open(found)",
        "max(items, key=found)",
        "(" * 5000,
    ],
)
def test_what_may_not_be_said(text: str) -> None:
    assert not is_allowed(text, "own(1)", NAMES)


def test_proposals_take_the_first_of_each_place_first() -> None:
    asked = points(PAGES)
    number = {place.text: place.number for place in asked.ask.places}
    scope = scope_of(PAGES)
    found = {
        number["size < 1"]: ("size <= start", "start > size", "size == 3"),
        number["full"]: ("eval('1')", "full + 1"),
    }
    made = list(proposals_of(scope, asked.ask, asked.spots, found))
    assert [p.origin.operator for p in made] == ["synthesized_condition", "synthesized_condition", "synthesized_value"]
    assert [p.weight for p in made] == sorted((p.weight for p in made), reverse=True)
    shown = [render(scope, p) for p in made]
    lines = [
        next(n for n in t.text.decode().split("\n") if n not in PAGES) for t in shown if not isinstance(t, Rejected)
    ]
    assert lines == [
        "    if not items or size <= start:",
        "    if not items or start > size:",
        "    return [n + start for n in range(full + 1) if n % RATE] + items[1:size]",
    ]


def test_a_statement_is_put_under_a_condition() -> None:
    source = "def f(a, b):\n    # why\n    b.append(a)  # so\n    return b\n"
    asked, scope = points(source), scope_of(source)
    number = next(place.number for place in asked.ask.places if place.kind is PlaceKind.GUARD)
    (made,) = proposals_of(scope, asked.ask, asked.spots, {number: ("a not in b",)})
    assert made.origin.operator == "synthesized_guard"
    trial = render(scope, made)
    assert not isinstance(trial, Rejected)
    assert trial.text.decode() == (
        "def f(a, b):\n    # why\n    if a not in b:\n        b.append(a)  # so\n    return b\n"
    )


def test_an_exit_is_put_in_front_of_a_statement() -> None:
    source = "def f(a, b):\n    # why\n    b.append(a)  # so\n    return b\n"
    asked, scope = points(source), scope_of(source)
    number = next(n for n, spot in enumerate(asked.spots) if spot.exit == "return b" and "append" in spot.first.code)
    (made,) = proposals_of(scope, asked.ask, asked.spots, {number: ("a in b",)})
    assert made.origin.operator == "synthesized_exit"
    trial = render(scope, made)
    assert not isinstance(trial, Rejected)
    text = trial.text.decode()
    assert text.index("if a in b:\n        return b\n") < text.index("b.append(a)  # so")
    assert text.count("# why") == 1


def test_exits_come_after_what_changes_less() -> None:
    asked = points(PAGES)
    found = {place.number: ("size > 1",) for place in asked.ask.places if place.kind is not PlaceKind.VALUE}
    made = [p.origin.operator for p in proposals_of(scope_of(PAGES), asked.ask, asked.spots, found)]
    assert made == sorted(made, key="synthesized_exit".__eq__)


def test_one_value_is_put_in_several_places() -> None:
    source = "def f(box, n):\n    g(box.size, n)\n    return box.size\n"
    asked, scope = points(source), scope_of(source)
    number = next(n for n, spot in enumerate(asked.spots) if len(spot.sites) == 2 and spot.first.code == "box.size")
    (made,) = proposals_of(scope, asked.ask, asked.spots, {number: ("n",)})
    trial = render(scope, made)
    assert not isinstance(trial, Rejected)
    assert trial.text == b"def f(box, n):\n    g(n, n)\n    return n\n"
    assert "all of 2 places" in made.explanation


def test_there_are_never_many() -> None:
    asked = points(PAGES)
    found = {place.number: tuple(f"size > {n}" for n in range(9)) for place in asked.ask.places}
    made = list(proposals_of(scope_of(PAGES), asked.ask, asked.spots, found))
    assert len(made) == MOST
    assert max([p.replacements[0].at for p in made].count(p.replacements[0].at) for p in made) <= MOST_EACH
    assert list(proposals_of(scope_of(PAGES), asked.ask, asked.spots, {99: ("size",)})) == []
