"""The tests of a project, looked at: the suite is run and traced, its tests are read, its functions are mutated.

Nothing of it is recorded, and nothing in the project is written. Where lines that coverage.py has recorded are named,
they come from a ``.coverage`` file or from what ``coverage json`` writes.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any

from analysis.diagnosis import files_of_tests, is_test_path
from analysis.errors import OutOfTimeError, TargetError, UnparseableError, UsageError
from analysis.facts import FunctionId, Limits, Outcome, TestId, TestRun
from analysis.lines import Lines
from analysis.public_names import ProgramFunction
from analysis.quality.examined import examine_tests, name_of
from analysis.quality.findings import Demands
from analysis.quality.vouching import find_vouching_tests, without_alternatives
from analysis.statement_lines import executed_share
from repair.front.opening import limitations, sandbox_of, target_of, versions_of
from repair.front.recording import LinesSeen, refuse_other_file, write_lines
from repair.observe.baseline import explain_uncollected, kind_of, nothing_collected, observe
from repair.observe.branches import ArcsSeen, observe_arcs
from repair.observe.observation import NothingToMend
from repair.observe.parsing import check_sources
from repair.observe.program import Check, read_program
from repair.observe.statements import KnownStatements, Measure, MeasureBranches, measure_statements, read_settings
from repair.records.config import Options
from repair.records.events import Listener, event, phase
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from repair.records.tests_report import TestsReport, TestsSeconds
from repair.records.wording import count_noun
from repair.store.coverage_data import UnreadableData, read_coverage_data
from repair.store.git_history import histories
from repair.survey.suite_mutants import MutantBudget, Mutated, run_mutants
from repair.survey.survey_report import SurveyRequest, SurveySeen, list_owned, report_of
from repair.trials.run_time import RunTime, TimeIsUp
from sandbox.deadline import too_slow_error
from sandbox.sandbox import LocalSandbox
from sandbox.scratch import scratch_folder

_MOST_LINE = 1_000_000


def survey(
    paths: Sequence[str], options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> TestsReport:
    """The report on the project's tests. Where only paths of tests are named, the others are not run.

    Raises ``TargetError`` where the suite cannot be observed in the time, which counts from the call or as given.
    """
    timing = timing or RunTime(time.monotonic())
    started = timing.started
    if paths and not options.tests and all(is_test_path(path) or is_test_path(f"{path}/file.py") for path in paths):
        options = replace(options, tests=tuple(paths))
    refuse_other_file(options.coverage_file)
    with open_surveyor(options, listen, env, started) as (sandbox, surveyor, warnings):
        demands = Demands(options.coverage_threshold / 100, options.require_each, options.least_cases)
        left = options.max_seconds - (time.monotonic() - started)
        root = sandbox.target.root
        asked = SurveyRequest(
            tuple(paths),
            options.generated,
            demands,
            options.mutants,
            left,
            options.seed,
            histories=partial(histories, Path(root)),
        )
        if options.coverage_data:
            file = Path(options.coverage_data)
            asked = replace(asked, recorded=partial(read_coverage, file, Path(root)), source=file.name)
        report = surveyor.survey(asked, timing.done)
        unwritten = ""
        if options.coverage_file:
            now = dict(sandbox.snapshot.digests)
            unwritten = write_lines(options.coverage_file, root, surveyor.lines, now)
        return replace(
            report,
            root=options.root,
            versions=versions_of(sandbox.target),
            warnings=(*warnings, *changed_meanwhile(sandbox), *filter(None, (unwritten,))),
            isolation=sandbox.jail.kind,
            isolation_opens=sandbox.jail.opens,
            seconds=replace(report.seconds, total=round(time.monotonic() - started, 3)),
        )


@contextlib.contextmanager
def open_surveyor(
    options: Options, listen: Listener, env: Mapping[str, str], started: float
) -> Iterator[tuple[LocalSandbox, Surveyor, tuple[str, ...]]]:
    """The project's sandbox, who surveys it, and what is less than it could be; the time counts from ``started``."""
    target, jail = target_of(options, env)
    with scratch_folder() as scratch, sandbox_of(options, target, jail, scratch) as sandbox:
        warnings = tuple(limitations(sandbox.jail, sandbox))
        for warning in warnings:
            listen(event("warning", message=warning))
        sandbox.deadline.end_at(started + options.max_seconds)
        known = KnownStatements(read_settings(sandbox.snapshot.read))
        limits = limits_of(options.max_seconds)
        own = Surveyor(sandbox, limits, time.monotonic, listen, check_sources, known.measure, known.branches)
        yield sandbox, own, warnings


def changed_meanwhile(sandbox: LocalSandbox) -> tuple[str, ...]:
    """A sentence where a file of the project is another one by now."""
    return tuple(f"{path} changed while the survey was under way" for path in sandbox.snapshot.stale_files()[:1])


def limits_of(seconds: float) -> Limits:
    """A suite may use up all the time that there is."""
    return replace(Limits(), wall_seconds=seconds, cpu_seconds=max(Limits().cpu_seconds, 2 * seconds))


@dataclass(frozen=True, slots=True)
class Surveyor:
    """Surveys one project. ``limits`` bound each run of the suite; ``check`` says what cannot be parsed safely."""

    sandbox: Sandbox
    limits: Limits
    clock: Callable[[], float]
    listen: Listener
    check: Check
    measure: Measure = measure_statements
    branches: MeasureBranches | None = None
    """Says which branches are among the arcs that ran."""
    lines: LinesSeen = field(default_factory=LinesSeen)
    """Which lines each test ran, once the suite was observed."""

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
        self.lines.line_map, self.lines.sources = baseline.traced.line_map, sources
        ran = {path for _, files in baseline.traced.line_map for path, lines in files if lines}
        program = read_program(
            sources, files_of_tests(r.test for r in baseline.outcomes), ran, self.check, self.measure
        )
        seen = _find_who_vouches(asked, SurveySeen(baseline, leaning, suite, sources, program))
        seen = replace(seen, histories=asked.histories(list_owned(program.functions)))
        if not program.measures_branches or self.branches is None or asked.recorded is not None:
            return seen
        return self._add_branches(seen, self.branches)

    def _add_branches(self, seen: SurveySeen, branches: MeasureBranches) -> SurveySeen:
        """What is seen with the branches of each file, and which of them tests take that can vouch."""
        try:
            arcs = observe_arcs(self.sandbox, self.limits)
        except (OutOfTimeError, TimeIsUp):
            arcs = ArcsSeen(said="branches were not told: the time was up")
        self.lines.arcs = arcs.by_test
        if arcs.said:
            return replace(seen, branches_untold=arcs.said)
        own = frozenset(each.function.path for each in seen.functions)
        measured = branches([each for each in seen.sources if each[0] in own], arcs.of(seen.able))
        return replace(seen, branches={path: file.branches for path, file in measured.files.items()})

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
    raise nothing_collected()


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
    """Whether the path is that folder or file, or lies in it: ``src/a.py`` in ``src``, but not ``src2/a.py``."""
    return folder in (".", path) or path.startswith(f"{folder}/")


def read_coverage(file: Path, root: Path, paths: Iterable[str]) -> dict[str, Lines]:
    """The recorded lines of those of the project's files that the data knows.

    The data may be from another checkout: a file is found by the longest end that its path has in common with one of
    ours. Raises ``UsageError`` for what cannot be read, and where none of the files is known.
    """
    try:
        content = file.read_bytes() if not file.exists() or file.is_file() else b""
    except OSError as problem:
        raise UsageError(
            f"The coverage data cannot be read: {problem.strerror}",
            where=str(file),
            remedy="Name a .coverage file, or what `coverage json` writes.",
        ) from problem
    recorded = _from_json(file, content) if content.lstrip()[:1] == b"{" else _from_database(file)
    found = {}
    for path in paths:
        known = [name for name in recorded if f"/{name}".replace("\\", "/").endswith(f"/{path}")]
        if known:
            found[path] = recorded[max(known, key=lambda name: (name == str(root / path), -len(name)))]
    if not found:
        raise UsageError(
            "The coverage data knows none of the program's files",
            where=str(file),
            remedy="Make it with the sources of this project.",
        )
    return found


def _from_json(file: Path, content: bytes) -> dict[str, Lines]:
    try:
        files: Any = json.loads(content)["files"]
        return {str(path): _lines(said["executed_lines"]) for path, said in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise _unreadable_error(file, f"{type(problem).__name__}: {problem}") from problem


def _from_database(file: Path) -> dict[str, Lines]:
    try:
        found = read_coverage_data(file)
    except UnreadableData as problem:
        raise _unreadable_error(file, str(problem)) from problem
    return {path: found.lines(path) for path in found.files}


def _unreadable_error(file: Path, why: str) -> UsageError:
    return UsageError(
        f"This is no coverage data: {why}",
        where=str(file),
        remedy="Name a .coverage file, or what `coverage json` writes.",
    )


def _lines(numbers: Iterable[Any]) -> Lines:
    return Lines(number for number in numbers if isinstance(number, int) and 0 < number < _MOST_LINE)
