"""Which places of a function are asked about, and the text with hooks: it does what the function did."""

from __future__ import annotations

import ast
from typing import Any

import libcst as cst
import pytest
from fakes.places import PAGES, points, scope_of

from analysis.synthesis import PlaceKind
from transforms.operators.operator import Neighbourhood
from transforms.synthesis.places import MOST_CONDITIONS, MOST_GUARDS, MOST_VALUES, Points, level_of, points_of

SHAPES = """\
def shapes(x, names):
    total = sum(n for n in names if n)
    for name in names: total += x[name][0:2] if name else 0
    print(f"{x if x else 1}", *names, sep="-")
    if (found := x.get(1)) is not None: return(found)
    y = (
        x  # why
        or names
    )
    return lambda z: z > 1
"""
GENERATOR = """\
async def lines(stream, limit):
    async for line in stream:
        got = await stream.next(limit + 1)
        if got and line:
            yield got.strip(" ")
"""
METHOD = """\
class Box:
    def fits(self, other):
        return self.__width > other.width and not other.fixed
"""


def texts(found: Points, kind: PlaceKind) -> list[str]:
    return [place.text for place in found.ask.places if place.kind is kind]


def plain(source: bytes, **names: Any) -> dict[str, Any]:
    """The function with hooks that change nothing."""
    hooks = {"__repair_first__": lambda _: False, "__repair_seen__": lambda _, value: value}
    space: dict[str, Any] = {**hooks, **names}
    exec(compile(source, "m.py", "exec"), space)
    return space


def test_conditions_and_values_are_told_apart() -> None:
    found = points(PAGES)
    assert texts(found, PlaceKind.CONDITION) == [
        "not items or size < 1",
        "not items",
        "items",
        "size < 1",
        "rest > 0 and start",
        "rest > 0",
        "start",
        "n % RATE",
    ]
    assert {"[]", "len(items)", "size", "full", "1"} <= {*texts(found, PlaceKind.VALUE)}


@pytest.mark.parametrize("source", [PAGES, SHAPES, GENERATOR])
def test_the_text_with_hooks_compiles_and_keeps_its_lines(source: str) -> None:
    found = points(source)
    tree = ast.parse(found.ask.text)
    own = scope_of(source).text
    assert found.ask.text.count(b"\n") == own.count(b"\n")
    assert sum(isinstance(n, ast.Name) and n.id == "__repair_first__" for n in ast.walk(tree)) == len(found.sites)


def test_the_text_with_hooks_does_what_the_function_does() -> None:
    ours, theirs = plain(points(PAGES).ask.text, RATE=3)["pages"], plain(PAGES.encode())["pages"]
    for items, size, start in (([], 3, 0), ([1, 2, 3, 4, 5], 2, 0), ([*range(9)], 4, 2), ([1], 0, 1)):
        assert ours(items, size, start) == theirs(items, size, start)


def test_a_method_keeps_its_place() -> None:
    found = points(METHOD)
    assert found.ask.text.startswith(b"    def fits(self, other):\n        return (__repair_value__(0)")
    assert "other.width" in found.ask.names
    assert not any("__" in name for name in found.ask.names)


def test_statements_that_may_be_left_out_are_asked_about() -> None:
    source = (
        "def f(a, b):\n    import os\n    b.append(\n        a,\n    )\n    for x in b:\n        pass\n"
        "    if a: return b\n    a += 1; b = a\n    return b\n"
    )
    found = points(source)
    guarded = [s.code for s in found.sites if s.role == "statement"]
    assert [code.strip().split("(")[0] for code in guarded] == ["b.append"]
    assert texts(found, PlaceKind.GUARD) == ["True"]
    (number,) = (place.number for place in found.ask.places if place.kind is PlaceKind.GUARD)
    space = plain(found.ask.text)
    assert (space["f"](0, []), space["f"](3, [])) == (1, [3])
    space["__repair_seen__"] = lambda place, value: value and place != number
    grown: list[int] = []
    assert space["f"](3, grown) is grown == []


def test_what_is_odd_is_left_alone() -> None:
    every = [place.text for place in points(SHAPES).ask.places]
    assert "names" not in texts(points(SHAPES), PlaceKind.VALUE)  # the starred one
    assert not {"x if x else 1", "lambda z: z > 1", "found := x.get(1)"} & {*every}


def test_the_most_suspicious_lines_come_first_and_others_not_at_all() -> None:
    found = points(PAGES, ((9, 1.0), (7, 0.2)))
    assert texts(found, PlaceKind.CONDITION) == ["rest > 0 and start", "rest > 0", "start"]
    assert texts(found, PlaceKind.VALUE) == ["[]"]


def test_many_places_are_cut() -> None:
    body = "".join(f"    if a > {n}:\n        b = a + {n}\n" for n in range(40))
    found = points(f"def f(a, b):\n{body}    return b\n")
    assert [len(texts(found, kind)) for kind in PlaceKind] == [MOST_CONDITIONS, MOST_GUARDS, MOST_VALUES]


def test_a_function_without_places() -> None:
    scope = scope_of("def f():\n    pass\n")
    assert points_of(scope, Neighbourhood(), (), 1.0) is None


def test_literals_are_plain() -> None:
    found = points("def f(a):\n    if a == 'x' or a == b'y' or a == 2.5:\n        return -7\n    return f'{a}'\n")
    assert {"'x'", "2.5", "7", "None", "''"} <= {*found.ask.literals}
    for text in found.ask.literals:
        ast.literal_eval(text)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("a", 9),
        ("a.b[1](2)", 9),
        ("(a or b)", 9),
        ("[a]", 9),
        ("-a", 8),
        ("a ** b", 8),
        ("a * b", 7),
        ("a - b", 6),
        ("a | b", 5),
        ("a < b", 4),
        ("not a", 3),
        ("a and b", 2),
        ("a or b", 1),
        ("a if b else c", 0),
        ("a, b", 0),
        ("lambda: a", 0),
    ],
)
def test_levels(text: str, level: int) -> None:
    assert level_of(cst.parse_expression(text)) == level
