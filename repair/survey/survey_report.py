"""From what a survey has seen to its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fnmatch import fnmatch

from analysis.change_history import History, Owned
from analysis.facts import Files, FunctionId, Outcome, TestId
from analysis.lines import Lines
from analysis.mutation_score import MutationScore
from analysis.priority import FunctionFacts, Priority, weigh
from analysis.public_names import ProgramFunction
from analysis.quality.examined import ExaminedTest, name_of
from analysis.quality.findings import (
    Demands,
    Finding,
    Weight,
    collection_findings,
    coverage_findings,
    function_findings,
    generated_test_findings,
    outcome_findings,
    smell_findings,
)
from analysis.quality.vouching import VouchedFunction, specific_first
from analysis.statement_lines import Branch, Share
from analysis.users import Place, count_users
from repair.observe.baseline import explain_uncollected
from repair.observe.program import Program
from repair.records.task import Baseline
from repair.records.tests_report import (
    MOST_TESTS,
    CoverageView,
    FunctionView,
    TestCounts,
    TestsReport,
    TestsSeconds,
    TestsStatus,
)
from repair.records.wording import count_noun
from repair.survey.suite_mutants import Mutated, function_id


@dataclass(frozen=True, slots=True)
class SurveyRequest:
    """What is asked of a survey. ``paths`` restrict what is told, ``generated`` are patterns of files of tests.

    ``recorded`` gives the lines that coverage.py has recorded, from a file of the name ``source``. Without it coverage
    is measured.
    """

    paths: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()
    demands: Demands = field(default_factory=Demands)
    mutants: int = 20
    seconds: float = 120.0
    seed: int = 0
    recorded: Callable[[Sequence[str]], Mapping[str, Lines]] | None = None
    source: str = "measured"
    histories: Callable[[Mapping[str, Sequence[Owned]]], Mapping[Place, History] | None] = lambda functions: None
    """Says how often functions were changed; ``None`` where nobody knows."""


@dataclass(frozen=True, slots=True)
class SurveySeen:
    """What is known before the first mutant: tests, and functions with those that vouch for them, public or not.

    ``able`` are cases that can vouch, ``leaning`` those whose outcome is another one in another order alone.
    ``suite_seconds`` is what the runs of the suite took.
    """

    baseline: Baseline
    leaning: frozenset[TestId]
    suite_seconds: float
    sources: Files
    program: Program
    tests: tuple[ExaminedTest, ...] = ()
    functions: tuple[VouchedFunction, ...] = ()
    able: frozenset[TestId] = frozenset()
    branches: Mapping[str, tuple[Branch, ...]] = field(default_factory=dict)
    """Those of each file, where the project measures them."""
    branches_untold: str = ""
    """Why they are not known."""
    histories: Mapping[Place, History] | None = None
    """How often each function was changed, where that is known."""

    def branches_in(self, each: VouchedFunction) -> tuple[Branch, ...]:
        """The branches of one function."""
        function = each.function
        return tuple(b for b in self.branches.get(function.path, ()) if function.line <= b.start <= function.end_line)

    @property
    def public(self) -> tuple[VouchedFunction, ...]:
        """The public functions."""
        return tuple(v for v in self.functions if v.function.public)


def report_of(
    asked: SurveyRequest, seen: SurveySeen, mutated: Mapping[FunctionId, Mutated], seconds: TestsSeconds
) -> TestsReport:
    """The report on what was seen."""
    functions = tuple(_view(each, seen, mutated.get(function_id(each), Mutated())) for each in seen.public)
    # Not of what only the import of the program calls: the lines of tests tell nothing of it.
    run = (v for v in seen.functions if v.tests or v.others or v.share.ran or not v.function.called_at_import)
    known = tuple(run)
    total = sum((each.share for each in known), Share())
    branches = [branch for each in known for branch in seen.branches_in(each)]
    weights = list(Weight)
    findings = sorted(
        _findings(asked, seen, functions, total),
        key=lambda finding: (weights.index(finding.weight), finding.file, finding.line, finding.rule),
    )
    mutants: Counter[str] = Counter()
    for view in functions:
        mutants.update({name: getattr(view.mutants, name) for name in MutationScore.__slots__})
    counts = any(finding.weight is Weight.ERROR for finding in findings)
    return TestsReport(
        status=TestsStatus.FINDINGS if counts else TestsStatus.CLEAN,
        seed=asked.seed,
        tests=_counts(seen),
        functions=functions,
        classes=tuple(f"{c.path}:{c.qualname}" for c in seen.program.classes),
        findings=tuple(findings),
        coverage=CoverageView(asked.source, asked.demands.coverage, total, _share_of(branches)),
        mutants=MutationScore(**mutants),
        left_out=seen.program.left_out,
        not_checked=(*_list_not_checked(asked, seen, functions), *seen.baseline.lost),
        seconds=seconds,
    )


def _view(each: VouchedFunction, seen: SurveySeen, mutated: Mutated) -> FunctionView:
    function = each.function
    names = dict.fromkeys(name_of(case) for case in specific_first(each.tests, seen.functions))
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
        _share_of(seen.branches_in(each)),
        prioritize_function(each, seen, mutated.score),
        mutated.shown,
    )


def prioritize_function(each: VouchedFunction, seen: SurveySeen, mutants: MutationScore) -> Priority:
    """How much the function deserves a test, by all that was seen; before mutants were run with an empty score."""
    return weigh_function(each, seen.program.users, seen.histories, mutants)


def weigh_function(
    each: VouchedFunction,
    users: Mapping[Place, Set[Place]],
    known: Mapping[Place, History] | None,
    mutants: MutationScore,
) -> Priority:
    """How much the function deserves a test, by its users, its changes, and its mutants, as far as known."""
    function = each.function
    place = (function.path, function.qualname)
    history = known.get(place, History()) if known is not None else None
    where, tests, count = function_id(each), len(each.tests), count_users(users, place)
    return weigh(FunctionFacts(where, function.public, tests, each.share, mutants, count, history))


def list_owned(functions: Iterable[ProgramFunction]) -> dict[str, list[Owned]]:
    """The functions of each file with their lines."""
    found: dict[str, list[Owned]] = {}
    for each in functions:
        found.setdefault(each.path, []).append((each.qualname, each.first_line, each.end_line))
    return found


def _share_of(branches: Sequence[Branch]) -> Share:
    return Share(sum(branch.taken for branch in branches), len(branches))


def _findings(
    asked: SurveyRequest, seen: SurveySeen, functions: Sequence[FunctionView], total: Share
) -> Iterable[Finding]:
    demands, baseline, program = asked.demands, seen.baseline, seen.program
    cases = {case for test in seen.tests for case in test.cases}
    paths = {v.function.path for v in seen.public}
    results = [r for r in baseline.outcomes if r.test in cases]
    yield from program.findings
    lost = ((e.node.partition("::")[0], explain_uncollected(e).message) for e in baseline.traced.collection_errors)
    yield from collection_findings(lost)
    yield from outcome_findings(results, set(baseline.flaky), set(baseline.failing), seen.leaning)
    yield from smell_findings(seen.tests)
    classes = [c for c in program.classes if c.path in paths]
    yield from function_findings(seen.public, classes, demands)
    yield from coverage_findings(total, asked.source, demands)
    runs = {case for v in seen.public for case in (*v.tests, *v.others)}
    yield from generated_test_findings(seen.tests, runs, seen.able, demands)
    for each in seen.public:
        for branch in (b for b in seen.branches_in(each) if not b.taken and each.tests):
            name, path = each.function.qualname, each.function.path
            said = f"{name}: no test that can vouch takes the branch from {branch}"
            yield Finding("branch", Weight.NOTE, "branch", said, path, branch.start, "", name)
    for view in functions:
        for survivor in view.survivors:
            said = f"{view.function}: no test notices: {survivor.label}"
            yield Finding("survivor", Weight.NOTE, "survivor", said, view.file, survivor.line, "", view.function)


def _counts(seen: SurveySeen) -> TestCounts:
    baseline = seen.baseline
    cases: Set[TestId] = {case for test in seen.tests for case in test.cases}
    outcomes = {r.test: r.outcome for r in baseline.outcomes}
    idle = (Outcome.SKIPPED, Outcome.XFAILED, Outcome.XPASSED)
    passing = cases & set(baseline.passing)
    return TestCounts(
        cases=len(cases),
        passed=len(passing),
        failing=len(cases & set(baseline.failing)),
        flaky=len(cases & set(baseline.flaky)),
        skipped=sum(outcomes[case] in idle for case in cases),
        fake=len(passing - seen.able),
        vouching=len({case for v in seen.functions for case in v.tests} & cases),
        unread=sum(len(test.cases) for test in seen.tests if test.smells is None),
    )


def _list_not_checked(asked: SurveyRequest, seen: SurveySeen, functions: Sequence[FunctionView]) -> list[str]:
    """Why mutants had no turn, the commonest reason first, and patterns of generated tests that name no file."""
    reasons = Counter(view.not_checked for view in functions if view.not_checked)
    files = {test.name.partition("::")[0] for test in seen.tests}
    unmatched = [each for each in asked.generated if not any(fnmatch(path, each) for path in files)]
    return [
        *([seen.branches_untold] if seen.branches_untold else []),
        *(f"mutants of {count_noun(count, 'function')}: {reason}" for reason, count in reasons.most_common()),
        *(f"generated tests: no file of tests is named by {pattern!r}" for pattern in unmatched),
    ]
