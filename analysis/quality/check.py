"""Runs the rules over one test, and judges by coverage whether it exercises its subject."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterable, Set

from analysis.facts import TestId
from analysis.function_text import Unreadable, parse_function, without_docstring
from analysis.quality.case import Case, TestFile, find_case, read_tests
from analysis.quality.catalog import RULES
from analysis.quality.smell import Severity, Smell


def smells_of_tests(
    source: bytes, path: str, tests: Iterable[TestId], *, subject: str = ""
) -> tuple[tuple[TestId, tuple[Smell, ...] | None], ...]:
    """Each test with its smells, in the order of the catalog; ``None`` where the source does not hold the test.

    The file is read once. ``path`` is the file that the source is of; tests of other files are not in it.
    """
    file = read_tests(source)
    return tuple((test, _of_one(file, path, test, subject)) for test in tests)


def _of_one(file: TestFile | Unreadable, path: str, test: TestId, subject: str) -> tuple[Smell, ...] | None:
    if isinstance(file, Unreadable) or test.partition("::")[0] != path:
        return None
    try:
        case = find_case(file, test, subject)
        return None if case is None else smells_of_case(case, test)
    except RecursionError:
        return None


def smells_of_case(case: Case, test: TestId) -> tuple[Smell, ...]:
    """The smells that the text of one test shows."""
    return tuple(
        Smell(rule.id, rule.severity, test, line, claim)
        for rule in RULES
        for line, claim in sorted(set(rule.find(case)))
    )


def subject_not_executed(test: TestId, text: str, first_line: int, executed: Set[int]) -> Smell | None:
    """T16: the test executed no line of the function's body.

    ``text`` is the function's source, ``first_line`` the line of the file on which it starts,
    ``executed`` the lines of that file that the test ran. ``None`` where that cannot be told, as for a
    body on the line of its ``def``.
    """
    function = parse_function(text)
    if isinstance(function, Unreadable):
        return None
    body = without_docstring(function.body)
    starts = {node.lineno for s in body for node in ast.walk(s) if isinstance(node, ast.stmt)}
    if function.lineno in starts or executed & {line + first_line - 1 for line in starts}:
        return None
    claim = f"The test runs no line of {function.name}, so it says nothing about it."
    return Smell("T16", Severity.REJECT, test, first_line, claim)


def examples_changed(test: TestId, path: str, before: str, after: str) -> Smell | None:
    """T27: the test is a doctest of the file, and the edit of the function changes examples in a docstring.

    An edit that rewrites what is to be mended vouches for nothing.
    """
    if test.partition("::")[0] != path or _examples(before) == _examples(after):
        return None
    return Smell("T27", Severity.REJECT, test, 1, "The patch changes the examples that this test consists of.")


def _examples(text: str) -> list[tuple[str, str]] | str:
    """Statements and wanted outputs in the docstrings of the function; its text where they cannot be read."""
    function = parse_function(text)
    if isinstance(function, Unreadable):
        return text
    owners = (n for n in ast.walk(function) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)))
    docstrings = "\n\n".join(ast.get_docstring(owner) or "" for owner in owners)
    try:
        return [(example.source, example.want) for example in doctest.DocTestParser().get_examples(docstrings)]
    except ValueError:
        return docstrings
