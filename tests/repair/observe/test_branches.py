"""Branches of a patch: counted by the tests that vouch, for projects that measure branches alone."""

from __future__ import annotations

from fakes.sandbox import FakeSandbox
from fakes.submission import FAILING, PATH, baseline_of, submission_of

from analysis.facts import InvalidRun, Limits, Outcome, Phase, RunFault, TestResult, TestRun
from repair.observe.branches import branches_of_patch
from repair.observe.statements import KnownStatements

SETTINGS = {".coveragerc": b"[run]\nbranch = true\n"}

OLD = b"def price(text):\n    x = int(text)\n    return x\n"
NEW = OLD.replace(b"    x = int(text)\n", b"    x = 0\n    if text:\n        x = int(text)\n")


def count(run):
    sandbox = FakeSandbox(lambda *_: run)
    counts = branches_of_patch(sandbox, Limits(), KnownStatements(SETTINGS))
    submission = submission_of(NEW, OLD, baseline=baseline_of())
    first = dict(submission.whole)[PATH].decode().splitlines().index("    if text:") + 1
    return first, counts.count(submission, [(first - 1, first + 1)])


def test_the_branches_of_a_patch_are_counted_by_the_tests_that_vouch():
    first, _ = count(InvalidRun(RunFault.TIMEOUT, "it took too long"))
    arcs = ((FAILING, ((PATH, frozenset({(first, first + 1)})),)),)
    result = TestResult(FAILING, Outcome.PASSED, Phase.CALL, 0.1)
    _, (taken, left, said) = count(TestRun((result,), (), 0, 0.1, arcs=arcs))
    assert (taken, [(each.start, each.end) for each in left], said) == (1, [(first, first + 2)], "")


def test_a_run_that_tells_no_branches_is_said():
    _, found = count(InvalidRun(RunFault.TIMEOUT, "it took too long"))
    assert found == (0, (), "branches were not told: it took too long")


def test_who_measures_no_branches_pays_no_run():
    for settings in ({}, {"tox.ini": b"# branch\n"}):
        assert branches_of_patch(FakeSandbox(lambda *_: None), Limits(), KnownStatements(settings)) is None
