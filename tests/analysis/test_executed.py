"""Rotten green tests: assertions that never ran while the test passed."""

import textwrap

import pytest

from analysis.facts import TestId
from analysis.function_text import Unreadable
from analysis.quality.case import read_tests
from analysis.quality.executed import rotten
from analysis.quality.smell import Severity

HELPED = """\
def check(x):
    if x:
        assert x == 3
def test_it():
    check(parse('3'))
"""


def judged(source, executed, name="test_it"):
    smell = rotten(read_tests(source.encode()), TestId(f"t.py::{name}"), frozenset(executed))
    return None if smell is None else (smell.id, smell.severity, smell.line)


LOOP = "def test_it():\n    for x in parse(''):\n        assert x == 3\n"
REJECTED, WARNED = ("T28", Severity.REJECT), ("T28-some", Severity.WARN)


@pytest.mark.parametrize(
    ("source", "executed", "smell"),
    [
        (LOOP, {2}, (*REJECTED, 3)),
        (LOOP, {2, 3}, None),
        (LOOP + "    assert done\n", {2, 4}, (*WARNED, 3)),
        (
            "def test_it():\n    if slow:\n        assert parse(1)\n    else:\n        assert parse(2)\n",
            {2, 5},
            (*WARNED, 3),
        ),
        ("def test_it():\n    assert parse(\n        1\n    ) == 2\n", {3}, None),
        ("def test_it():\n    with pytest.raises(KeyError):\n        parse(1)\n", {2, 3}, None),
        (
            "def test_it():\n    try:\n        parse(1)\n    except KeyError:\n        return\n    pytest.fail('no')\n",
            {2, 3, 4, 5},
            None,
        ),
        ("def test_it():\n    if not parse(1):\n        raise AssertionError\n", {2}, None),
        ("def test_it():\n    def then():\n        assert parse(1)\n    later(then)\n", {2, 4}, (*REJECTED, 3)),
        ("def test_it():\n    parse(1)\n", {2}, None),
        (HELPED, {2, 3, 5}, None),
        (HELPED, {2, 5}, (*REJECTED, 5)),
        (HELPED.replace("check", "assert_three"), {2, 5}, (*REJECTED, 5)),
        (HELPED.replace("    check", "    if 0:\n        check"), {5}, (*REJECTED, 6)),
        (LOOP, set(), None),
    ],
)
def test_only_lines_that_ran_count_as_asserted(source, executed, smell):
    assert judged(source, executed) == smell


def test_a_test_of_another_file_is_not_judged():
    assert judged(LOOP, {2}, "test_inherited") is None
    assert rotten(Unreadable("no text"), TestId("t.py::test_it"), frozenset({2})) is None


def test_a_method_is_found_with_its_helpers():
    source = textwrap.dedent("""\
        class TestIt:
            def check(self, x):
                self.assertEqual(x, 3)
            def test_it(self):
                self.check(parse('3'))
    """)
    assert judged(source, {3, 5}, "TestIt::test_it") is None
    assert judged(source, {5}, "TestIt::test_it") == (*REJECTED, 5)
