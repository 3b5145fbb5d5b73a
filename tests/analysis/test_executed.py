"""Assertions in helpers of the file: they count where they ran, not where the helper was called."""

import pytest

from analysis.facts import TestId
from analysis.quality.case import find_case, read_tests
from analysis.quality.executed import all_have_run, assertions_not_run

HELPED = """\
def check(x):
    if x:
        assert x == 3
def test_it():
    check(parse('3'))
class TestIt:
    def verify(self, x):
        if x:
            self.assertEqual(x, 3)
    def test_it(self):
        self.verify(parse('3'))
"""


@pytest.mark.parametrize(
    ("source", "name", "ran", "smells"),
    [
        (HELPED, "test_it", {2, 3, 5}, []),
        (HELPED, "test_it", {2, 5}, [("T28", 5)]),
        (HELPED.replace("check", "assert_three"), "test_it", {2, 5}, [("T28", 5)]),
        (HELPED.replace("('3'))\nclass", "('3'))\n    assert 1 < f()\nclass"), "test_it", {2, 5, 6}, [("T28-some", 5)]),
        (HELPED, "TestIt::test_it", {8, 9, 11}, []),
        (HELPED, "TestIt::test_it", {8, 11}, [("T28", 11)]),
    ],
)
def test_a_helper_has_asserted_where_one_of_its_assertions_ran(source, name, ran, smells):
    file, test = read_tests(source.encode()), TestId(f"t.py::{name}")
    case = find_case(file, test)
    assert [(smell.id, smell.line) for smell in assertions_not_run(case, test, frozenset(ran))] == smells
    assert all_have_run(case, frozenset(ran)) is (smells == [])
