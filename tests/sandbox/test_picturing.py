"""What runs only because a check has failed is no part of what its test ran."""

import sys

import pytest

from analysis.facts import Outcome, TestId, TestRun

LIBRARY = """\
class Box:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __repr__(self):
        return "Box(%r)" % self.value

def after(value):
    return value

def before(value):
    return value
"""
LINES = {"__init__": 3, "__eq__": 6, "__repr__": 9, "after": 12, "before": 15}
HEAD = "import unittest\nimport pytest\nfrom lib import Box, after, before\n\n"

KINDS = ["settrace", *(["monitoring"] if sys.version_info >= (3, 12) else ["stamps"])]


def ran(project, open_sandbox, text, kind, name="test_it"):
    sandbox = open_sandbox(project({"lib.py": LIBRARY, "test_lib.py": HEAD + text}))
    run = sandbox.run([TestId(f"test_lib.py::{name}")], trace=kind)
    assert isinstance(run, TestRun)
    assert [r.outcome for r in run.results] in ([Outcome.FAILED], [Outcome.ERROR]), run.results
    seen = {line for _, files in run.line_map for path, lines in files if path == "lib.py" for line in lines}
    return {function for function, line in LINES.items() if line in seen}


FIXTURE = "@pytest.fixture\ndef box():\n    yield Box(1)\n    after(1)\n\n"
MADE = {"__init__"}
COMPARED = {"__init__", "__eq__"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("text", "name", "functions"),
    [
        ("def test_it():\n    assert Box(1) == Box(2)\n", "test_it", COMPARED),
        ("def test_it():\n    assert Box(1) == Box(2), repr(Box(3))\n", "test_it", COMPARED),
        ("def test_it():\n    box = Box(1)\n    assert box is None and box\n", "test_it", MADE),
        (FIXTURE + "def test_it(box):\n    raise ValueError(before(1))\n", "test_it", {*MADE, "before"}),
        (
            "class TestIt(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(Box(1), Box(2))\n",
            "TestIt::test_it",
            COMPARED,
        ),
        (
            "@pytest.fixture\ndef broken():\n    before(1)\n    raise ValueError\n\n"
            "class TestIt:\n    def teardown_method(self):\n        after(1)\n\n"
            "    def test_it(self, broken):\n        pass\n",
            "TestIt::test_it",
            {"before"},
        ),
    ],
)
def test_pictures_and_what_follows_a_failure_do_not_count(project, open_sandbox, text, name, functions, kind):
    assert ran(project, open_sandbox, text, kind, name) == functions


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("text", "functions"),
    [
        # The test goes on behind a check that failed.
        (
            "def test_it():\n    try:\n        assert Box(1) == Box(2)\n    except AssertionError:\n        before(1)\n"
            "    raise ValueError\n",
            {*COMPARED, "before"},
        ),
        ("def test_it():\n    assert repr(Box(1)) == 'Box'\n", {*MADE, "__repr__"}),
        # It fails only when it is torn down.
        (
            FIXTURE.replace("after(1)", "assert after(1) == 2") + "def test_it(box):\n    before(1)\n",
            {*LINES} - {"__eq__", "__repr__"},
        ),
    ],
)
def test_what_the_test_itself_runs_counts(project, open_sandbox, text, functions, kind):
    assert ran(project, open_sandbox, text, kind) == functions


def test_a_picture_is_not_called_since_the_last_check(project, open_sandbox):
    text = "def test_it():\n    assert before(1) == 1\n    assert Box(1) == Box(2)\n"
    sandbox = open_sandbox(project({"lib.py": LIBRARY, "test_lib.py": HEAD + text}))
    run = sandbox.run([TestId("test_lib.py::test_it")], trace="since check")
    assert isinstance(run, TestRun)
    seen = {line for _, files in run.line_map for path, lines in files if path == "lib.py" for line in lines}
    assert {function for function, line in LINES.items() if line in seen} == COMPARED
