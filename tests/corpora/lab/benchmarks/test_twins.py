"""Twins of whole suites: what is counted, and when it is an alarm."""

import pytest
from click.testing import CliRunner
from fakes.sandbox import FakeSandbox, run_of

from analysis.errors import TargetError
from analysis.facts import InvalidRun, Outcome, RunFault, TestId
from corpora.lab.benchmarks.twins import main, tally
from repair.gates.controls import Noticed

P, F = Outcome.PASSED, Outcome.FAILED
SOURCE = b"def test_a():\n    assert f() == 5\ndef test_b():\n    assert f() == 6\ndef test_c():\n    f()\n"
TESTS = ("t.py::test_a", "t.py::test_b", "t.py::test_c")


def answer(tests, files, shuffle):
    if not files:
        return run_of({**dict.fromkeys(TESTS, P), "t.py::test_d": F})
    lines = tuple((TestId(test), (("t.py", frozenset({2 + 2 * n})),)) for n, test in enumerate(TESTS))
    return run_of({TESTS[0]: F, TESTS[1]: P, TESTS[2]: P, "t.py::test_d": F}, lines)


def test_twins_of_passing_tests_are_counted_and_those_that_pass_are_alarms():
    found = tally(FakeSandbox(answer, (("t.py", SOURCE),)))
    wanted = {"tests": 3, "exempt": 0, "failed": 1, "holds": 0, "passed": 0, "forged": 1, "untouched": 1}
    assert found.counts() == wanted
    assert [(alarm.test, alarm.noticed, alarm.line) for alarm in found.alarms] == [(TESTS[1], Noticed.FORGED, 4)]


def test_a_suite_that_does_not_run_is_an_error():
    lost = FakeSandbox(lambda *_: InvalidRun(RunFault.TIMEOUT, "time is up"))
    with pytest.raises(TargetError, match="time is up"):
        tally(lost)


def test_another_form_of_a_library_is_refused():
    said = CliRunner().invoke(main, ["--library", "boltons"])
    assert said.exit_code == 2
    assert "NAME==VERSION:TESTS" in said.output
