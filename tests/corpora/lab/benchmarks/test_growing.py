"""What the benchmark of grown tests counts."""

from __future__ import annotations

import sys

import pytest

from analysis.facts import InvalidRun, Outcome, Phase, RunFault, TestId, TestResult, TestRun
from corpora.lab.benchmarks.growing import (
    KILLS,
    LINES,
    PER_LINE,
    PER_SECOND,
    Compared,
    Side,
    count_flaky,
    later_tests,
    rows_of,
)
from corpora.lab.benchmarks.grown_libraries import FIVE, LIBRARIES
from corpora.lab.benchmarks.rival_tests import RivalFile, lines_of_tests, write_ghost
from transforms.mutants.made import Mutant

A, B, C = (Mutant(name.encode(), "op", name, 1) for name in "abc")
TEXT = """\
import pytest


@pytest.mark.parametrize("n", [1, 2])
def test_a(n):
    assert n


def helper():
    pass


class TestB:
    def test_b(self):
        assert True
"""


def compared(killed: frozenset[Mutant], ghost: frozenset[Mutant]) -> Compared:
    return Compared("f", 3, frozenset({A, B, C}), Side(killed, 10.0, 5), {"ghost": Side(ghost, 2.0, 20)})


def test_figures():
    found = {"shop": ([compared(frozenset({A, B}), frozenset({C}))], 0, [3, 5, 40])}
    rows = {row.figure: row.values for row in rows_of(found)}
    assert rows[KILLS] == (("shop", pytest.approx(2 / 3)),)
    assert rows[LINES] == (("shop", 5.0),)
    assert rows[PER_SECOND] == (("shop", pytest.approx(0.2 / 0.5)),)
    assert rows[PER_LINE] == (("shop", pytest.approx(0.4 / 0.05)),)


def test_nothing_is_compared_with_a_rival_that_kills_nothing():
    found = {"shop": ([compared(frozenset({A}), frozenset())], 0, [])}
    assert {row.figure for row in rows_of(found)}.isdisjoint({PER_SECOND, PER_LINE, LINES})


def test_a_run_that_tells_nothing_counts_against_us():
    passed = TestRun((TestResult(TestId("t"), Outcome.PASSED, Phase.CALL, 0.1),), (), 0, 0.1)
    failed = TestRun((TestResult(TestId("t"), Outcome.FAILED, Phase.CALL, 0.1),), (), 1, 0.1)
    lost = InvalidRun(RunFault.TIMEOUT, "late")
    assert count_flaky([passed, passed]) == 0
    assert count_flaky([passed, failed, failed]) == 1
    assert count_flaky([passed, lost]) == 1


def test_lines_of_tests_are_those_of_test_functions_with_their_decorators():
    assert lines_of_tests(TEXT) == [3, 2]
    assert RivalFile(TEXT).lines == 5
    assert RivalFile(TEXT).tests == ("test_a", "test_b")
    assert RivalFile().lines == 0


def test_a_rival_that_writes_nothing_says_why(tmp_path):
    made = write_ghost(sys.executable, tmp_path, "none_such", "f")
    assert made.text == ""
    assert made.problem


def test_tests_of_a_later_release_are_those_that_count(tmp_path):
    for name in ("tests/test_a.py", "tests/deep/test_b.py", "tests/conftest.py", "tests/data.txt", "src/test_c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("pass")
    every = ["tests/conftest.py", "tests/deep/test_b.py", "tests/test_a.py"]
    assert [path for path, _ in later_tests(tmp_path)] == every
    assert [path for path, _ in later_tests(tmp_path, ["tests/test_a.py"])] == ["tests/conftest.py", "tests/test_a.py"]
    assert later_tests(tmp_path / "none") == ()


def test_the_five_libraries_are_pinned_and_a_later_release_is_another_one():
    assert len(set(FIVE) & set(LIBRARIES)) == len(FIVE) == 5
    later = [each for each in LIBRARIES.values() if each.later is not None]
    assert later
    assert all(each.later.name == each.package.name for each in later)
    assert all(each.later.sha256 != each.package.sha256 for each in later)
