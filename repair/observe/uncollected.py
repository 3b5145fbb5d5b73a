"""Files of tests that cannot be collected: which of them a patch may mend, and the tests that they hide.

Such a file is a test like any other, with the file's name: it passes when it is collected. Its traceback leads to a
function that is called at import (a decorator, an argument of ``parametrize``), or to module-level code. What no edit
of the project answers (a missing package, a syntax error, a test's own slip) is told, and is no test.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from analysis.diagnosis import diagnose, is_test_path
from analysis.exception_kinds import Subclass
from analysis.facts import FailureClass, Files, Outcome, Phase, TestId, TestResult, TestRun
from analysis.failure import failure_of
from analysis.out_of_scope import out_of_scope
from analysis.root_cause import UNPATCHABLE

HIDDEN = "not collected before the change"


def file_of(test: TestId) -> TestId:
    """The file that holds the test: ``tests/test_cart.py`` of ``tests/test_cart.py::test_add``."""
    return TestId(test.partition("::")[0])


def uncollected_tests(run: TestRun, sources: Files) -> tuple[TestResult, ...]:
    """The files that cannot be collected for a reason in the project itself, each as a test that fails."""
    nodes = (e.node for e in run.collection_errors if e.node.endswith(".py") and e.node.split("/")[-1] != "conftest.py")
    results = (run.result_of(TestId(node)) for node in dict.fromkeys(nodes))
    return tuple(result for result in results if result is not None and _may_be_mended(result, sources))


def _may_be_mended(result: TestResult, sources: Files) -> bool:
    """Whether a function of the project, or its module-level code, does not let the file be collected."""
    found = diagnose(failure_of(result), sources, is_test_path)
    if found.failure_class is FailureClass.FORMAT:
        return found.subclass != Subclass.SYNTAX and bool(out_of_scope([found]))
    return found.failure_class not in UNPATCHABLE


def find_hidden(run: TestRun, files: Collection[TestId], known: Collection[TestId]) -> Iterator[TestResult]:
    """What a run says of tests that nobody knew, since their file was not collected."""
    return (result for result in run.results if result.test not in known and file_of(result.test) in files)


def was_hidden(test: TestId) -> TestResult:
    """What is known of such a test before: it was not collected."""
    return TestResult(test, Outcome.ERROR, Phase.COLLECT, 0.0, (), HIDDEN)
