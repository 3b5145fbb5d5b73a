"""The last word on a file of grown tests: it is run as it will lie there, several times, and with each claim ruined."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from analysis.facts import InvalidRun, Limits, Outcome, TestId, TestRun
from analysis.quality.catalog import EXCUSED_IF_OLD
from analysis.quality.check import smells_of_tests
from analysis.quality.smell import Severity, Smell
from repair.records.ports import Sandbox
from repair.survey.growing.claim import CallCase, Claim, ClaimKind
from repair.survey.growing.new_files import marked
from repair.survey.growing.printing import FilePrinter, PrintedTests

RUNS: tuple[tuple[int | None, bool], ...] = ((None, True), (1, True), (2, False), (3, True), (4, False))
"""Cold runs: the seed of their order (none: as written), and whether hashes have the usual seed."""

MOST_TEST_SECONDS = 0.05
"""What a grown test may take."""

MOST_ROUNDS = 4
"""A test that is left out may have stood in another's way; so the rest is run again, so often."""

NOT_COLLECTED, NOT_STEADY, SLOW, NO_TWIN, SMELL = (
    "the file is not collected",
    "does not pass each time",
    "takes 50 ms or more",
    "passes with its claim ruined",
    "a rule of `repair tests` rejects it",
)


@dataclass(frozen=True, slots=True)
class VerifiedTests:
    """A file of tests that hold, and what was dropped from it: cases with the reason."""

    printed: PrintedTests | None = None
    dropped: tuple[tuple[CallCase, str], ...] = ()
    runs: int = 0


@dataclass(frozen=True, slots=True)
class Verifier:
    """Verifies files of tests in the project."""

    sandbox: Sandbox
    limits: Limits
    printer: FilePrinter
    least: float = field(default=MOST_TEST_SECONDS)

    def verify(self, path: str, cases: Sequence[CallCase]) -> VerifiedTests:
        """The tests of these cases that hold at that path, in a file of their own."""
        dropped = {**self._without_twin(path, cases), **self._smelling(path, cases)}
        runs = 1
        for _ in range(MOST_ROUNDS):
            left = [case for case in cases if case not in dropped]
            if not left:
                return VerifiedTests(None, tuple(dropped.items()), runs)
            printed = self.printer.print_tests(left)
            bad = self._find_bad(path, printed)
            runs += len(RUNS)
            if not bad:
                return VerifiedTests(printed, tuple(dropped.items()), runs)
            dropped |= bad
        rest = {case: NOT_STEADY for case in cases if case not in dropped}
        return VerifiedTests(None, tuple({**dropped, **rest}.items()), runs)

    def _run(
        self, path: str, printed: PrintedTests, shuffle: int | None = None, *, steady: bool = True
    ) -> TestRun | InvalidRun:
        files = ((path, marked(printed.text).encode()),)
        return self.sandbox.run((TestId(path),), files, limits=self.limits, shuffle=shuffle, steady=steady)

    def _find_bad(self, path: str, printed: PrintedTests) -> dict[CallCase, str]:
        """Cases whose tests did not hold in every run."""
        every = [case for _, cases in printed.tests for case in cases]
        owners: dict[TestId, tuple[CallCase, ...]] = {}
        bad: dict[CallCase, str] = {}
        quickest: dict[TestId, float] = {}
        for shuffle, steady in RUNS:
            run = self._run(path, printed, shuffle, steady=steady)
            if isinstance(run, InvalidRun) or run.collection_errors:
                return dict.fromkeys(every, NOT_COLLECTED)
            owners = owners or owners_of(path, printed, run)
            outcomes = {result.test: result for result in run.results}
            for test, cases in owners.items():
                result = outcomes.get(test)
                if result is None or result.outcome is not Outcome.PASSED:
                    bad |= dict.fromkeys(cases, NOT_STEADY)
                else:
                    quickest[test] = min(quickest.get(test, result.seconds), result.seconds)
            missing = set(every).difference(*owners.values())
            bad |= dict.fromkeys(missing, NOT_COLLECTED)
        slow = (case for test, seconds in quickest.items() if seconds >= self.least for case in owners[test])
        return {**dict.fromkeys(slow, SLOW), **bad}

    def _smelling(self, path: str, cases: Sequence[CallCase]) -> dict[CallCase, str]:
        """Cases whose test a rule on tests rejects: it would be a fake."""
        printed = self.printer.print_tests(cases, grouped=False)
        tests = [TestId(f"{path}::{name}") for name, _ in printed.tests]
        found = smells_of_tests(printed.text.encode(), path, tests)
        bad = {test for test, smells in found if smells is None or any(_is_fault(s) for s in smells)}
        return {case: SMELL for case, test in zip(cases, tests, strict=True) if test in bad}

    def _without_twin(self, path: str, cases: Sequence[CallCase]) -> dict[CallCase, str]:
        """Cases whose test passes although its claim is another one: it says nothing."""
        twins = [replace(case, claim=ruin(case.claim)) for case in cases]
        printed = self.printer.print_tests(twins, grouped=False)
        run = self._run(path, printed)
        if isinstance(run, InvalidRun) or run.collection_errors:
            return dict.fromkeys(cases, NOT_COLLECTED)
        outcomes = {result.test: result.outcome for result in run.results}
        ends = [outcomes.get(TestId(f"{path}::{name}")) for name, _ in printed.tests]
        return {case: NO_TWIN for case, end in zip(cases, ends, strict=True) if end is not Outcome.FAILED}


def _is_fault(smell: Smell) -> bool:
    """Whether a rule rejects the test; that it is pinned is what it says itself."""
    return smell.severity is Severity.REJECT and smell.id not in EXCUSED_IF_OLD


def owners_of(path: str, printed: PrintedTests, run: TestRun) -> dict[TestId, tuple[CallCase, ...]]:
    """The cases of each test that was collected: the rows of a table come in their order."""
    found: dict[TestId, tuple[CallCase, ...]] = {}
    for name, cases in printed.tests:
        whole = TestId(f"{path}::{name}")
        rows = [result.test for result in run.results if result.test.startswith(f"{whole}[")]
        if len(rows) == len(cases):
            found |= {row: (case,) for row, case in zip(rows, cases, strict=True)}
        elif any(result.test == whole for result in run.results):
            found[whole] = cases
    return found


def ruin(claim: Claim) -> Claim:
    """A claim that the same call cannot keep: another value, another exception, the other order."""
    match claim.kind:
        case ClaimKind.EQUALS:
            return Claim(ClaimKind.EQUALS, _other_value(claim.value))
        case ClaimKind.RAISES if claim.message:
            return replace(claim, message=_other_value(claim.message))
        case ClaimKind.RAISES:
            return Claim(ClaimKind.RAISES, "StopAsyncIteration")
        case ClaimKind.IS_KIND:
            return Claim(ClaimKind.IS_KIND, "memoryview")
        case ClaimKind.TRUE:
            return Claim(ClaimKind.FALSE)
        case ClaimKind.FALSE:
            return Claim(ClaimKind.TRUE)
        case ClaimKind.SORTED:
            return Claim(ClaimKind.DESCENDING)
        case ClaimKind.DESCENDING:
            return Claim(ClaimKind.SORTED)
        case ClaimKind.AT_LEAST | ClaimKind.COUNT_AT_LEAST:
            return Claim(claim.kind, f"{claim.value} + 10**12")
    return Claim(claim.kind, f"{claim.value} - 10**12")


def _other_value(value: str) -> str:
    try:
        held = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return "None"
    match held:
        case bool():
            return repr(not held)
        case None:
            return "0"
        case int() | float():
            return repr(held + 1) if held + 1 != held else repr(-held)
        case str():
            return repr(f"{held}x")
        case bytes():
            return repr(held + b"x")
        case list():
            return repr([*held, None])
        case tuple():
            return repr((*held, None))
    return "None"
