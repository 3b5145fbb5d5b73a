"""A failure with its class and constraints; and which files are tests."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analysis.classify import classify
from analysis.constraints import derive_constraints
from analysis.facts import Diagnosis, Failure, TestId
from analysis.frame_source import Sources
from analysis.frames import IsTest

_TEST_FOLDER = re.compile(
    r"tests?|testing|test[_-]?suites?|tests[_-].+|.+[_-]tests"
    r"|(unit|integration|functional|regression|acceptance|system|e2e)[_-]?tests?"
)
_TEST_MODULES = frozenset({"test.py", "tests.py"})


def diagnose(failure: Failure, sources: Sources, is_test: IsTest) -> Diagnosis:
    """What the failure is and what follows from it, told before any edit."""
    failure_class, subclass = classify(failure, is_test, sources)
    return Diagnosis(failure, failure_class, subclass, derive_constraints(failure, failure_class, sources))


def is_test_path(path: str) -> bool:
    """Whether the file belongs to the tests, by its name or by a folder on its way from the project's root.

    The folders of an absolute path, which lies outside the project, say nothing.
    """
    *folders, name = path.split("/")
    if name == "conftest.py" or is_test_module(name):
        return True
    return not path.startswith("/") and any(_TEST_FOLDER.fullmatch(folder) for folder in folders)


def is_test_module(name: str) -> bool:
    """Whether a file of that name holds tests: what else lies in their folders may be part of the program too."""
    if name in _TEST_MODULES or name.endswith(("_test.py", "_tests.py")):
        return True
    return name.startswith("test_") and name.endswith(".py")


def files_of_tests(tests: Iterable[TestId]) -> frozenset[str]:
    """The Python files that hold these tests, whatever their names; a doctest makes no test file of its module."""
    found = set()
    for test in tests:
        path, _, item = str(test).partition("::")
        name = item.split("[")[0]
        module = path.removesuffix(".py").removesuffix("/__init__").rsplit("/", 1)[-1]
        if path.endswith(".py") and "." not in name and name not in ("", module):
            found.add(path)
    return frozenset(found)
