"""QuixBugs as published: forty small algorithms with one fault each, and a test module for each.

The layout is that of https://github.com/jkoppel/QuixBugs::

    conftest.py                       chooses the buggy or the corrected programs
    python_programs/NAME.py           buggy; the specification stands in a trailing string
    python_testcases/test_NAME.py     its tests, with load_testdata.py and node.py beside them
    json_testcases/NAME.json          inputs and results of most of them
    correct_python_programs/NAME.py   held out; some hold other fixes in a trailing string

A tree has one program with its tests, and the folders that they expect: it runs from its top folder, as published.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from analysis.errors import UnparseableError
from analysis.facts import Files
from analysis.functions import find_function, functions_of, syntax_tree
from corpora.bug import Bug, Environment, Oracle, Provenance, SetAside
from corpora.loaders.layout import Layout, lay_out, single_fault

PROGRAMS = "python_programs"
CORRECT = "correct_python_programs"
TESTS = "python_testcases"
VALUES = "json_testcases"
SHARED = ("conftest.py", f"{TESTS}/load_testdata.py", f"{TESTS}/node.py")
NO_FIXES = (("bucketsort", 0), ("powerset", 0), ("rpn_eval", 0), ("sieve", 2))
"""Texts in trailing strings, by their number, that do not pass the published tests: another order, a missing name."""
SOURCE = "https://github.com/jkoppel/QuixBugs"
LAYOUT = Layout(
    "QuixBugs",
    f"a folder with conftest.py, {PROGRAMS}/, {TESTS}/ and {CORRECT}/",
    f"git clone --depth 1 {SOURCE}",
)


class QuixBugs:
    """A checkout of QuixBugs."""

    def __init__(self, folder: Path) -> None:
        self.name = f"quixbugs:{folder}"
        self._folder = folder
        missing = [name for name in (PROGRAMS, TESTS, "conftest.py") if not (folder / name).exists()]
        if missing:
            raise LAYOUT.refusal(f"it has no {missing[0]}", folder)

    def bugs(self) -> Iterator[Bug | SetAside]:
        """The programs in the order of their names; one without tests or that cannot be parsed is set aside."""
        for file in sorted((self._folder / PROGRAMS).glob("*.py")):
            if file.stem not in ("node", "__init__") and not file.stem.endswith("_test"):
                yield self._bug(file.stem)

    def write_tree(self, bug: Bug, root: Path) -> None:
        """The program, its tests and their data, where they stand in the corpus."""
        lay_out(self._files(*SHARED, _program(bug.id), _test(bug.id), f"{VALUES}/{bug.id}.json"), root)

    def oracle(self, bug: Bug) -> Oracle:
        """The corrected program, and the other fixes in its trailing string."""
        reference = self._reference(bug.id)
        others = (pair for _, text in reference for pair in enumerate(other_fixes(text, bug.id)))
        good = tuple(((_program(bug.id), other),) for number, other in others if (bug.id, number) not in NO_FIXES)
        return Oracle(reference, good)

    def _bug(self, name: str) -> Bug | SetAside:
        if not (self._folder / _test(name)).is_file():
            return SetAside(name, f"It has no tests: {_test(name)} is missing.")
        try:
            source = (self._folder / _program(name)).read_bytes()
            description = "\n\n".join(trailing_strings(source))
            fault = single_fault(((_program(name), source),), self._reference(name))
        except (SyntaxError, UnparseableError) as problem:
            return SetAside(name, f"It cannot be parsed: {problem}")
        environment = Environment(tests=(_test(name),))
        return Bug(name, (), PROVENANCE, fault=fault, environment=environment, description=description)

    def _reference(self, name: str) -> Files:
        return tuple((_program(name), text) for _, text in self._files(f"{CORRECT}/{name}.py"))

    def _files(self, *paths: str) -> Files:
        return tuple((path, (self._folder / path).read_bytes()) for path in paths if (self._folder / path).is_file())


PROVENANCE = Provenance(project="QuixBugs", kind="published", date="2017-10-22", licence="MIT", source=SOURCE)


def trailing_strings(source: bytes) -> tuple[str, ...]:
    """The texts that stand as statements of their own in the module."""
    said = [each.value for each in syntax_tree(source).body if isinstance(each, ast.Expr)]
    return tuple(each.value.strip() for each in said if isinstance(each, ast.Constant) and isinstance(each.value, str))


def other_fixes(source: bytes, name: str) -> tuple[bytes, ...]:
    """The module once for each other version of the function that its trailing strings hold, where they are Python."""
    span = find_function(functions_of(name, source), name)
    if span is None:
        return ()
    found = []
    for text in trailing_strings(source):
        other = text.encode() + b"\n"
        try:
            versions = [f for f in functions_of(name, other) if f.function.qualname == name]
        except UnparseableError:
            continue  # prose, or only a piece of the function
        found += [source[: span.start] + other[f.start : f.end] + source[span.end :] for f in versions]
    return tuple(found)


def _program(name: str) -> str:
    return f"{PROGRAMS}/{name}.py"


def _test(name: str) -> str:
    return f"{TESTS}/test_{name}.py"
