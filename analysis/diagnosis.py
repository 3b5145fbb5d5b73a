"""A failure with its class and constraints; and which files are tests."""

from __future__ import annotations

from analysis.classify import classify
from analysis.constraints import derive
from analysis.facts import Diagnosis, Failure
from analysis.frames import IsTest
from analysis.site import Sources

_TEST_FOLDERS = frozenset({"test", "tests", "testing"})


def diagnose(failure: Failure, sources: Sources, is_test: IsTest) -> Diagnosis:
    """What the failure is and what follows from it, told before any edit."""
    failure_class, subclass = classify(failure, is_test, sources)
    return Diagnosis(failure, failure_class, subclass, derive(failure, failure_class, sources))


def is_test_path(path: str) -> bool:
    """Whether the file belongs to the tests, by its name or by a folder on its way from the project's root.

    The folders of an absolute path, which lies outside the project, say nothing.
    """
    *folders, name = path.split("/")
    if name == "conftest.py" or name.endswith("_test.py") or (name.startswith("test_") and name.endswith(".py")):
        return True
    return not path.startswith("/") and not _TEST_FOLDERS.isdisjoint(folders)
