"""Commits that mend one function: exactly one existing function changed, together with tests.

What is read of a commit are names first and blobs only where the names fit, so that a thousand commits take seconds.
Whether it mends anything is for the tests to say; here candidates are told from features as well as texts allow.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis.diagnosis import is_test_path
from analysis.errors import UnparseableError
from analysis.functions import FunctionSpan, functions_of, syntax_tree
from corpora.bench.matching import changed_functions
from corpora.bug import Fault
from corpora.mining.candidate import MinedChange, marks_of
from corpora.mining.repository import Commit, CommittedFile, Repository

BESIDE = ("setup.py", "docs/", "doc/", "examples/", "benchmarks/", "conf.py", "noxfile.py", "tasks.py")
"""Python files that are neither the program nor its tests."""

MOST_FILES = 5
"""Commits that touch more files of the program are no repairs of one function."""


def candidates(repository: Repository, commits: tuple[Commit, ...]) -> Iterator[MinedChange]:
    """The candidates among the commits, in their order."""
    for commit in commits:
        try:
            found = _candidate(repository, commit)
        except (UnparseableError, SyntaxError, ValueError, RecursionError):
            continue  # an old dialect, or a file in between: nothing can be said of it
        if found is not None:
            yield found


def program_of(commit: Commit) -> tuple[CommittedFile, ...]:
    """The files of the program that a commit changes; none where it adds or removes one, or changes many."""
    python = [change for change in commit.files if change.path.endswith(".py")]
    program = tuple(change for change in python if not is_test_path(change.path) and not is_beside(change.path))
    return program if len(program) <= MOST_FILES and all(change.kind == "M" for change in program) else ()


def holds_tests(path: str) -> bool:
    """Whether a file may hold tests of its own."""
    return is_test_path(path) and not path.endswith(("conftest.py", "__init__.py"))


def is_beside(path: str) -> bool:
    """Whether a Python file is neither the program nor its tests."""
    return any(f"/{path}".endswith(f"/{word}") or f"/{word}" in f"/{path}" for word in BESIDE)


def _candidate(repository: Repository, commit: Commit) -> MinedChange | None:
    tests = [c.path for c in commit.files if c.path.endswith(".py") and holds_tests(c.path) and c.kind in "AM"]
    program = program_of(commit)
    if not tests or not program:
        return None
    changed: list[tuple[CommittedFile, FunctionSpan]] = []
    for change in program:
        before, after = repository.blob(change.old), repository.blob(change.new)
        syntax_tree(after)  # what this Python cannot parse, the tests cannot run either
        if _names(change.path, before) != _names(change.path, after):
            return None
        changed += [(change, span) for span in changed_functions(change.path, before, after)]
        if len(changed) > 1:
            return None
    if not changed:
        return None
    ((change, span),) = changed
    before, after = repository.blob(change.old), repository.blob(change.new)
    places = [each.function for each in functions_of(change.path, after)]
    old = functions_of(change.path, before)[places.index(span.function)]  # a getter and its setter share their name
    marks = tuple(marks_of(before[old.start : old.end], after[span.start : span.end], before, commit.subject))
    fault = Fault(change.path, span.function.qualname)
    return MinedChange(commit.id[:12], commit.id, commit.date, commit.subject, fault, change.old, tuple(tests), marks)


def _names(path: str, source: bytes) -> list[str]:
    return [span.function.qualname for span in functions_of(path, source)]
