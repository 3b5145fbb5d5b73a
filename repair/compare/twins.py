"""The impossible twins of tests, and what a run of them says about the program that they ran on."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.diagnosis import files_of_tests
from analysis.facts import BROKEN, Files, Outcome, TestId, TestResult, TestRun
from analysis.function_text import Unreadable
from analysis.quality.case import names_of
from analysis.statement_lines import has_run
from repair.observe.patched import lines_of
from transforms.inverted_tests.inversion import MARK, Perturbed, Twin, impossible_examples, impossible_twin

UNREAD = "its file is not at hand as text"


class Noticed(enum.Enum):
    """What became of one test of the twin.

    ``FAILED`` as it must. ``HOLDS``: the value also equals what was put in the place of the expected one. ``PASSED``
    although it ran a line that asks for the impossible; ``FORGED`` where that line cannot but fail the test.
    ``UNTOUCHED``: it came to no line that was changed, or was not run.
    """

    FAILED = "failed"
    HOLDS = "holds"
    PASSED = "passed"
    FORGED = "forged"
    UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True)
class Twins:
    """The files with the twins in their places, what was changed in each, and which tests could not have one."""

    files: Files
    perturbed: tuple[tuple[str, tuple[Perturbed, ...]], ...]
    exempt: tuple[tuple[TestId, str], ...]


@dataclass(frozen=True, slots=True)
class TwinAnswer:
    """One test's answer, and the line of its file that it is about; 0 where there is none."""

    test: TestId
    noticed: Noticed
    line: int = 0


def twins_of(tests: Sequence[TestId], texts: Files) -> Twins:
    """The twins of these tests among the files; ``files`` holds only what is changed."""
    known = dict(texts)
    files: list[tuple[str, bytes]] = []
    perturbed: list[tuple[str, tuple[Perturbed, ...]]] = []
    exempt: list[tuple[TestId, str]] = []
    for path in sorted({_path(test) for test in tests}):
        own = [test for test in tests if _path(test) == path]
        made = _twin(known[path], own) if path in known else Unreadable(UNREAD)
        if isinstance(made, Unreadable):
            exempt += [(test, made.detail) for test in own]
        elif made.perturbed:
            files.append((path, made.source))
            perturbed.append((path, made.perturbed))
        else:
            exempt += [(test, "no assertion of its file could be changed") for test in own]
    return Twins(tuple(files), tuple(perturbed), tuple(exempt))


def _twin(source: bytes, tests: Sequence[TestId]) -> Twin | Unreadable:
    """Of the tests in the file, of the examples in its docstrings, or of both."""
    plain = [test for test in tests if not _is_example(test)]
    made: Twin | Unreadable = impossible_twin(source) if plain else Twin(source, ())
    if len(plain) == len(tests) or isinstance(made, Unreadable):
        return made
    examples = impossible_examples(made.source)
    if isinstance(examples, Unreadable):
        return examples
    return Twin(examples.source, (*made.perturbed, *examples.perturbed))


def answers(twins: Twins, tests: Sequence[TestId], run: TestRun) -> Iterator[TwinAnswer]:
    """What became of each test that has a twin, from a run of them with their lines."""
    results = {result.test: result for result in run.results}
    perturbed = dict(twins.perturbed)
    exempt = {test for test, _ in twins.exempt}
    for test in tests:
        if test not in exempt:
            yield _answer(test, results.get(test), perturbed[_path(test)], run)


def _answer(test: TestId, result: TestResult | None, perturbed: Sequence[Perturbed], run: TestRun) -> TwinAnswer:
    if result is None or result.outcome is Outcome.MISSING:
        return TwinAnswer(test, Noticed.UNTOUCHED)
    if result.outcome in BROKEN:
        return _failed(test, result, perturbed)
    if _is_example(test):
        own = [p for p in perturbed if _names(test, p)]
        return TwinAnswer(test, Noticed.PASSED, own[0].first) if own else TwinAnswer(test, Noticed.UNTOUCHED)
    executed = lines_of(run, test, _path(test))
    ran = [p for p in perturbed if has_run((p.first, p.last), executed)]
    name = ".".join(names_of(test))
    sure = [p for p in ran if p.bare and p.function == name]
    if sure and result.outcome is Outcome.PASSED:
        return TwinAnswer(test, Noticed.FORGED, sure[0].first)
    return TwinAnswer(test, Noticed.PASSED, ran[0].first) if ran else TwinAnswer(test, Noticed.UNTOUCHED)


def _failed(test: TestId, result: TestResult, perturbed: Sequence[Perturbed]) -> TwinAnswer:
    """A test that came beyond an assertion: one of the opposite only says that the test is not the same each time."""
    said = [raised.message for raised in result.exceptions]  # others may quote the file itself
    held = [p for p in perturbed if any(text.startswith(f"{MARK}: what line {p.first} asks") for text in said)]
    if not held:
        return TwinAnswer(test, Noticed.FAILED)
    return TwinAnswer(test, Noticed.HOLDS if held[0].by_value else Noticed.UNTOUCHED, held[0].first)


def _path(test: TestId) -> str:
    return str(test).partition("::")[0]


def _is_example(test: TestId) -> bool:
    return not files_of_tests([test])


def _names(test: TestId, perturbed: Perturbed) -> bool:
    """Whether the doctest is that of the docstring: named by its module, as it is imported, and what it belongs to."""
    path, _, item = str(test).partition("::")
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    owner = item.removesuffix(f".{perturbed.function}") if perturbed.function else item
    return (owner != item) is bool(perturbed.function) and f".{module}".endswith(f".{owner}")
