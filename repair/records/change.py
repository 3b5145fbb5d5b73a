"""A change from anywhere, as files, and the two trees that it is judged by."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.facts import Files

PROGRAM = frozenset(
    (
        *("imports", "module_level", "function_added", "function_removed", "function_moved"),
        *("file_added", "file_removed", "other_file"),
    )
)
"""Kinds of findings in the program itself, of which the suite may say that they broke something."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change as files: only those that differ, before and after. A file that is not there has no entry."""

    before: Files
    after: Files


def program_layer(change: Change) -> Files:
    """The tree that the change is judged against: new tests, old program."""
    old = dict(change.before)
    layer = {path: text if is_test_path(path) or path not in old else old[path] for path, text in change.after}
    gone = {path: text for path, text in change.before if path not in layer and not is_test_path(path)}
    return tuple(sorted({**layer, **gone}.items()))


def tests_as_they_were(change: Change) -> Files:
    """The old texts of all test files that the change touches; a test module that it adds is empty."""
    old, new = dict(change.before), dict(change.after)
    edited = {path: text for path, text in old.items() if is_test_path(path) and new.get(path) != text}
    added = {path: b"" for path in new if is_test_path(path) and path not in old and path.endswith(".py")}
    return tuple(sorted({**edited, **added}.items()))
