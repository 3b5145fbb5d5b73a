"""Proposals of what a target says: only what may be said becomes one."""

from __future__ import annotations

import pytest
from fakes.places import PAGES, points, scope_of

from analysis.synthesis import PlaceKind
from transforms.apply import render
from transforms.candidate import Rejected
from transforms.synthesis.candidates import MOST, MOST_EACH, is_allowed, proposals_of

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
    made = list(proposals_of(scope, asked.ask, asked.sites, found))
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
    (made,) = proposals_of(scope, asked.ask, asked.sites, {number: ("a not in b",)})
    assert made.origin.operator == "synthesized_guard"
    trial = render(scope, made)
    assert not isinstance(trial, Rejected)
    assert trial.text.decode() == (
        "def f(a, b):\n    # why\n    if a not in b:\n        b.append(a)  # so\n    return b\n"
    )


def test_there_are_never_many() -> None:
    asked = points(PAGES)
    found = {place.number: tuple(f"size > {n}" for n in range(9)) for place in asked.ask.places}
    made = list(proposals_of(scope_of(PAGES), asked.ask, asked.sites, found))
    assert len(made) == MOST
    assert max([p.replacements[0].at for p in made].count(p.replacements[0].at) for p in made) <= MOST_EACH
    assert list(proposals_of(scope_of(PAGES), asked.ask, asked.sites, {99: ("size",)})) == []
