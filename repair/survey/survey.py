"""The tests of a project, looked at: the suite is run and traced, its tests are read, its functions are mutated."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch

from analysis.diagnosis import files_of_tests
from analysis.errors import OutOfTimeError, TargetError, UnparseableError, UsageError
from analysis.facts import FunctionId, Limits, Outcome, TestId, TestRun
from analysis.lines import Lines
from analysis.public_names import ProgramFunction
from analysis.quality.examined import examine_tests, name_of
from analysis.quality.vouching import find_vouching_tests, without_alternatives
from analysis.statement_lines import executed_share
from repair.observe.baseline import explain_uncollected, kind_of, observe
from repair.observe.observation import NothingToMend
from repair.observe.program import Check, read_program
from repair.records.events import Listener, event, phase
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from repair.records.tests_report import TestsReport, TestsSeconds
from repair.records.wording import count_noun
from repair.survey.suite_mutants import MutantBudget, Mutated, run_mutants
from repair.survey.survey_report import SurveyRequest, SurveySeen, report_of
from repair.trials.run_time import TimeIsUp


@dataclass(frozen=True, slots=True)
class Surveyor:
    """Surveys one project. ``limits`` bound each run of the suite; ``check`` says what cannot be parsed safely."""

    sandbox: Sandbox
    limits: Limits
    clock: Callable[[], float]
    listen: Listener
    check: Check

    def survey(self, asked: SurveyRequest, done: Callable[[], None] = lambda: None) -> TestsReport:
        """The report; raises ``TargetError`` where no test runs the program, ``UsageError`` for a path with nothing.

        ``done`` is called when only the report is left to make.
        """
        started = self.clock()
        seen = self.look(asked)
        before = self.clock()
        mutated: dict[FunctionId, Mutated] = {}
        with contextlib.suppress(OutOfTimeError, TimeIsUp):  # those that had their turn stand
            self._mutate(asked, seen, started, mutated)
        done()
        seconds = TestsSeconds(self.clock() - started, seen.suite_seconds, self.clock() - before)
        return report_of(asked, seen, mutated, seconds)

    def look(self, asked: SurveyRequest) -> SurveySeen:
        """What the suite does, and who vouches for what; nothing is mutated. Raises as ``survey`` does."""
        started = self.clock()
        self.listen(phase("baseline", "running the suite twice: once traced, once in another order"))
        try:
            twice = observe_suite(self.sandbox, self.limits, asked.seed)
            baseline, leaning = settle_order(self.sandbox, self.limits, twice)
        except OutOfTimeError as late:
            raise too_slow_error() from late
        suite = self.clock() - started
        sources = self.sandbox.sources()
        ran = {path for _, files in baseline.traced.line_map for path, lines in files if lines}
        program = read_program(sources, files_of_tests(r.test for r in baseline.outcomes), ran, self.check)
        return _find_who_vouches(asked, SurveySeen(baseline, leaning, suite, sources, program))

    def _mutate(self, asked: SurveyRequest, seen: SurveySeen, started: float, into: dict[FunctionId, Mutated]) -> None:
        if not asked.mutants:
            return
        left = max(0.0, started + asked.seconds - self.clock())
        detail = f"running at most {count_noun(asked.mutants, 'mutant')} of each public function"
        self.listen(event("phase", name="mutants", detail=detail, estimate_seconds=left))

        def tell(count: int, where: str) -> None:
            seconds_left = started + asked.seconds - self.clock()
            self.listen(event("progress", tried=count, suspect=where, seconds_left=seconds_left))

        budget = MutantBudget(asked.mutants, self.clock, started + asked.seconds, tell)
        run_mutants(self.sandbox, seen.baseline, seen.public, seen.sources, self.limits, budget, into)


def too_slow_error() -> TargetError:
    """What is raised where the suite cannot be observed in time."""
    return TargetError(
        "The suite does not end twice in the time for the whole run",
        remedy="Give more time with --max-seconds, or name files of tests.",
    )


def observe_suite(sandbox: Sandbox, limits: Limits, seed: int) -> Baseline:
    """The suite, run twice; raises ``TargetError`` where there is none to speak of."""
    baseline = observe(sandbox, (), limits, seed, expect_failure=False)
    assert not isinstance(baseline, NothingToMend), "a suite without failures is what is hoped for"
    if baseline.outcomes:
        return baseline
    if baseline.traced.collection_errors:
        problem = explain_uncollected(baseline.traced.collection_errors[0])
        if problem.status == UnparseableError.status:
            raise UnparseableError(problem.message, remedy="Mend the syntax first.")
        raise TargetError(problem.message, remedy="Mend that first.")
    raise TargetError(
        "pytest collects no test here",
        remedy="Name the suite's files with --tests, or another project with --root.",
    )


def settle_order(sandbox: Sandbox, limits: Limits, baseline: Baseline) -> tuple[Baseline, frozenset[TestId]]:
    """The baseline after one more run in the suite's own order, where tests differed; and the tests that lean on order.

    Those have the same outcome again in that run: in their own order they say what they say.
    """
    again = sandbox.run((), limits=limits) if baseline.flaky else None
    if not isinstance(again, TestRun):
        return baseline, frozenset()
    first, third = ({r.test: kind_of(r.outcome) for r in run.results} for run in (baseline.traced, again))
    leaning = frozenset(test for test in baseline.flaky if test in first and first[test] is third.get(test))
    settled = replace(
        baseline,
        flaky=tuple(test for test in baseline.flaky if test not in leaning),
        passing=tuple(sorted({*baseline.passing, *(t for t in leaning if first[t] is Outcome.PASSED)})),
        failing=tuple(sorted({*baseline.failing, *(t for t in leaning if first[t] is Outcome.FAILED)})),
    )
    return settled, leaning


def _find_who_vouches(asked: SurveyRequest, bare: SurveySeen) -> SurveySeen:
    """What is seen with its tests and functions, as far as the paths ask for them."""
    baseline, program = bare.baseline, bare.program
    line_map, passing = baseline.traced.line_map, frozenset(baseline.passing)
    cases = [r.test for r in baseline.outcomes]
    runs: dict[TestId, list[ProgramFunction]] = {}
    everyone = find_vouching_tests(program.functions, line_map, frozenset(cases))
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
    tests = examine_tests(dict(bare.sources), cases, passing, line_map, runs, generated)
    able = passing - {case for test in tests if test.is_fake for case in test.cases}
    replaced = {(case, name) for test in tests for case in test.cases for name in test.replaced}
    found = without_alternatives(find_vouching_tests(program.functions, line_map, able, replaced))
    if asked.recorded is not None:
        known = asked.recorded(program.files)
        found = tuple(
            replace(each, share=executed_share(each.function.statements, known.get(each.function.path, Lines())))
            for each in found
        )
    return _restrict(asked.paths, replace(bare, tests=tests, functions=found, able=able), runs)


def _restrict(paths: Sequence[str], seen: SurveySeen, runs: Mapping[TestId, Sequence[ProgramFunction]]) -> SurveySeen:
    """Paths of tests restrict the tests, others the functions; what is run, or runs, comes along."""
    if not paths:
        return seen
    named_tests = {p for p in paths if any(_is_within(test.name.partition("::")[0], p) for test in seen.tests)}
    named_files = {p for p in paths if any(_is_within(v.function.path, p) for v in seen.functions)}
    for path in paths:
        if path not in named_tests | named_files:
            raise UsageError(
                f"Neither a test nor a function of the program is in {path!r}",
                remedy="Name files or folders of the program or of its tests.",
            )
    tests, functions = seen.tests, seen.functions
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
    return replace(seen, tests=tests, functions=functions)


def _is_within(path: str, folder: str) -> bool:
    return folder in (".", path) or path.startswith(f"{folder}/")
