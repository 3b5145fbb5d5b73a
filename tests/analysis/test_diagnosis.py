"""Which files are tests."""

from __future__ import annotations

import pytest

from analysis.diagnosis import is_test_path


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_a.py", True),
        ("test_a.py", True),
        ("a_test.py", True),
        ("conftest.py", True),
        ("src/pkg/tests/data.py", True),
        ("pkg/test/support.py", True),
        ("testing/a.py", True),
        ("a.py", False),
        ("src/pkg/latest.py", False),
        ("pkg/testify.py", False),
        ("pkg/contest.py", False),
        ("/home/me/tests/a.py", False),
        ("/home/me/a/test_a.py", True),
    ],
)
def test_is_test_path(path, expected):
    assert is_test_path(path) is expected
