"""What a test called since the last of its checks that passed."""

import pytest

from analysis.facts import Outcome, TestId, TestRun

LIBRARY = """\
def one(x):
    return x

def two(x):
    return one(x) + 1

def three(x):
    return x * 3

def four(x):
    raise KeyError(x)

def five(x):
    if x > 1:
        x += 1
    else:
        x -= 1
    return x

def parts(n):
    for each in range(n):
        kept = each + 1
        yield kept
    return
"""
FIRST_LINES = {"one": 1, "two": 4, "three": 7, "four": 10}
HEAD = """\
import functools, unittest
import pytest
from lib import one, two, three, four, five, parts

def check(seen, wanted):
    assert seen == wanted

def kept(function):
    @functools.wraps(function)
    def wrapper():
        function()
    return wrapper

"""


def ran(project, open_sandbox, test, name="test_it"):
    """Lines of the library that the failing test ran after its last check that passed, with the functions' first."""
    sandbox = open_sandbox(project({"lib.py": LIBRARY, "test_lib.py": HEAD + test}))
    run = sandbox.run([TestId(f"test_lib.py::{name}")], trace="since check")
    assert isinstance(run, TestRun)
    assert [r.outcome for r in run.results] == [Outcome.FAILED], run.results
    return {line for _, files in run.line_map for path, seen in files if path == "lib.py" for line in seen}


def called(project, open_sandbox, test, name="test_it"):
    """Names of the library's functions that the failing test called after its last check that passed."""
    lines = ran(project, open_sandbox, test, name)
    return {function for function, line in FIRST_LINES.items() if line in lines}


@pytest.mark.parametrize(
    ("test", "functions"),
    [
        ("def test_it():\n    assert three(1) == 3\n    made = two(1)\n    assert made == 9\n", {"one", "two"}),
        ("def test_it():\n    assert two(1) == 2\n    assert three(\n        1\n    ) == 4\n", {"three"}),
        ("def test_it():\n    check(two(1), 2)\n    check(three(1), 4)\n", {"three"}),
        ("def test_it():\n    for n in (1, 2):\n        assert three(n) == 3\n", {"three"}),
        ("def test_it():\n    with pytest.raises(KeyError):\n        four(1)\n    assert one(1) == 2\n", {"one"}),
        ("def test_it():\n    assert two(1) == 2\n    four(1)\n    assert False\n", {"four"}),
        ("@kept\ndef test_it():\n    assert two(1) == 2\n    assert three(1) == 4\n", {"three"}),
        ("def test_it():\n    if two(1):\n        assert one(1)\n    assert three(1) == 4\n", {"three"}),
    ],
)
def test_only_what_ran_since_the_last_passed_check_is_told(project, open_sandbox, test, functions):
    assert called(project, open_sandbox, test) == functions


@pytest.mark.parametrize(
    ("test", "lines"),
    [
        ("def test_it():\n    assert five(5) == 6\n    assert five(1) == 1\n", {13, 14, 17, 18}),
        ("def test_it():\n    assert five(1) == 0\n    assert five(2) == 2\n", {13, 14, 15, 18}),
        # Called before the check that passed, and gone on after it.
        ("def test_it():\n    made = parts(1)\n    assert next(made) == 1\n    assert next(made)\n", {20, 21, 24}),
        # Parts that fail are looked at together.
        (
            "class TestIt(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(five(1), 0)\n"
            "        for n in (2, 1):\n            with self.subTest(n):\n                self.assertEqual(five(n), 7)",
            {13, 14, 15, 17, 18},
        ),
    ],
)
def test_the_lines_that_ran_since_are_told_too(project, open_sandbox, test, lines):
    assert ran(project, open_sandbox, test, "TestIt::test_it" if "class" in test else "test_it") == lines


def test_of_a_test_that_takes_long_functions_are_told_without_lines(project, open_sandbox):
    slow = "import time\n\ndef late(began):\n    return time.time() - began > 1.1\n\n"
    test = f"{slow}def test_it():\n    began = time.time()\n    while not late(began):\n        five(1)\n"
    test += "    assert one(1) == 1\n    assert five(1) == 7\n"
    assert ran(project, open_sandbox, test) <= {13}  # nothing at all where the machine is so busy that it takes longer


@pytest.mark.parametrize(
    "test",
    [
        "def test_it():\n    made = two(1)\n    assert made == 9\n",  # one check
        "def test_it():\n    two(1)\n    raise ValueError\n",  # none
        "def test_it():\n    assert two(1) == 9\n    assert three(1) == 3\n",  # none that passed
        "exec('def test_it():\\n    assert one(1)\\n    assert one(0)\\n')\n",  # no text
    ],
)
def test_where_no_check_passed_before_nothing_is_told(project, open_sandbox, test):
    assert called(project, open_sandbox, test) == set()


PARTS = """\
class TestParts(unittest.TestCase):
    def holds(self, seen, wanted):
        for each in seen:
            with self.subTest(each=each):
                self.assertEqual(each, wanted)

    def test_it(self):
        self.holds([one(1)], 1)
        self.holds([two(1)], 7)
        self.holds([three(1)], 3)
"""


def test_a_check_in_parts_that_goes_on_after_its_failure_is_the_one_that_failed(project, open_sandbox):
    assert called(project, open_sandbox, PARTS, "TestParts::test_it") == {"one", "two"}


@pytest.mark.parametrize("body", ["one(n)", "n + 1"])
def test_a_test_that_is_watched_too_long_is_left_alone(project, open_sandbox, body):
    many = f"    for n in range(20_000_000):\n        {body}\n        if late():\n            break\n"
    late = "import time\nBEGAN = time.time()\ndef late():\n    return time.time() - BEGAN > 4\n\n"
    test = f"{late}def test_it():\n    assert two(1) == 2\n{many}    assert three(1) == 2\n"
    assert called(project, open_sandbox, test) == set()


def test_what_is_torn_down_belongs_to_no_check(project, open_sandbox):
    test = "@pytest.fixture\ndef made():\n    yield 1\n    two(1)\n\n"
    test += "def test_it(made):\n    assert one(1) == 1\n    three(None)\n    assert True\n"
    assert called(project, open_sandbox, test) == {"three"}


def test_a_failure_that_is_expected_is_none(project, open_sandbox):
    test = "def test_it():\n    with pytest.raises(AssertionError):\n        check(one(1), 2)\n"
    test += "    assert two(1) == 2\n    three(None)\n    assert True\n"
    assert called(project, open_sandbox, test) == {"three"}


@pytest.mark.parametrize(
    "test",
    [
        "import sys\n\ndef test_it():\n    assert sys.getprofile() is None\n    assert three(1) == 4\n",
        "import asyncio\n\nasync def main():\n    assert three(1) == 4\n\n"
        "def test_it():\n    assert one(1)\n    asyncio.run(main())\n    assert True\n",
        "from threading import Thread\n\ndef test_it():\n    assert one(1)\n"
        "    each = Thread(target=three, args=(1,))\n    each.start()\n    each.join()\n    assert False\n",
    ],
)
def test_other_ways_to_call_are_seen_too(project, open_sandbox, test):
    assert called(project, open_sandbox, test) == {"three"}


def test_other_interpreters_tell_the_same(project, open_sandbox, other_python):
    root = project({"lib.py": LIBRARY, "test_lib.py": HEAD + PARTS})
    sandbox = open_sandbox(root, python=other_python)
    run = sandbox.run([TestId("test_lib.py::TestParts::test_it")], trace="since check")
    assert isinstance(run, TestRun)
    ((_, files),) = run.line_map
    first = {FIRST_LINES["one"], FIRST_LINES["two"]}
    assert set(dict(files)["lib.py"]) == first | {line + 1 for line in first}
