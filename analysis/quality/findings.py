"""What is to be said about a project's tests, from facts: one record for each finding."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from analysis.facts import Outcome, TestId, TestResult
from analysis.public_names import ProgramClass
from analysis.quality.catalog import EXCUSED_IF_OLD, TITLES
from analysis.quality.examined import ExaminedTest, name_of, prevents_vouching
from analysis.quality.vouching import VouchedFunction
from analysis.statement_lines import Share

MOST_CLAIM = 300


class Weight(enum.StrEnum):
    """How much a finding counts: only an error makes the command fail; a note is for whoever looks closer."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to be said. ``rule`` is a smell's id or a word; ``test`` and ``function`` where it is of one."""

    rule: str
    weight: Weight
    title: str
    claim: str
    file: str
    line: int = 0
    test: str = ""
    function: str = ""


@dataclass(frozen=True, slots=True)
class Demands:
    """What is asked of a project's tests."""

    coverage: float = 0.85
    require_each: bool = False
    least_cases: int = 3


def smell_findings(tests: Iterable[ExaminedTest]) -> Iterator[Finding]:
    """The smells of each test, once for all of its cases and for all classes that inherit it."""
    found: dict[Finding, None] = {}
    for test in tests:
        for smell in test.smells or ():
            excused = smell.id in EXCUSED_IF_OLD and not test.generated
            bars = prevents_vouching(smell, generated=test.generated) and not excused
            weight = Weight.ERROR if bars else Weight.WARNING
            path = smell.test.partition("::")[0]
            found[Finding(smell.id, weight, TITLES[smell.id], smell.claim, path, smell.line, smell.test)] = None
    yield from found


def outcome_findings(
    results: Iterable[TestResult], flaky: Set[TestId], broken: Set[TestId], leaning: Set[TestId] = frozenset()
) -> Iterator[Finding]:
    """Tests that fail, and those that gave different outcomes; ``leaning`` ones did so in another order alone."""
    for result in results:
        test = result.test
        if test in leaning:
            said = "The test has another outcome in another order: it leans on what runs before it."
            yield _finding_of_test("order", Weight.WARNING, said, test)
        if test in flaky:
            said = "Runs of the suite, traced and not, gave different outcomes, so it vouches for nothing."
            yield _finding_of_test("flaky", Weight.ERROR, said, test)
        elif test in broken:
            what = "runs into its time limit" if result.outcome is Outcome.HANG else "fails"
            first = next(iter(result.message.strip().splitlines()), "")[:MOST_CLAIM]
            said = f"The test {what}, so it vouches for nothing{': ' if first else '.'}{first}"
            yield _finding_of_test("failing", Weight.ERROR, said, test)


def _finding_of_test(rule: str, weight: Weight, said: str, test: TestId) -> Finding:
    return Finding(rule, weight, rule, said, test.partition("::")[0], 0, test)


def collection_findings(modules: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Modules that pytest cannot collect, each with a sentence that says so."""
    for path, said in modules:
        claim = f"{said[:MOST_CLAIM]}; its tests vouch for nothing."
        yield Finding("uncollected", Weight.ERROR, "not collected", claim, path)


def function_findings(
    found: Sequence[VouchedFunction], classes: Sequence[ProgramClass], demands: Demands
) -> Iterator[Finding]:
    """Functions that no test vouches for, classes as a whole where that is so of all their methods, thin coverage."""
    by_class: dict[tuple[str, str], list[VouchedFunction]] = {}
    for vouched in found:
        by_class.setdefault((vouched.function.path, vouched.function.owner), []).append(vouched)
    # A single method is told by its own name.
    bare = {at for at, own in by_class.items() if len(own) > 1 and not any(v.tests or v.others for v in own)}
    bare &= {(each.path, each.qualname) for each in classes}
    weight = Weight.ERROR if demands.require_each else Weight.WARNING
    for each in classes:
        if (each.path, each.qualname) in bare:
            said = f"No test that can vouch runs any function of the class {each.qualname}."
            yield Finding("untested", weight, "untested", said, each.path, each.line, function=each.qualname)
    for vouched in found:
        function, share = vouched.function, vouched.share
        place = (function.path, function.line, "", function.qualname)
        if not vouched.tests:
            if (function.path, function.owner) not in bare:
                yield Finding("untested", weight, "untested", _describe_untested(vouched), *place)
        elif (share.value or 0.0) < demands.coverage:
            said = f"{function.qualname}: the tests run {share.ran} of {share.statements} statements."
            yield Finding("coverage", Weight.WARNING, "thinly covered", said, *place)


def _describe_untested(vouched: VouchedFunction) -> str:
    name = vouched.function.qualname
    if vouched.others:
        return f"Tests run {name}, and none of them can vouch: {name_of(vouched.others[0])} is one."
    if vouched.share.ran:
        return f"No test runs {name}; it is run only outside of tests, as by an import."
    if vouched.function.called_at_import:
        return f"No test runs {name}; what the import of the program runs is not seen."
    return f"No test runs {name}."


def coverage_findings(total: Share, source: str, demands: Demands) -> Iterator[Finding]:
    """The coverage as a whole, where it is too little."""
    if total.value is not None and total.value < demands.coverage:
        said = (
            f"{100 * total.value:.1f} % of the {total.statements} statements in functions are run ({source}); "
            f"asked for are {100 * demands.coverage:g} %."
        )
        yield Finding("coverage-total", Weight.ERROR, "coverage", said, "")


def generated_test_findings(
    tests: Sequence[ExaminedTest], runs: Set[TestId], fit: Set[TestId], demands: Demands
) -> Iterator[Finding]:
    """Files of generated tests with too few cases, and generated tests that run nothing public.

    ``runs`` are cases that run a public function, ``fit`` those that can vouch.
    """
    files: dict[str, list[ExaminedTest]] = {}
    for test in tests:
        if test.generated:
            files.setdefault(test.name.partition("::")[0], []).append(test)
    for path, own in files.items():
        count = sum(case in fit for test in own for case in test.cases)
        if count < demands.least_cases:
            said = f"At least {demands.least_cases} generated cases that can vouch are asked for; there are {count}."
            yield Finding("few-cases", Weight.ERROR, "few cases", said, path)
        for test in own:
            if not any(case in runs for case in test.cases):
                said = "The test runs no public function of the program, so it says nothing about it."
                yield Finding("T16", Weight.ERROR, "subject not run", said, path, 0, test.name)
