"""The tests of a project, looked at: the suite is run and traced, its tests are read, its functions are mutated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch

from analysis.diagnosis import holding
from analysis.errors import TargetError, UnparseableError, UsageError
from analysis.facts import Files, FunctionId, Limits, Outcome, TestId, TestRun
from analysis.lines import Lines
from analysis.mutation_score import MutationScore
from analysis.public_names import ProgramFunction
from analysis.quality.examined import Examined, examined, name_of
from analysis.quality.findings import (
    Demands,
    Finding,
    Weight,
    of_collection,
    of_coverage,
    of_functions,
    of_generated,
    of_outcomes,
    of_smells,
)
from analysis.quality.vouching import Vouched, specific_first, vouched, without_alternatives
from analysis.statement_lines import Share, share
from repair.baseline import NothingToMend, kind_of, observe, uncollected
from repair.events import Listener, event
from repair.ports import Sandbox
from repair.program import Check, Program, read_program
from repair.suite_mutants import Budget, Mutated, function_id, run_mutants
from repair.task import Baseline
from repair.tests_report import (
    MOST_TESTS,
    CoverageView,
    FunctionView,
    TestCounts,
    TestsReport,
    TestsSeconds,
    TestsStatus,
)
from repair.wording import counted

Recorded = Callable[[Sequence[str]], Mapping[str, Lines]]
"""Gives, for the files of the program, the lines that coverage.py has recorded."""

_IDLE = (Outcome.SKIPPED, Outcome.XFAILED, Outcome.XPASSED)
_WEIGHTS = {weight: place for place, weight in enumerate(Weight)}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a survey. ``paths`` restrict what is told, ``generated`` are patterns of files of tests.

    ``recorded`` comes from a file of the name ``source``; without it coverage is measured.
    """

    paths: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()
    demands: Demands = field(default_factory=Demands)
    mutants: int = 20
    seconds: float = 120.0
    seed: int = 0
    recorded: Recorded | None = None
    source: str = "measured"


@dataclass(frozen=True, slots=True)
class Told:
    """What a report is about: tests, and functions with those that vouch for them, public or not.

    ``able`` are cases that can vouch, ``leaning`` those whose outcome is another one in another order alone.
    """

    tests: tuple[Examined, ...]
    functions: tuple[Vouched, ...]
    able: frozenset[TestId]
    leaning: frozenset[TestId] = frozenset()

    @property
    def public(self) -> tuple[Vouched, ...]:
        """The public functions."""
        return tuple(v for v in self.functions if v.function.public)


@dataclass(frozen=True, slots=True)
class Surveyor:
    """Surveys one project. ``limits`` bound each run of the suite; ``check`` says what cannot be parsed safely."""

    sandbox: Sandbox
    limits: Limits
    clock: Callable[[], float]
    listen: Listener
    check: Check

    def survey(self, asked: Asked) -> TestsReport:
        """The report; raises ``TargetError`` where no test runs the program, ``UsageError`` for a path with nothing."""
        started = self.clock()
        detail = "running the suite twice: once traced, once in another order"
        self.listen(event("phase", name="baseline", detail=detail, estimate_seconds=0.0))
        baseline, leaning = settled(self.sandbox, self.limits, observed(self.sandbox, self.limits, asked.seed))
        suite = self.clock() - started
        sources = self.sandbox.sources()
        ran = {path for _, files in baseline.traced.line_map for path, lines in files if lines}
        program = read_program(sources, holding(r.test for r in baseline.outcomes), ran, self.check)
        told = replace(_told(asked, baseline, program, sources), leaning=leaning)
        before = self.clock()
        mutated = self._mutated(asked, baseline, told, sources, started)
        seconds = TestsSeconds(self.clock() - started, suite, self.clock() - before)
        return report_of(asked, baseline, program, told, mutated, seconds)

    def _mutated(
        self, asked: Asked, baseline: Baseline, told: Told, sources: Files, started: float
    ) -> dict[FunctionId, Mutated]:
        if not asked.mutants:
            return {}
        left = max(0.0, started + asked.seconds - self.clock())
        detail = f"running at most {counted(asked.mutants, 'mutant')} of each public function"
        self.listen(event("phase", name="mutants", detail=detail, estimate_seconds=left))

        def tell(count: int, where: str) -> None:
            seconds_left = started + asked.seconds - self.clock()
            self.listen(event("progress", tried=count, suspect=where, seconds_left=seconds_left))

        budget = Budget(asked.mutants, self.clock, started + asked.seconds, tell)
        return run_mutants(self.sandbox, baseline, told.public, sources, self.limits, budget)


def observed(sandbox: Sandbox, limits: Limits, seed: int) -> Baseline:
    """The suite, run twice; raises ``TargetError`` where there is none to speak of."""
    baseline = observe(sandbox, (), limits, seed, expect_failure=False)
    assert not isinstance(baseline, NothingToMend), "a suite without failures is what is hoped for"
    if baseline.outcomes:
        return baseline
    if baseline.traced.collection_errors:
        problem = uncollected(baseline.traced.collection_errors[0])
        if problem.status == UnparseableError.status:
            raise UnparseableError(problem.message, remedy="Mend the syntax first.")
        raise TargetError(problem.message, remedy="Mend that first.")
    raise TargetError(
        "pytest collects no test here",
        remedy="Name the suite's files with --tests, or another project with --root.",
    )


def settled(sandbox: Sandbox, limits: Limits, baseline: Baseline) -> tuple[Baseline, frozenset[TestId]]:
    """The baseline after one more run in the suite's own order, where tests differed; and those that have the same
    outcome again there: they lean on the order, and in their own they say what they say."""
    again = sandbox.run((), limits=limits) if baseline.flaky else None
    if not isinstance(again, TestRun):
        return baseline, frozenset()
    first, third = ({r.test: kind_of(r.outcome) for r in run.results} for run in (baseline.traced, again))
    leaning = frozenset(test for test in baseline.flaky if test in first and first[test] is third.get(test))
    return (
        replace(
            baseline,
            flaky=tuple(test for test in baseline.flaky if test not in leaning),
            passing=tuple(sorted({*baseline.passing, *(t for t in leaning if first[t] is Outcome.PASSED)})),
            failing=tuple(sorted({*baseline.failing, *(t for t in leaning if first[t] is Outcome.FAILED)})),
        ),
        leaning,
    )


def _told(asked: Asked, baseline: Baseline, program: Program, sources: Files) -> Told:
    """Who vouches for what, as far as the paths ask for it."""
    line_map, passing = baseline.traced.line_map, frozenset(baseline.passing)
    cases = [r.test for r in baseline.outcomes]
    runs: dict[TestId, list[ProgramFunction]] = {}
    everyone = vouched(program.functions, line_map, frozenset(cases))
    if program.functions and not any(each.tests for each in everyone):
        raise TargetError(
            "The tests run no function of the project's own files",
            remedy="They may import an installed copy: install the project in editable form, or set PYTHONPATH to its "
            "sources.",
        )
    for each in everyone:
        for case in each.tests:
            runs.setdefault(case, []).append(each.function)
    files = {case.partition("::")[0] for case in cases}
    generated = {path for path in files if any(fnmatch(path, pattern) for pattern in asked.generated)}
    tests = examined(dict(sources), cases, passing, line_map, runs, generated)
    able = passing - {case for test in tests if test.is_fake for case in test.cases}
    replaced = {(case, name) for test in tests for case in test.cases for name in test.replaced}
    found = without_alternatives(vouched(program.functions, line_map, able, replaced))
    if asked.recorded is not None:
        known = asked.recorded(program.files)
        found = tuple(_as_recorded(each, known) for each in found)
    return _restricted(asked.paths, Told(tests, found, able), runs)


def _as_recorded(each: Vouched, known: Mapping[str, Lines]) -> Vouched:
    return replace(each, share=share(each.function.statements, known.get(each.function.path, Lines())))


def _restricted(paths: Sequence[str], told: Told, runs: Mapping[TestId, Sequence[ProgramFunction]]) -> Told:
    """Paths of tests restrict the tests, others the functions; what is run, or runs, comes along."""
    if not paths:
        return told
    named_tests = {p for p in paths if any(_is_within(test.name.partition("::")[0], p) for test in told.tests)}
    named_files = {p for p in paths if any(_is_within(v.function.path, p) for v in told.functions)}
    for path in paths:
        if path not in named_tests | named_files:
            raise UsageError(
                f"Neither a test nor a function of the program is in {path!r}",
                remedy="Name files or folders of the program or of its tests.",
            )
    tests, functions = told.tests, told.functions
    if named_tests:
        tests = tuple(t for t in tests if any(_is_within(t.name.partition("::")[0], p) for p in named_tests))
    if named_files:
        functions = tuple(v for v in functions if any(_is_within(v.function.path, p) for p in named_files))
    else:
        run = {f for test in tests for case in test.cases for f in runs.get(case, ())}
        functions = tuple(v for v in functions if v.function in run)
    if not named_tests:
        running = {name_of(case) for v in functions for case in (*v.tests, *v.others)}
        tests = tuple(t for t in tests if t.name in running)
    return Told(tests, functions, told.able)


def _is_within(path: str, folder: str) -> bool:
    return folder in (".", path) or path.startswith(f"{folder}/")


def report_of(
    asked: Asked,
    baseline: Baseline,
    program: Program,
    told: Told,
    mutated: Mapping[FunctionId, Mutated],
    seconds: TestsSeconds,
) -> TestsReport:
    """The report on what was seen."""
    functions = tuple(_view(each, told, mutated.get(function_id(each), Mutated())) for each in told.public)
    total = sum((each.share for each in told.functions if _is_seen(each)), Share())
    findings = tuple(sorted(_findings(asked, baseline, program, told, functions, total), key=_order))
    counts = any(finding.weight is Weight.ERROR for finding in findings)
    return TestsReport(
        status=TestsStatus.FINDINGS if counts else TestsStatus.CLEAN,
        seed=asked.seed,
        tests=_counts(baseline, told),
        functions=functions,
        classes=tuple(f"{c.path}:{c.qualname}" for c in program.classes),
        findings=findings,
        coverage=CoverageView(asked.source, asked.demands.coverage, total),
        mutants=_sum(view.mutants for view in functions),
        left_out=program.left_out,
        not_checked=(*_not_checked(functions), *baseline.lost),
        seconds=seconds,
    )


def _is_seen(each: Vouched) -> bool:
    """Whether the lines of tests tell what ran of it: not where only the import of the program calls it."""
    return bool(each.tests or each.others or each.share.ran) or not each.function.called_at_import


def _view(each: Vouched, told: Told, mutated: Mutated) -> FunctionView:
    function = each.function
    names = dict.fromkeys(name_of(case) for case in specific_first(each.tests, told.functions))
    return FunctionView(
        function.path,
        function.qualname,
        function.line,
        function.end_line,
        len(each.tests),
        len(each.others),
        each.share,
        tuple(names)[:MOST_TESTS],
        mutated.score,
        mutated.not_run,
        mutated.survivors,
        mutated.reason,
    )


def _findings(
    asked: Asked,
    baseline: Baseline,
    program: Program,
    told: Told,
    functions: Sequence[FunctionView],
    total: Share,
) -> Iterable[Finding]:
    demands = asked.demands
    cases = {case for test in told.tests for case in test.cases}
    public = {(v.function.path, v.function.qualname) for v in told.public}
    results = [r for r in baseline.outcomes if r.test in cases]
    yield from program.findings
    lost = baseline.traced.collection_errors
    yield from of_collection((error.node.partition("::")[0], uncollected(error).message) for error in lost)
    yield from of_outcomes(results, set(baseline.flaky), set(baseline.failing), told.leaning)
    yield from of_smells(told.tests)
    classes = [c for c in program.classes if any(path == c.path for path, _ in public)]
    yield from of_functions(told.public, classes, demands)
    yield from of_coverage(total, asked.source, demands)
    runs = {case for v in told.public for case in (*v.tests, *v.others)}
    yield from of_generated(told.tests, runs, told.able, demands)
    for view in functions:
        for survivor in view.survivors:
            said = f"{view.function}: no test notices: {survivor.label}"
            yield Finding("survivor", Weight.NOTE, "survivor", said, view.file, survivor.line, "", view.function)


def _order(finding: Finding) -> tuple[int, str, int, str]:
    return _WEIGHTS[finding.weight], finding.file, finding.line, finding.rule


def _counts(baseline: Baseline, told: Told) -> TestCounts:
    cases: Set[TestId] = {case for test in told.tests for case in test.cases}
    outcomes = {r.test: r.outcome for r in baseline.outcomes}
    passing = cases & set(baseline.passing)
    return TestCounts(
        cases=len(cases),
        passed=len(passing),
        failing=len(cases & set(baseline.failing)),
        flaky=len(cases & set(baseline.flaky)),
        skipped=sum(outcomes[case] in _IDLE for case in cases),
        fake=len(passing - told.able),
        vouching=len({case for v in told.functions for case in v.tests} & cases),
        unread=sum(len(test.cases) for test in told.tests if test.smells is None),
    )


def _sum(scores: Iterable[MutationScore]) -> MutationScore:
    total: Counter[str] = Counter()
    for each in scores:
        total.update({name: getattr(each, name) for name in MutationScore.__slots__})
    return MutationScore(**total)


def _not_checked(functions: Sequence[FunctionView]) -> list[str]:
    """Why mutants had no turn, the commonest reason first."""
    reasons = Counter(view.not_checked for view in functions if view.not_checked)
    return [f"mutants of {counted(count, 'function')}: {reason}" for reason, count in reasons.most_common()]
