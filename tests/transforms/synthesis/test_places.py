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
from transforms.synthesis.spots import MOST_EXITS, Spot

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
def test_the_text_with_hooks_compiles_and_grows_by_its_exits_alone(source: str) -> None:
    found = points(source)
    tree = ast.parse(found.ask.text)
    own = scope_of(source).text
    assert found.ask.text.count(b"\n") == own.count(b"\n") + len(texts(found, PlaceKind.EXIT))
    assert sum(isinstance(n, ast.Name) and n.id == "__repair_first__" for n in ast.walk(tree)) == sum(
        len(spot.sites) for spot in found.spots
    )


def test_the_text_with_hooks_does_what_the_function_does() -> None:
    ours, theirs = plain(points(PAGES).ask.text, RATE=3)["pages"], plain(PAGES.encode())["pages"]
    for items, size, start in (([], 3, 0), ([1, 2, 3, 4, 5], 2, 0), ([*range(9)], 4, 2), ([1], 0, 1)):
        assert ours(items, size, start) == theirs(items, size, start)


def test_a_method_keeps_its_place() -> None:
    found = points(METHOD)
    assert found.ask.text.startswith(b"    def fits(self, other):\n        if (__repair_value__(")
    assert b"\n        return (__repair_value__(0)" in found.ask.text
    assert "other.width" in found.ask.names
    assert not any("__" in name for name in found.ask.names)


def test_statements_that_may_be_left_out_are_asked_about() -> None:
    source = (
        "def f(a, b):\n    import os\n    b.append(\n        a,\n    )\n    for x in b:\n        pass\n"
        "    if a: return b\n    a += 1; b = a\n    return b\n"
    )
    found = points(source)
    guarded = [spot.first.code for spot in found.spots if spot.kind is PlaceKind.GUARD]
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
    assert "[]" in texts(found, PlaceKind.VALUE)
    assert "len(items)" not in texts(found, PlaceKind.VALUE)


def test_many_places_are_cut() -> None:
    body = "".join(f"    if a > {n}:\n        b = a + {n}\n" for n in range(40))
    found = points(f"def f(a, b):\n{body}    return b\n")
    assert [len(texts(found, kind)) for kind in PlaceKind] == [MOST_CONDITIONS, MOST_GUARDS, MOST_EXITS, MOST_VALUES]


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


def exits(source: str, scores: tuple[tuple[int, float], ...] = ()) -> list[tuple[str, str]]:
    """The first word of each statement that an exit may be put in front of, and the exit."""
    spots = points(source, scores).spots
    return [(begins(spot), spot.exit) for spot in spots if spot.kind is PlaceKind.EXIT]


def begins(spot: Spot) -> str:
    return next(line.split()[0] for line in spot.first.code.splitlines() if not line.strip().startswith("#"))


LOOP = """\
def first(rows, most):
    # why
    for row in rows:
        # and here
        row.load()
        if row.size > most:
            return row.name
    return most
"""


def test_exits_are_those_of_the_function_and_of_the_loop() -> None:
    found = exits(LOOP, ((5, 1.0),))
    assert {("for", "return most"), ("for", "return row.name")} & {found[0]}
    assert {("row.load()", "break"), ("row.load()", "continue")} <= {*found}
    assert ("return", "return most") not in found


def test_an_exit_is_taken_where_the_hooks_say_so_and_nowhere_else() -> None:
    found = points(LOOP)
    space = plain(found.ask.text)
    row = type("Row", (), {"size": 5, "name": "big", "load": lambda self: None})
    assert (space["first"]([row()], 9), space["first"]([row()], 2)) == (9, "big")
    (number,) = [n for n, s in enumerate(found.spots) if s.exit == "return most" and begins(s) == "for"]
    space["__repair_seen__"] = lambda place, value: value or place == number
    assert space["first"]([row()], 2) == 2


def test_nothing_leaves_in_front_of_what_defines_or_in_a_nested_function() -> None:
    source = "def f(a):\n    import os\n    def g(b):\n        b += 1\n        return b\n    return g(a)\n"
    assert {before for before, _ in exits(source)} == {"return"}


def test_exits_come_before_the_condition_of_a_last_statement() -> None:
    source = "def f(rows):\n    for row in rows:\n        if row:\n            row.save()\n"
    found = points(source)
    assert {"guard", "exit"} <= {place.kind.value for place in found.ask.places}
    ast.parse(found.ask.text)


def test_a_generator_leaves_without_a_value() -> None:
    assert exits("def f(a):\n    yield a\n") == [("yield", "return")]


def test_equal_expressions_share_one_place() -> None:
    found = points("def f(box, n):\n    g(box.size, n + 1)\n    h(n + 1)\n    return box.size + 2\n")
    shared = {spot.first.code: len(spot.sites) for spot in found.spots if len(spot.sites) > 1}
    assert {"box.size", "n + 1"} <= set(shared)
    number = next(n for n, spot in enumerate(found.spots) if len(spot.sites) > 1)
    assert found.ask.text.count(f"__repair_first__({number})".encode()) == 2
