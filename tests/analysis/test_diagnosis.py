"""Which files are tests."""

from __future__ import annotations

import pytest

from analysis.diagnosis import files_of_tests, is_test_path
from analysis.facts import TestId


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_a.py", True),
        ("test_a.py", True),
        ("a_test.py", True),
        ("a_tests.py", True),
        ("shop/tests.py", True),
        ("test.py", True),
        ("conftest.py", True),
        ("src/pkg/tests/data.py", True),
        ("pkg/test/support.py", True),
        ("testing/a.py", True),
        ("unittests/utility.py", True),
        ("unit_tests/support/a.py", True),
        ("integration-test/a.py", True),
        ("tests_slow/a.py", True),
        ("shop_tests/a.py", True),
        ("test_suite/a.py", True),
        ("a.py", False),
        ("contests/a.py", False),
        ("latest/a.py", False),
        ("test_bench/a.py", False),
        ("load_test/a.py", False),
        ("testers/a.py", False),
        ("src/pkg/latest.py", False),
        ("pkg/testify.py", False),
        ("pkg/contests.py", False),
        ("pkg/contest.py", False),
        ("/home/me/tests/a.py", False),
        ("/home/me/a/test_a.py", True),
    ],
)
def test_is_test_path(path, expected):
    assert is_test_path(path) is expected


@pytest.mark.parametrize(
    ("test", "held"),
    [
        ("shop/check_price.py::test_total[1.5]", {"shop/check_price.py"}),
        ("shop/check_price.py::Prices::test_total", {"shop/check_price.py"}),
        ("shop/price.py::shop.price.total", set()),
        ("price.py::price", set()),
        ("shop/__init__.py::shop", set()),
        ("docs/use.rst::use.rst", set()),
    ],
)
def test_a_file_holds_tests_unless_they_are_doctests(test, held):
    assert files_of_tests([TestId(test)]) == held
