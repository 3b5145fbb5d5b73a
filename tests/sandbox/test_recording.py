"""Values at chosen points: right, bounded, and safe from objects that resist being looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.facts import InvalidRun, Point, PointKind, Recording, RunFault
from sandbox.outcomes import Malformed, read_events

FILES = {
    "shop.py": """
        RATE = 2

        def price(net, *, tax=1):
            total = net * RATE
            for step in range(2):
                total += tax
            return total

        def counted(most):
            for n in range(most):
                yield n
            return "done"

        def failing():
            raise ValueError("no")

        class Odd:
            def __repr__(self):
                while True:
                    pass

            @property
            def __class__(self):
                raise RuntimeError("do not look")

        class Thing:
            def __init__(self):
                self.size = 3

            def grown(self, by):
                return self.size + by

        def take(odd):
            return odd
        """,
    "test_shop.py": """
        import threading

        import pytest
        import shop

        def test_price():
            assert shop.price(3) == 8

        def test_tax():
            assert shop.price(3, tax=10) == 26

        def test_generator():
            assert list(shop.counted(3)) == [0, 1, 2]

        def test_failing():
            with pytest.raises(ValueError):
                shop.failing()

        def test_odd():
            shop.take(shop.Odd())
            shop.take([shop.Odd()])
            shop.take("long " * 500)

        def test_thing():
            assert shop.Thing().grown(by=1) == 4

        def test_many():
            for number in range(500):
                shop.price(number)
        """,
}
ENTRY, RETURN = PointKind.ENTRY, PointKind.RETURN


def record(sandbox, points, tests=()) -> Recording:
    recording = sandbox.record_points([f"test_shop.py::{name}" for name in tests], points)
    assert isinstance(recording, Recording), recording
    return recording


def shown(sightings) -> list[tuple[str, ...]]:
    return [tuple(f"{v.name}={v.text}" for v in sighting.values) for sighting in sightings]


def check_values(sandbox) -> None:
    line = Point("shop.py", 6, ("total", "step", "RATE", "missing"))
    entry, result = Point("shop.py", 3, kind=ENTRY), Point("shop.py", 3, kind=RETURN)
    counted, yielded = Point("shop.py", 9, kind=ENTRY), Point("shop.py", 9, kind=RETURN)
    raised = Point("shop.py", 14, kind=RETURN)
    points = (line, entry, result, counted, yielded, raised)
    seen = record(sandbox, points, ["test_price", "test_tax", "test_generator", "test_failing"])
    assert shown(seen.sightings_at(line)) == [
        ("total=6", "step=0", "RATE=2"),
        ("total=7", "step=1", "RATE=2"),
        ("total=6", "step=0", "RATE=2"),
        ("total=16", "step=1", "RATE=2"),
    ]
    assert shown(seen.sightings_at(entry)) == [("net=3", "tax=1"), ("net=3", "tax=10")]
    assert shown(seen.sightings_at(result)) == [("return=8",), ("return=26",)]
    assert [s.test for s in seen.sightings_at(result)] == ["test_shop.py::test_price", "test_shop.py::test_tax"]
    assert shown(seen.sightings_at(counted)) == [("most=3",)]
    assert shown(seen.sightings_at(yielded)) == [("return='done'",)]
    assert seen.sightings_at(raised) == ()
    assert all(v.plain and v.type_name.startswith("builtins.") for s in seen.sightings for v in s.values)


@pytest.fixture
def shop(project) -> Path:
    return project(FILES)


def test_lines_entries_and_returns(shop, open_sandbox):
    check_values(open_sandbox(shop))


def test_on_other_interpreters_too(shop, open_sandbox, other_python):
    check_values(open_sandbox(shop, python=other_python))


def test_hostile_large_and_many_values(shop, open_sandbox):
    odd, price = Point("shop.py", 33, kind=RETURN), Point("shop.py", 3, kind=ENTRY)
    thing = Point("shop.py", 30, ("self", "by"), ENTRY)
    seen = record(open_sandbox(shop), (odd, price, thing), ["test_odd", "test_many", "test_thing"])
    hostile, nested, long = (sighting.values[0] for sighting in seen.sightings_at(odd))
    assert (hostile.type_name, hostile.plain) == ("shop.Odd", False)
    assert (nested.type_name, nested.plain) == ("builtins.list", False)
    assert len(long.text) < 400
    assert not long.plain
    assert len(seen.sightings_at(price)) == 10
    (self_value, by) = seen.sightings_at(thing)[0].values
    assert (self_value.type_name, self_value.text) == ("shop.Thing", "Thing(size=3)")
    assert (by.text, by.plain) == ("1", True)


def test_a_run_that_is_none_gives_no_recording(shop, open_sandbox):
    outcome = open_sandbox(shop).record_points(["test_shop.py::test_nowhere"], [Point("shop.py", 3)])
    assert isinstance(outcome, InvalidRun)
    assert outcome.fault is RunFault.NO_SUCH_TEST


def values_event(seen: object, test: str = "t") -> list[bytes]:
    events = [{"event": "begin", "test": "t"}, {"event": "values", "test": test, "seen": seen}]
    return [json.dumps(event).encode() for event in events]


def test_the_wire_takes_what_was_asked_for():
    point = Point("a.py", 1)
    seen = read_events(values_event([[0, [["x", "builtins.int", "1", True]]]]), [point])
    assert seen.sightings[0].point == point
    assert seen.sightings[0].values[0].text == "1"


@pytest.mark.parametrize(
    "seen",
    [
        {},
        [[1, []]],
        [[-1, []]],
        [[True, []]],
        [["0", []]],
        [[0]],
        [[0, [["x", "builtins.int", 1, True]]]],
        [[0, [["x", "builtins.int", "1", 1]]]],
        [[0, [["x", "builtins.int", "1"]]]],
        [[0, [["x", "builtins.int", "1", True]] * 21]],
        [[0, []]] * 201,
    ],
)
def test_the_wire_refuses_anything_else(seen):
    with pytest.raises(Malformed):
        read_events(values_event(seen), [Point("a.py", 1)])


def test_the_wire_refuses_values_of_other_tests_and_unasked():
    with pytest.raises(Malformed):
        read_events(values_event([], "other"), [Point("a.py", 1)])
    with pytest.raises(Malformed):
        read_events(values_event([[0, []]]))
