"""Commits that mend one function: exactly one existing function changed, together with tests.

What is read of a commit are names first and blobs only where the names fit, so that a thousand commits take seconds.
Whether it mends anything is for the tests to say. Here only marks tell fixes from features, as well as texts allow.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.errors import UnparseableError
from analysis.functions import FunctionSpan, functions_of, syntax_tree
from corpora.bench.matching import changed_functions
from corpora.bug import Fault
from corpora.mining.repository import Commit, CommittedFile, Repository

FIXES = re.compile(
    r"\b(fix\w*|bug\w*|issue|regress\w*|crash\w*|wrong\w*|incorrect\w*|error\w*|broken|handle\w*)\b", re.I
)
FEATURES = re.compile(r"\b(add\w*|support\w*|feature|implement\w*|allow\w*|introduce\w*|new|option)\b", re.I)

BESIDE = ("setup.py", "docs/", "doc/", "examples/", "benchmarks/", "conf.py", "noxfile.py", "tasks.py")
"""Python files that are neither the program nor its tests."""

MOST_FILES = 5
"""Commits that touch more files of the program are no repairs of one function."""


@dataclass(frozen=True, slots=True)
class MinedChange:
    """A version whose function differs from its text before. ``marks`` say why that may be a feature and no fix.

    ``before`` names the older text of the program's file where it is kept, ``tests`` the test files to run. ``subject``
    is what the change was called.
    """

    id: str
    version: str
    date: str
    subject: str
    fault: Fault
    before: str
    tests: tuple[str, ...]
    marks: tuple[str, ...]


def marks_of(old: bytes, new: bytes, module: bytes, subject: str) -> Iterator[str]:
    """Why the change from one text of a function to the other may be a feature; ``module`` is the file before."""
    if _signature(old) != _signature(new):
        yield "signature changed"
    known = set(re.findall(rb"[A-Za-z_]\w*", module))
    if any(name not in known for name in re.findall(rb"[A-Za-z_]\w*(?=\()", new)):
        yield "calls what the module did not"
    if FEATURES.search(subject) and not FIXES.search(subject):
        yield "the message speaks of something new"


def _signature(text: bytes) -> str:
    lines = text.splitlines()
    indented = bool(lines) and lines[0][:1] in (b" ", b"\t")
    tree = syntax_tree((b"if 1:\n" if indented else b"") + text)
    node = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    arguments = node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    for argument in (*every, *filter(None, (arguments.vararg, arguments.kwarg))):
        argument.annotation = None
    return ast.dump(arguments)


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
