"""The unpatched program, observed several times from outside before anything is believed about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from analysis.errors import TargetError
from analysis.facts import BROKEN, CollectionError, InvalidRun, Limits, Outcome, TestId, TestResult, TestRun
from analysis.failure import describe_code_fence, failure_of, same_failure
from repair.observe.complete_runs import UNWATCHED, SuiteObservation, SuiteWatch, do_hang, run_watched
from repair.observe.nearest_first import SUITE_SHARE, SuiteRuns, Touched, touch_nothing
from repair.observe.observation import NothingToMend, Observation, Observed
from repair.observe.uncollected import file_of, uncollected_tests
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from repair.records.wording import count_noun

MORE_TIME = 3.0
"""What further runs may take of what the suite took: other work goes on beside them."""

FURTHER_RUNS = 3
"""Runs that go on side by side once the first ones are over."""

SINCE_CHECK = "since check"
"""The tracer that tells which functions a test called after the last of its checks that passed."""

SHUFFLED = "the unpatched suite in another order"
ALONE = "the failing tests alone, without the patch,"
SYNTAX = ("SyntaxError", "IndentationError", "TabError")


def observe(
    sandbox: Sandbox,
    wanted: Sequence[TestId],
    limits: Limits,
    seed: int,
    expect_failure: bool = True,
    watch: SuiteWatch = UNWATCHED,
) -> Observed:
    """Run the wanted tests and the whole suite, in order and shuffled, and keep what is the same each time.

    Raises ``UsageError`` for a test id that does not exist and ``TargetError`` where the suite
    cannot run, or not in the time of the watch. With ``expect_failure`` off a suite without failures, or with modules
    that cannot be collected, is a baseline like any other.
    """
    with ThreadPoolExecutor(FURTHER_RUNS) as beside:
        return begin_observing(sandbox, wanted, limits, seed, beside, expect_failure, watch).what_all_runs_say()


def begin_observing(
    sandbox: Sandbox,
    wanted: Sequence[TestId],
    limits: Limits,
    seed: int,
    beside: Executor,
    expect_failure: bool = True,
    watch: SuiteWatch = UNWATCHED,
    patience: float = math.inf,
    hear: Callable[[Baseline], None] = lambda baseline: None,
    touched: Touched = touch_nothing,
    part: Sequence[TestId] = (),
    *,
    again: bool = True,
    at_once: bool = False,
) -> Observation:
    """As ``observe``, but back when the first runs are over; the further ones go on in ``beside``.

    Without ``again`` there is none but that of tests which are suspected to hang: who judges one change asks the
    unpatched program where something breaks. With ``at_once`` wanted tests are not run alone, where a run of the whole
    suite ends in time and has them.

    Where the whole suite takes more than ``patience`` seconds and tests are wanted, it is one of the further runs.
    ``hear`` is told what all runs agree on. ``touched`` are tests to run first then. Where a ``part`` is given, and no
    test is wanted, no more of the suite is run.
    """
    alone: SuiteObservation | None = None
    suites: SuiteRuns | None = None
    whole = _begin_whole(sandbox, wanted, limits, watch) if wanted and at_once else None
    if whole is not None and _holds(whole, wanted):
        early = replace(whole.result(), partial=bool(whole.result().unseen))
    elif wanted:
        alone = run_watched(sandbox.for_purpose("wanted tests"), wanted, limits, watch, trace=SINCE_CHECK, later=True)
        nothing = _nothing_wanted_fails(sandbox, alone.run, wanted) if expect_failure else None
        if nothing is not None:
            return Observation(nothing)
        suites = SuiteRuns(sandbox.for_purpose("suite"), alone, limits, watch, beside, patience, touched, whole)
        early = suites.early
    else:
        early = run_watched(sandbox.for_purpose("suite"), part, limits, watch, trace=True, later=not part)
        early = replace(early, partial=bool(early.unseen or part))
    suite = early.run
    if expect_failure and not suite.results and not suite.collection_errors:
        raise nothing_collected()
    if not wanted and expect_failure:
        unready = broken_collection(suite)
        if unready and not _failing_tests(sandbox, suite):
            return Observation(unready)
    first = alone.run if alone else suite
    failing = _failing_tests(sandbox, first) if expect_failure else _broken_tests(first)
    bounds = watch.allow(MORE_TIME * suite.seconds).bound(limits)
    jobs = {} if not again else _begin_further_runs(sandbox, () if alone else failing, early, bounds, seed, beside)
    again_if_slow: Future[Observed | None] | None = None
    if suspected := tuple(dict.fromkeys((*(alone.suspected if alone else ()), *early.suspected))):

        def look_longer() -> Observed | None:
            if do_hang(sandbox.for_purpose("suspected tests"), suspected, limits, watch):
                return None
            patient = replace(watch, suspects=False)
            return observe(sandbox, wanted, limits, seed, expect_failure, patient)

        again_if_slow = beside.submit(look_longer)
    runs = _Runs(sandbox, alone, early, suites, jobs, tuple(wanted), expect_failure, again_if_slow)
    return Observation(runs.summarize(early), runs.wait_for_all, runs.are_all_over, hear)


def nothing_collected() -> TargetError:
    """What is wrong where pytest, left to itself, finds no test at all."""
    return TargetError(
        "pytest collects no test here", remedy="Name the suite's files with --tests, or another project with --root."
    )


def _begin_whole(
    sandbox: Sandbox, wanted: Sequence[TestId], limits: Limits, watch: SuiteWatch
) -> Future[SuiteObservation]:
    """The whole suite, which is over; where it did not end in time, that is raised when somebody asks for it."""
    whole: Future[SuiteObservation] = Future()
    part = watch.part(SUITE_SHARE)
    try:
        seen = run_watched(sandbox.for_purpose("suite"), (), limits, part, needed=wanted, trace=True, later=True)
        whole.set_result(seen)
    except TargetError as problem:
        whole.set_exception(problem)
    return whole


def _holds(whole: Future[SuiteObservation], wanted: Sequence[TestId]) -> bool:
    """Whether the suite was seen as a whole, and each wanted name is that of some test in it."""
    if whole.exception() is not None:
        return False
    ran = [result.test for result in whole.result().run.results]
    return all(any(is_asked(test, (name,)) for test in ran) for name in wanted)


def is_asked(test: TestId, wanted: Sequence[TestId]) -> bool:
    """Whether a test is asked for, or its file, class or parametrized test is: ``t.py::test_a`` where ``t.py`` is."""
    return any(test == name or str(test).startswith((f"{name}::", f"{name}[", f"{name}/")) for name in wanted)


def stands_in(name: TestId, texts: Mapping[str, bytes]) -> bool:
    """Whether a file of the project has this test by its name, or there is such a folder: then it is no mistake."""
    path, _, item = str(name).partition("::")
    if path not in texts:
        return any(known.startswith(f"{path}/") for known in texts)
    return item.partition("[")[0].rpartition("::")[2].encode() in texts[path]


def _nothing_wanted_fails(sandbox: Sandbox, run: TestRun, wanted: Sequence[TestId]) -> NothingToMend | None:
    """Why none of the wanted tests can be mended, by a run of them alone; ``None`` where one fails.

    Raises ``TargetError`` where there is none.
    """
    unready = broken_collection(run)
    failing = _failing_tests(sandbox, run)
    if unready and not any(file_of(test) == test for test in failing):
        return unready
    if not run.results and not failing:
        raise TargetError(
            "pytest collects no test there", where=", ".join(wanted[:3]), remedy="Name tests, or a file with tests."
        )
    if not failing:
        names = ", ".join(wanted[:3])
        return NothingToMend("not_reproduced", f"{names} passed: there is no failure to mend", tuple(wanted))
    return None


@dataclass(frozen=True, slots=True)
class _Runs:
    """The runs of one observation: the wanted tests ``alone``, the suite as it was first seen, and what goes on beside.

    ``suites`` waits for the whole suite, where ``early`` is a part of it; ``jobs`` are the further runs by their names.
    ``again_if_slow`` has all that is said instead, where a test was stopped that is just slow.
    """

    sandbox: Sandbox
    alone: SuiteObservation | None
    early: SuiteObservation
    suites: SuiteRuns | None
    jobs: Mapping[str, Future[TestRun | InvalidRun]]
    wanted: tuple[TestId, ...]
    expect_failure: bool
    again_if_slow: Future[Observed | None] | None = None

    def are_all_over(self) -> bool:
        """Whether nothing has to be waited for."""
        if self.again_if_slow is not None and not self.again_if_slow.done():
            return False
        return (self.suites is None or self.suites.is_over()) and all(job.done() for job in self.jobs.values())

    def wait_for_all(self) -> Observed:
        """What all runs agree on."""
        suite = self.suites.wait_for_all() if self.suites else self.early
        if self.again_if_slow is not None and (patient := self.again_if_slow.result()) is not None:
            return patient
        runs = {what: job.result() for what, job in self.jobs.items()}
        lost = [f"{what} gave no result: {run.detail}" for what, run in runs.items() if isinstance(run, InvalidRun)]
        return self.summarize(suite, [run for run in runs.values() if isinstance(run, TestRun)], lost)

    def summarize(self, suite: SuiteObservation, further: Sequence[TestRun] = (), lost: Sequence[str] = ()) -> Observed:
        """What these runs agree on, where others gave no result: the sentences of ``lost`` say which."""
        observed = [self.alone, suite] if self.alone else [suite]
        runs = [*(each.run for each in observed), *suite.other_runs, *further]
        whole = suite.run
        if self.expect_failure:  # a change from elsewhere is held to the tests that it lets be collected
            runs, whole = [_add_uncollected(self.sandbox, run) for run in runs], _add_uncollected(self.sandbox, whole)
        named = [r.test for r in runs[0].results if self.alone or is_asked(r.test, self.wanted)]
        found = _summarize(runs, whole, {*named} if self.wanted else set(), self.expect_failure)
        if isinstance(found, NothingToMend):
            return found
        unseen = {test for each in observed for test in each.unseen}
        hindered = f"{count_noun(len(unseen), 'test')} not run, for want of time: others hang"
        return replace(
            found,
            partial=suite.partial,
            named_apart=suite.named_apart,
            since_check=self.alone.run.line_map if self.alone else (),
            lost=(*found.lost, *suite.left_out, *([hindered] if unseen else ()), *lost),
        )


def _begin_further_runs(
    sandbox: Sandbox, failing: Sequence[TestId], early: SuiteObservation, limits: Limits, seed: int, beside: Executor
) -> dict[str, Future[TestRun | InvalidRun]]:
    """The suite in another order, and the failing tests alone, where there are any to run so, side by side."""
    results = early.run.results
    hanging = {r.test for r in results if r.outcome is Outcome.HANG}
    ending = [r.test for r in results if r.test not in hanging]
    jobs = {}
    if ending or not hanging:
        selection = ending if early.partial or hanging else []
        jobs[SHUFFLED] = beside.submit(
            sandbox.for_purpose("suite shuffled").run, selection, limits=limits, shuffle=seed + 1
        )
    if alone := [test for test in failing if test not in hanging]:
        jobs[ALONE] = beside.submit(sandbox.for_purpose("failing tests alone").run, alone, limits=limits)
    return jobs


def _broken_tests(run: TestRun) -> tuple[TestId, ...]:
    return tuple(r.test for r in run.results if r.outcome in BROKEN)


def _failing_tests(sandbox: Sandbox, run: TestRun) -> tuple[TestId, ...]:
    """The tests that fail, and the files that the project's own code does not let be collected."""
    return _broken_tests(_add_uncollected(sandbox, run))


def _add_uncollected(sandbox: Sandbox, run: TestRun) -> TestRun:
    """The run with each file that a patch may let be collected as a test that fails."""
    if not run.collection_errors:
        return run
    files = uncollected_tests(run, sandbox.sources())
    ran = dict(run.collected_lines)
    line_map = (*run.line_map, *((each.test, ran[each.test]) for each in files if each.test in ran))
    return replace(run, results=(*run.results, *files), line_map=line_map)


def broken_collection(run: TestRun) -> NothingToMend | None:
    """A module that cannot be collected leaves no stable tree to patch when no test of the selection failed."""
    return explain_uncollected(run.collection_errors[0]) if run.collection_errors else None


def explain_uncollected(error: CollectionError) -> NothingToMend:
    """Why a module, or a ``conftest.py``, cannot be collected, in one sentence."""
    # pytest wraps what the module raised in an exception of its own that quotes the whole traceback.
    raised = next((each for each in error.exceptions if not each.type_name.endswith("CollectError")), None)
    if raised is None:
        text = (error.message.strip().splitlines() or ["no message"])[-1]
        return NothingToMend("environment", f"{error.node} cannot be collected: {text}")
    kind = raised.type_name.rsplit(".", 1)[-1]
    status = "unparseable" if kind in SYNTAX else "environment"
    place = next((frame for frame in reversed(raised.frames) if frame.in_project), None)
    says_line = kind in SYNTAX and "line " in raised.message
    where = f" at {place.path}:{place.line}" if place and not says_line else ""
    fence = describe_code_fence(error.message) if kind in SYNTAX else ""
    return NothingToMend(status, f"{error.node} cannot be collected: {kind}: {raised.message}{where}{fence}")


def _summarize(runs: Sequence[TestRun], suite: TestRun, asked: Set[TestId], expect_failure: bool) -> Observed:
    """What all runs agree on. The tests that are ``asked`` for are to be mended where they fail; none: all that do.

    A test that raises something else alone than among others may fail there with any patch. It is as good as flaky, as
    long as others show the fault.
    """
    seen: dict[TestId, list[TestResult]] = {}
    for run in runs:
        for result in run.results:
            seen.setdefault(result.test, []).append(result)
    flaky = {test for test, results in seen.items() if len({kind_of(r.outcome) for r in results}) > 1}
    asked = asked or set(seen)
    place = {result.test: number for number, result in enumerate(suite.results)}
    ordered = sorted(seen, key=lambda test: (place.get(test, len(place)), test))
    failing = tuple(t for t in ordered if t in asked - flaky and seen[t][0].outcome in BROKEN)
    if expect_failure and not failing:
        if asked & flaky:
            names = tuple(sorted(asked & flaky))
            return NothingToMend("flaky", f"{names[0]} gives different outcomes when it is run again", names)
        return NothingToMend("nothing_fails", "No test fails")
    outcomes = {test: _take_least_times(results) for test, results in seen.items()}
    unsteady = tuple(
        sorted(t for t in failing if not all(same_failure(failure_of(seen[t][0]), failure_of(r)) for r in seen[t][1:]))
    )
    changing = tuple(test for test in unsteady if len({_name_raised(r) for r in seen[test]}) > 1)
    aside = changing if len(changing) < len(failing) else ()
    flaky |= set(aside)
    return Baseline(
        failing=tuple(test for test in failing if test not in aside),
        passing=tuple(t for t in ordered if t not in flaky and seen[t][0].outcome is Outcome.PASSED),
        flaky=tuple(sorted(flaky)),
        outcomes=tuple(outcomes[t] for t in ordered),
        traced=suite,
        runs=min(len(seen[t]) for t in failing) if failing else len(runs),
        suite_seconds=suite.seconds,
        unsteady=tuple(test for test in unsteady if test not in aside),
        aside=aside,
        lost=tuple(f"left aside: {test} fails in another way when it is run otherwise" for test in aside),
    )


def _take_least_times(results: Sequence[TestResult]) -> TestResult:
    """The first result of a test with the least times: the first run watches what the test calls."""
    seconds = min(r.seconds for r in results if r.outcome is results[0].outcome)
    # The first test of a run pays for what all of them need.
    cpu_seconds = min((r.cpu_seconds for r in results if r.cpu_seconds), default=0.0)
    return replace(results[0], seconds=seconds, cpu_seconds=cpu_seconds)


def _name_raised(result: TestResult) -> str:
    """The type of what it ended with; its outcome where it raised nothing."""
    return result.exceptions[0].type_name if result.exceptions else result.outcome.value


def kind_of(outcome: Outcome) -> Outcome:
    """The outcome, with all the ways of not doing what it should as one."""
    return Outcome.FAILED if outcome in BROKEN else outcome
