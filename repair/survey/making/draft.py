"""A program with its tests as it stands: what passes, what fails, and its identity. No step changes a draft."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.api import listed_names, public_definitions
from analysis.facts import CollectionError, Files, InvalidRun, Outcome, SeenError, TestId, TestResult, TestRun
from analysis.function_text import FunctionNode, Unreadable, parse_module
from analysis.specified.test_functions import tests_in
from repair.records.grown import SaidBy
from repair.records.made import PASSED, MadeArtifact, MadePatch
from repair.records.written import ReplyPart
from repair.survey.making.standings import QuotedTest

TESTS_FOLDER = "tests/"


@dataclass(frozen=True, slots=True)
class DraftTest:
    """A test with how it ended, and what is seen of its failure. ``anew``: written in place of one that failed."""

    said: QuotedTest
    outcome: str = "missing"
    message: str = ""
    anew: bool = False

    @property
    def passes(self) -> bool:
        """Whether all of its cases passed."""
        return self.outcome == PASSED

    @property
    def is_required(self) -> bool:
        """Whether words of the task say what it claims."""
        return self.said.standing is SaidBy.REQUIRED


@dataclass(frozen=True, slots=True)
class Draft:
    """The files of both parts, the tests with their outcomes, and what could not be collected."""

    implementation: Files
    test_files: Files
    tests: tuple[DraftTest, ...]
    errors: tuple[CollectionError, ...] = ()
    problem: str = ""
    """Why the run gave no outcomes of all tests."""
    patches: tuple[MadePatch, ...] = ()
    """What was mended in the implementation since it was written."""

    @property
    def files(self) -> Files:
        """All files, sorted."""
        return tuple(sorted((*self.implementation, *self.test_files)))

    @property
    def failing(self) -> tuple[DraftTest, ...]:
        """The tests that do not pass."""
        return tuple(test for test in self.tests if not test.passes)

    @property
    def passing(self) -> frozenset[str]:
        """The tests that pass: what no later step may break."""
        return frozenset(test.said.name for test in self.tests if test.passes)

    @property
    def open(self) -> tuple[int, int, int]:
        """How far it is from done: required tests that fail, all that fail, and none required counts most."""
        required = [test for test in self.tests if test.is_required]
        return (not required, sum(not test.passes for test in required), len(self.failing) + len(self.errors))

    @property
    def quotes(self) -> frozenset[str]:
        """The words that its required tests quote."""
        return frozenset(quote for test in self.tests if test.is_required for _, quote in test.said.quotes)

    def artifact(self) -> MadeArtifact:
        """Its identity."""
        signatures, passing = heads_of(self.implementation), tuple(sorted(self.passing))
        sections = tuple(f"# === {part} ===" for part in ReplyPart)
        digest = hashlib.sha256()
        for path, content in self.files:
            digest.update(f"{path}\0{len(content)}\0".encode())
            digest.update(content)
        digest.update("\0".join((*sections, *signatures, *passing)).encode())
        return MadeArtifact(digest.hexdigest(), sections, signatures, passing)


def with_outcomes(draft: Draft, run: TestRun | InvalidRun) -> Draft:
    """The draft with what a run says of its tests."""
    invalid = isinstance(run, InvalidRun)
    results = run.partial if isinstance(run, InvalidRun) else run.results
    errors = () if isinstance(run, InvalidRun) else run.collection_errors
    tests = tuple(_ended(test, [each for each in results if _is_case_of(each.test, test)]) for test in draft.tests)
    said = f"{run.fault.value}: {run.detail}" if isinstance(run, InvalidRun) else ""
    return replace(draft, tests=tests, errors=errors, problem=said if invalid else "")


def _is_case_of(name: TestId, test: DraftTest) -> bool:
    return str(name).partition("[")[0] == test.said.name


def _ended(test: DraftTest, cases: Sequence[TestResult]) -> DraftTest:
    bad = next((case for case in cases if case.outcome is not Outcome.PASSED), None)
    if not cases:
        return replace(test, outcome="missing", message="it was not run")
    if bad is None:
        return replace(test, outcome=PASSED, message="")
    return replace(test, outcome=bad.outcome.value, message=bad.message.strip())


def part_at_fault(error: CollectionError, task: str) -> ReplyPart:
    """Which part has to be written anew since a file cannot be collected.

    That is where the innermost frame of the project lies. Where a test imports what is not there, and the task names
    it, the implementation lacks it.
    """
    seen = error.exceptions[-1] if error.exceptions else None
    missing = _missing_name(seen) if seen is not None else ""
    if missing and missing in task:
        return ReplyPart.IMPLEMENTATION
    frames = [frame.path for each in error.exceptions for frame in each.frames if frame.in_project]
    inside = frames[-1] if frames else str(error.node)
    return ReplyPart.TESTS if inside.startswith(TESTS_FOLDER) else ReplyPart.IMPLEMENTATION


def _missing_name(seen: SeenError) -> str:
    """``discount`` of "cannot import name 'discount' from 'prices'", ``prices`` of "No module named 'prices'"."""
    if "ImportError" not in (seen.type_name, *seen.bases):
        return ""
    quoted = seen.message.split("'")
    return quoted[1].rpartition(".")[2] if len(quoted) > 2 else ""


def heads_of(files: Files) -> tuple[str, ...]:
    """The public names and signatures of a program, one a line: ``shop/prices.py: def total(prices)``."""
    return tuple(f"{path}: {head}" for path, source in files for head in _heads(source))


def _heads(source: bytes) -> Iterator[str]:
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return
    for name, node in public_definitions(tree, listed_names(tree)):
        if isinstance(node, FunctionNode):
            word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            yield f"{word} {name}({ast.unparse(node.args)}){returns}"
        else:
            bases = ", ".join(ast.unparse(each) for each in node.bases)
            yield f"class {name}({bases})" if bases else f"class {name}"


def without_tests(files: Files, names: frozenset[str]) -> Files:
    """The files of tests with these tests cut out; a file that holds no other goes."""
    return tuple((path, kept) for path, source in files if (kept := _cut(path, source, names)))


def _cut(path: str, source: bytes, names: frozenset[str]) -> bytes:
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return source
    tests = tests_in({path: tree})
    gone = [node for name, node in tests if name in names]
    if gone and len(gone) == len(tests):
        return b""
    lines = source.decode().split("\n")
    for node in reversed(gone):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        lines[first - 1 : node.end_lineno] = []
    text = "\n".join(lines)
    return source if isinstance(parse_module(text), Unreadable) else text.encode()


def beside(files: Files, more: Files) -> Files:
    """The files with more beside them; one of a path that is taken gets a name of its own.

    Paths that differ in nothing but capitals are one file on some systems.
    """
    found, taken = list(files), {path.lower() for path, _ in files}
    for path, content in more:
        stem, number = path.removesuffix(".py"), 2
        while path.lower() in taken:
            path, number = f"{stem}_{number}.py", number + 1
        taken.add(path.lower())
        found.append((path, content))
    return tuple(sorted(found))
