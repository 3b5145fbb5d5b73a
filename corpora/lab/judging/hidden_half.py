"""A corpus with every second test of a bug hidden: what passes the tests that are shown may fail the others.

Where a test file holds all that is known of a program, patches that pass it and are wrong cannot be told by tests. The
rule is fixed. Of the lines of QuixBugs' data, or of the test functions of a module, every second is taken out of the
tree. Scoring alone lays the file as it was over it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from analysis.facts import Files
from analysis.functions import syntax_tree
from corpora.bug import Bug, Corpus, Oracle, SetAside
from sandbox.scratch import scratch_folder
from sandbox.workspace import overlay

HALVED = ("humaneval", "quixbugs")
"""Loaders whose corpora are halved: one test file a bug, and no held-out tests."""


class Halved:
    """A corpus of which half of the tests is shown: those with an even number from 0, or the odd ones."""

    def __init__(self, corpus: Corpus, shown: int) -> None:
        self.name = corpus.name
        self._corpus = corpus
        self._shown = shown

    def bugs(self) -> Iterator[Bug | SetAside]:
        """As the corpus has them."""
        return self._corpus.bugs()

    def write_tree(self, bug: Bug, root: Path) -> None:
        """The tree without the hidden tests."""
        self._corpus.write_tree(bug, root)
        for path, content in _test_files(bug, root):
            overlay(root, path, thin_out(path, content, self._shown))

    def oracle(self, bug: Bug) -> Oracle:
        """The answer, with the whole test files held out."""
        with scratch_folder() as scratch:
            self._corpus.write_tree(bug, scratch / "tree")
            files = _test_files(bug, scratch / "tree")
        return replace(self._corpus.oracle(bug), held_out=files)


def _test_files(bug: Bug, root: Path) -> Files:
    """The file that holds the tests' data, else the modules of the tests."""
    named = [root / test for test in bug.environment.tests]
    data = sorted(root.glob("json_testcases/*.json"))
    return tuple((path.relative_to(root).as_posix(), path.read_bytes()) for path in data or named)


def thin_out(path: str, content: bytes, shown: int) -> bytes:
    """The file with every second line of data or test function; as it is where there are fewer than two."""
    lines = content.splitlines(keepends=True)
    if path.endswith(".json"):
        filled = [line for line in lines if line.strip()]
        return b"".join(filled[shown::2]) if len(filled) > 1 else content
    tests = [s for s in syntax_tree(content).body if isinstance(s, ast.FunctionDef) and s.name.startswith("test")]
    if len(tests) < 2:
        return content
    hidden = {n for test in tests[1 - shown :: 2] for n in range(_first_line(test), (test.end_lineno or 0) + 1)}
    return b"".join(line for number, line in enumerate(lines, 1) if number not in hidden)


def _first_line(test: ast.FunctionDef) -> int:
    return min([test.lineno, *(decorator.lineno for decorator in test.decorator_list)])
