"""A layer lies under every run, and over the project's own sources."""

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.facts import Point, Ran, Recording
from repair.trials.layered import LayeredSandbox, lay_over

LAYER = (("a.py", b"layer"), ("data.txt", b"layer"))


def layered(**given):
    below = FakeSandbox(lambda *_: run_of({}), sources=(("a.py", b"project"), ("b.py", b"project")), **given)
    return LayeredSandbox(below, LAYER), below


@pytest.mark.parametrize(
    ("files", "seen"),
    [
        ((), {"a.py": b"layer", "data.txt": b"layer"}),
        ((("a.py", b"mine"),), {"a.py": b"mine", "data.txt": b"layer"}),
        ((("c.py", b"mine"),), {"a.py": b"layer", "c.py": b"mine", "data.txt": b"layer"}),
    ],
)
def test_a_run_has_the_layer_under_its_files(files, seen):
    sandbox, below = layered()
    sandbox.run(["t.py::a"], files, shuffle=3)
    assert below.asked == [(("t.py::a",), tuple(seen.items()), 3)]


def test_a_warm_server_has_the_layer_under_its_files():
    given = []
    sandbox, _ = layered(session=lambda tests, files: given.append(files) or FakeSession())
    sandbox.warm([], (("a.py", b"mine"),))
    assert given == [(("a.py", b"mine"), ("data.txt", b"layer"))]


def test_a_recording_has_the_layer_under_its_files():
    sandbox, below = layered()
    assert sandbox.record_points(["t.py::a"], [Point("a.py", 1)], (("c.py", b"mine"),)) == Recording(())
    assert below.asked == [(("t.py::a",), (("a.py", b"layer"), ("c.py", b"mine"), ("data.txt", b"layer")), None)]


def test_a_module_runs_over_the_layer_and_its_files():
    given = []
    sandbox, _ = layered(module=lambda name, args, files: given.append((name, args, files)) or Ran(0, ""))
    assert sandbox.module("mypy", ["c.py"], (("c.py", b"mine"),)) == Ran(0, "")
    assert given == [("mypy", ("c.py",), (("a.py", b"layer"), ("c.py", b"mine"), ("data.txt", b"layer")))]


def test_sources_are_the_projects_with_the_layers_python_over_them():
    assert layered()[0].sources() == (("a.py", b"layer"), ("b.py", b"project"))


def test_layers_are_sorted_and_the_second_wins():
    assert lay_over((("b", b"1"), ("a", b"1")), (("b", b"2"),)) == (("a", b"1"), ("b", b"2"))


def test_questions_go_through():
    sandbox, _ = layered(problem="no")
    assert sandbox.compiles(()) == "no"
    assert sandbox.find_importable(["json"]) == ("json",)
