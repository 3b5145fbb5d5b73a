"""Both sides' answers as one kind of verdict; what looks like a pass and is none is told apart."""

from __future__ import annotations

import signal

import pytest

from analysis.facts import TestId, digest
from analysis.trials import TrialOutcome, TrialState
from corpora.lab.benchmarks.verdicts import Verdict, Word, cold_verdict, pool_verdict

TESTS = ("test_a.py::test_x", "test_a.py::test_x[1 - 2]", "test_a.py::test_y")
ONE_FAILED = "FAILED {}\n!!! stopping after 1 failures !!!\n=== 1 failed, 1 passed in 0.10s ===\n"


@pytest.mark.parametrize(
    ("status", "output", "verdict"),
    [
        (0, "...  [100%]\n3 passed in 0.10s\n", Verdict(Word.PASSED)),
        (0, "=== 3 passed, 2 warnings in 65.10s (0:01:05) ===\n", Verdict(Word.PASSED)),
        (0, "2 passed, 1 skipped in 0.10s\n", Verdict(Word.UNDONE)),
        (0, "2 passed, 1 xfailed in 0.10s\n", Verdict(Word.UNDONE)),
        (0, "...", Verdict(Word.CRASHED)),
        (5, "no tests ran in 0.01s\n", Verdict(Word.UNDONE)),
        (1, ONE_FAILED.format("test_a.py::test_x - assert 1 == 2"), Verdict(Word.FAILED, TESTS[0])),
        (1, ONE_FAILED.format("test_a.py::test_x[1 - 2]"), Verdict(Word.FAILED, TESTS[1])),
        (1, ONE_FAILED.format("test_a.py::test_y - MemoryError"), Verdict(Word.MEMORY, TESTS[2])),
        (1, ONE_FAILED.format("test_b.py::test_new - assert 0"), Verdict(Word.FAILED)),
        (1, "", Verdict(Word.CRASHED)),
        (2, "ERROR test_a.py - SyntaxError\n=== 1 error in 0.10s ===\n", Verdict(Word.UNCOLLECTED)),
        (2, "=== no tests ran in 0.01s ===\n", Verdict(Word.CRASHED)),
        (4, "ImportError while loading conftest", Verdict(Word.UNCOLLECTED)),
        (3, "3 passed in 0.10s", Verdict(Word.CRASHED)),
        (-signal.SIGSEGV, "", Verdict(Word.CRASHED)),
        (-signal.SIGXCPU, "", Verdict(Word.TIMEOUT)),
        (None, "", Verdict(Word.TIMEOUT)),
    ],
)
def test_what_a_plain_run_says(status, output, verdict):
    assert cold_verdict(status, output, TESTS) == verdict


@pytest.mark.parametrize(
    ("state", "failed", "detail", "verdict"),
    [
        (TrialState.PASSED, None, "", Verdict(Word.PASSED)),
        (TrialState.FAILED, TESTS[0], "failed in call: AssertionError", Verdict(Word.FAILED, TESTS[0])),
        (TrialState.FAILED, TESTS[0], "skipped in call: no", Verdict(Word.UNDONE)),
        (TrialState.FAILED, None, "the tests could not be collected: x", Verdict(Word.UNCOLLECTED)),
        (TrialState.FAILED, None, "not all tests were reported as passed", Verdict(Word.FAILED)),
        (TrialState.MEMORY, TESTS[2], "failed in call: MemoryError", Verdict(Word.MEMORY, TESTS[2])),
        (TrialState.TIMEOUT, TESTS[2], "", Verdict(Word.TIMEOUT)),
        (TrialState.CRASHED, None, "SIGSEGV", Verdict(Word.CRASHED)),
        (TrialState.INVALID, None, "SyntaxError", Verdict(Word.UNCOLLECTED)),
    ],
)
def test_what_the_pool_says(state, failed, detail, verdict):
    assert pool_verdict(TrialOutcome(digest("t"), state, failed and TestId(failed), detail)) == verdict


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        (Verdict(Word.FAILED, "a"), Verdict(Word.FAILED, "a"), True),
        (Verdict(Word.FAILED, "a"), Verdict(Word.FAILED, "b"), False),
        (Verdict(Word.FAILED, "a"), Verdict(Word.FAILED), True),
        (Verdict(Word.CRASHED), Verdict(Word.FAILED, "a"), False),
        (Verdict(Word.TIMEOUT), Verdict(Word.FAILED, "a"), False),
        (Verdict(Word.UNDONE), Verdict(Word.PASSED), False),
    ],
)
def test_a_crash_is_no_failure_and_another_test_is_another_failure(one, other, agree):
    assert one.agrees(other) is other.agrees(one) is agree
