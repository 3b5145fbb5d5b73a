"""`repair fix --show-packet` prints what a model would be told, and asks nothing."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

KEY = "sk-canary-77b1e0"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project with one failing test, and one that passes."""
    (tmp_path / "shop.py").write_text(
        "def total(prices):\n    result = 1\n    for p in prices:\n        result += p\n    return result\n"
    )
    tests = """\
        from shop import total


        def test_total():
            assert total([1, 2]) == 3


        def test_label():
            assert str(total([0])) != ""
        """
    (tmp_path / "test_shop.py").write_text(dedent(tests))
    return tmp_path


def test_the_packet_is_printed_and_nothing_is_asked(project, repair):
    arguments = ["fix", "test_shop.py::test_total", "--root", str(project), "--show-packet", "--max-seconds", "120"]
    answer = repair(*arguments, "--model", "m", "--base-url", "http://127.0.0.1:9/v1", env={"REPAIR_API_KEY": KEY})
    assert answer.status == 0, answer.messages
    for part in (
        "facts: steps, function, failure",
        "  near: not told at this stage (first)",
        "--- user ---\nMend `total` in shop.py",
        "relation of got to wanted: it is off by one",
        "- were `1` in s1 0 instead of 1, 1 failing test of 1 pass",
    ):
        assert part in answer.output
    assert KEY not in answer.output + answer.messages
    assert (project / "shop.py").read_text().startswith("def total(prices):\n    result = 1\n")


def test_where_nothing_fails_the_result_says_so(project, repair):
    answer = repair("fix", "test_shop.py::test_label", "--root", str(project), "--show-packet", "--max-seconds", "120")
    assert answer.status == 5, answer.messages
    assert "--- system ---" not in answer.output
