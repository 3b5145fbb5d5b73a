"""A change from anywhere, as files, and the two trees that it is judged by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.errors import UnparseableError
from analysis.facts import Files, TestId
from analysis.functions import functions_of

PROGRAM = frozenset(
    (
        *("imports", "module_level", "function_added", "function_removed", "function_moved"),
        *("file_added", "file_removed", "other_file"),
    )
)
"""Kinds of findings in the program itself, of which the suite may say that they broke something."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change as files: only those that differ, before and after. A file that is not there has no entry.

    ``others`` are names of what differs and is not the content of a file, such as links and modes.
    """

    before: Files
    after: Files
    others: tuple[str, ...] = ()


def files_before(change: Change, now: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those files of a tree with the change as they were before it; ``now`` has some files of that tree."""
    added = {path for path, _ in change.after} - {path for path, _ in change.before}
    return {**{path: text for path, text in now.items() if path not in added}, **dict(change.before)}


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


def tests_of_its_author(change: Change, tests: Sequence[TestId]) -> tuple[TestId, ...]:
    """Those of the tests that the change brings along or edits: they say what its author says."""
    old, new = dict(tests_as_they_were(change)), dict(change.after)
    found = []
    for test in tests:
        path, *names = str(test).partition("[")[0].split("::")
        if path in old and _text_of(path, old[path], names) != _text_of(path, new.get(path, b""), names):
            found.append(test)
    return tuple(found)


def _text_of(path: str, source: bytes, names: Sequence[str]) -> bytes:
    """The text of one test; that of the file where it has no function of that name."""
    try:
        spans = {span.function.qualname: span for span in functions_of(path, source)}
    except UnparseableError:
        return source
    span = spans.get(".".join(names))
    return source[span.start : span.end] if span is not None else source
