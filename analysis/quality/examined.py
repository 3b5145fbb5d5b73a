"""The tests of a suite, each looked at once: its text, what it ran, and what it says nothing about."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from analysis.diagnosis import is_test_path
from analysis.facts import LineMap, TestId
from analysis.function_text import Unreadable, last_name, parse_module
from analysis.lines import Lines, bits_of
from analysis.public_names import ProgramFunction
from analysis.quality.case import Case, TestFile, find_case, read_tests
from analysis.quality.catalog import REJECTED_IF_GENERATED
from analysis.quality.check import smells_of_case
from analysis.quality.executed import all_have_run, assertion_lines, assertions_not_run, implementation_copied
from analysis.quality.oracle import COMPARISONS
from analysis.quality.smell import Severity, Smell
from analysis.quality.world import replaced_among

Runs = Mapping[TestId, Sequence[ProgramFunction]]
"""The functions of the program that each case ran."""


@dataclass(frozen=True, slots=True)
class ExaminedTest:
    """One test with all its cases. ``smells`` are ``None`` where the source does not hold it as text.

    ``replaced`` are qualified names of functions that it runs and replaces.
    """

    name: TestId
    cases: tuple[TestId, ...]
    smells: tuple[Smell, ...] | None
    replaced: frozenset[str] = frozenset()
    generated: bool = False

    @property
    def is_fake(self) -> bool:
        """Whether it cannot vouch for anything."""
        return any(prevents_vouching(smell, generated=self.generated) for smell in self.smells or ())


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the runs of a suite showed. These are the cases that passed, and the lines of its own file that each test
    ran. Further, the functions that each case ran, and the tests that reached an assertion somewhere."""

    passing: Set[TestId]
    ran: Mapping[TestId, Lines]
    runs: Runs
    asserting: Set[TestId]


def prevents_vouching(smell: Smell, *, generated: bool) -> bool:
    """Whether a test with this smell cannot vouch."""
    return smell.severity is Severity.REJECT or (generated and smell.id in REJECTED_IF_GENERATED)


def name_of(case: TestId) -> TestId:
    """The test that a case belongs to: its node id without the parameters."""
    return TestId(case.split("[", 1)[0]) if "::" in case else case


def examine_tests(
    sources: Mapping[str, bytes],
    cases: Iterable[TestId],
    passing: Set[TestId],
    line_map: LineMap,
    runs: Runs,
    generated: Set[str] = frozenset(),
) -> tuple[ExaminedTest, ...]:
    """Each test with its smells, file by file in the order of the cases. ``generated`` are files of generated tests."""
    grouped: dict[str, dict[TestId, list[TestId]]] = {}
    for case in cases:
        grouped.setdefault(case.partition("::")[0], {}).setdefault(name_of(case), []).append(case)
    seen = _Seen(passing, _own_lines(line_map), runs, _asserting_tests(sources, frozenset(grouped), line_map))
    found = []
    for path, tests in grouped.items():
        file = read_tests(sources[path]) if path in sources else Unreadable("")
        for name, own in tests.items():
            text = None if isinstance(file, Unreadable) else _find_case(file, name, own, runs)
            if text is None:
                found.append(ExaminedTest(name, tuple(own), None, generated=path in generated))
                continue
            smells = tuple(_smells(text, name, own, seen))
            replaced = replaced_among(text, {f.qualname for each in own for f in runs.get(each, ())})
            found.append(ExaminedTest(name, tuple(own), smells, replaced, path in generated))
    return tuple(_inherited_cases(found, sources))


def _inherited_cases(found: Sequence[ExaminedTest], sources: Mapping[str, bytes]) -> Iterator[ExaminedTest]:
    """Tests whose text is not at hand take the smells of the test of that name in a base class of another file."""
    by_class = {tuple(test.name.split("::")[-2:]): test for test in found if test.smells is not None}
    bases: dict[str, dict[str, list[str]]] = {}
    for test in found:
        path, *classes, name = test.name.split("::")
        if test.smells is None and classes and path in sources:
            if path not in bases:
                bases[path] = _bases(sources[path])
            same = (by_class.get((base, name)) for base in bases[path].get(classes[-1], ()))
            first = next((each for each in same if each is not None), None)
            yield test if first is None else replace(test, smells=first.smells, replaced=first.replaced)
        else:
            yield test


def _bases(source: bytes) -> dict[str, list[str]]:
    tree = parse_module(source)
    classes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)] if isinstance(tree, ast.Module) else []
    return {each.name: [last_name(base) for base in each.bases] for each in classes}


def _find_case(file: TestFile, name: TestId, own: Sequence[TestId], runs: Runs) -> Case | None:
    """The test's text. Its subject is a comparison where it runs one: such a test may compare a thing with itself."""
    names = {f.qualname for each in own for f in runs.get(each, ())}
    subject = min((n for n in names if n.rpartition(".")[2] in COMPARISONS), default="")
    try:
        return find_case(file, name, subject)
    except RecursionError:
        return None


def _smells(case: Case, name: TestId, own: Sequence[TestId], seen: _Seen) -> Iterator[Smell]:
    """The smells of the text, less those that the runs have settled, and those of the runs.

    A run can settle a smell. It shows that the test asserts where it reached an assertion in a helper. It shows that
    none is passed by where it reached all of the test's own. It shows that something is called where it reached the
    program.
    """
    told = smells_of_case(case, name)
    lines = seen.ran.get(name, Lines())
    passed = all(each in seen.passing for each in own)
    run = [function for each in own for function in seen.runs.get(each, ())]
    settled = {"T02"} if name in seen.asserting else set()
    settled |= {"T11"} if passed and all_have_run(case, lines) else set()
    settled |= {"T13"} if run else set()
    yield from (smell for smell in told if smell.id not in settled)
    yield from implementation_copied(case, name, {form for function in run for form in function.results})
    if passed:
        known = {smell.line for smell in told if smell.severity is Severity.REJECT}
        yield from (s for s in assertions_not_run(case, name, lines) if s.line not in known)


def _asserting_tests(sources: Mapping[str, bytes], holding: Set[str], line_map: LineMap) -> frozenset[TestId]:
    """The tests that ran an assertion in any file of the tests."""
    masks: dict[str, int] = {}
    found = set()
    for case, files in line_map:
        for path, lines in files:
            if path not in masks:
                is_support = path in sources and (path in holding or is_test_path(path))
                masks[path] = assertion_lines(sources[path]).bits if is_support else 0
            if masks[path] & bits_of(lines):
                found.add(name_of(case))
    return frozenset(found)


def _own_lines(line_map: LineMap) -> dict[TestId, Lines]:
    """The lines of its own file that each test ran, in all of its cases together."""
    found: dict[TestId, int] = {}
    for case, files in line_map:
        own = case.partition("::")[0]
        for path, lines in files:
            if path == own:
                found[name_of(case)] = found.get(name_of(case), 0) | bits_of(lines)
    return {name: Lines.from_bits(bits) for name, bits in found.items()}
