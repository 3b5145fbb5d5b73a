"""The unpatched program, observed several times from outside before anything is believed about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from analysis.errors import TargetError
from analysis.facts import BROKEN, CollectionError, InvalidRun, Limits, Outcome, Raised, TestId, TestResult, TestRun
from analysis.failure import failure_of, same_failure
from repair.observe.complete_runs import UNWATCHED, SuiteObservation, SuiteWatch, watched_run
from repair.observe.nearest_first import SuiteRuns, SuiteSeen
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


@dataclass(frozen=True, slots=True)
class NothingToMend:
    """Why there is nothing to patch: ``nothing_fails``, ``not_reproduced``, ``flaky`` or ``unparseable``."""

    status: str
    message: str
    tests: tuple[TestId, ...] = ()


@dataclass(frozen=True, slots=True)
class Observing:
    """The unpatched program as the first runs have it, while further runs, which may say otherwise, go on beside."""

    first: Baseline | NothingToMend
    whole: Callable[[], Baseline | NothingToMend]
    """Waits for the further runs: what all of them agree on."""
    over: Callable[[], bool] = lambda: True
    """Whether nothing has to be waited for."""


def observe(
    sandbox: Sandbox,
    wanted: Sequence[TestId],
    limits: Limits,
    seed: int,
    expect_failure: bool = True,
    watch: SuiteWatch = UNWATCHED,
) -> Baseline | NothingToMend:
    """Run the wanted tests and the whole suite, in order and shuffled, and keep what is the same each time.

    Raises ``UsageError`` for a test id that does not exist and ``TargetError`` where the suite
    cannot run, or not in the time of the watch. With ``expect_failure`` off a suite without failures, or with modules
    that cannot be collected, is a baseline like any other.
    """
    with ThreadPoolExecutor(FURTHER_RUNS) as beside:
        return begin_observing(sandbox, wanted, limits, seed, beside, expect_failure, watch).whole()


def begin_observing(
    sandbox: Sandbox,
    wanted: Sequence[TestId],
    limits: Limits,
    seed: int,
    beside: Executor,
    expect_failure: bool = True,
    watch: SuiteWatch = UNWATCHED,
    patience: float = math.inf,
) -> Observing:
    """As ``observe``, but back when the first runs are over; the further ones go on in ``beside``.

    Where the whole suite takes more than ``patience`` seconds and tests are wanted, it is one of the further runs.
    """
    first: SuiteObservation | None = None
    if wanted:
        first = watched_run(sandbox, wanted, limits, watch, trace=SINCE_CHECK)
        unready = broken_collection(first.run)
        if unready and expect_failure:
            return _nothing(unready)
        if expect_failure and not first.run.results:
            raise TargetError(
                "pytest collects no test there", where=", ".join(wanted[:3]), remedy="Name tests, or a file with tests."
            )
        if expect_failure and not _broken(first.run):
            names = ", ".join(wanted[:3])
            return _nothing(
                NothingToMend("not_reproduced", f"{names} passed: there is no failure to mend", tuple(wanted))
            )
    if first is None:
        seen = watched_run(sandbox, (), limits, watch, trace=True)
        early = SuiteSeen(seen, bool(seen.unseen))
        suites = None
    else:
        suites = SuiteRuns(sandbox, first, limits, watch, beside, patience)
        early = suites.early
    suite = early.seen.run
    if expect_failure and not suite.results and not suite.collection_errors:
        raise TargetError(
            "pytest collects no test here",
            remedy="Name the suite's files with --tests, or another project with --root.",
        )
    if not wanted and expect_failure:
        unready = broken_collection(suite)
        if unready and not _broken(suite):
            return _nothing(unready)

    def agreed(suite: SuiteSeen, further: Sequence[TestRun] = (), lost: Sequence[str] = ()) -> Baseline | NothingToMend:
        runs = [*([first.run] if first else []), suite.seen.run, *suite.besides, *further]
        found = _summary(runs, suite.seen.run, wanted, expect_failure)
        lost = (*suite.left_out, *_unseen(first, suite.seen), *lost)
        if isinstance(found, NothingToMend):
            return found
        called = first.run.line_map if first else ()
        return replace(
            found,
            partial=suite.partial,
            named_apart=suite.named_apart,
            since_check=called,
            lost=(*found.lost, *lost),
        )

    failing = _broken(first.run if first else suite)
    bounds = watch.allowing(MORE_TIME * suite.seconds).bounded(limits)
    jobs = _further(sandbox, failing, suite, bounds, seed, beside, whole=not early.partial)

    def whole() -> Baseline | NothingToMend:
        return agreed(suites.whole() if suites else early, *_ended(jobs))

    def over() -> bool:
        return (suites is None or suites.known()) and all(job.done() for job in jobs.values())

    return Observing(agreed(early), whole, over)


def _nothing(found: NothingToMend) -> Observing:
    return Observing(found, lambda: found)


def _further(
    sandbox: Sandbox,
    failing: Sequence[TestId],
    suite: TestRun,
    limits: Limits,
    seed: int,
    beside: Executor,
    *,
    whole: bool,
) -> dict[str, Future[TestRun | InvalidRun]]:
    """The suite in another order, and the failing tests alone, side by side."""
    hanging = {r.test for r in suite.results if r.outcome is Outcome.HANG}
    everything = [] if whole and not hanging else [r.test for r in suite.results if r.test not in hanging]
    alone = [test for test in failing if test not in hanging]
    jobs = {}
    if everything or not hanging:
        jobs[SHUFFLED] = beside.submit(sandbox.run, everything, limits=limits, shuffle=seed + 1)
    if alone:
        jobs[ALONE] = beside.submit(sandbox.run, alone, limits=limits)
    return jobs


def _ended(jobs: Mapping[str, Future[TestRun | InvalidRun]]) -> tuple[list[TestRun], tuple[str, ...]]:
    """The runs, waited for, and what of them gave no result."""
    done = {what: job.result() for what, job in jobs.items()}
    lost = [f"{what} gave no result: {run.detail}" for what, run in done.items() if isinstance(run, InvalidRun)]
    return [run for run in done.values() if isinstance(run, TestRun)], tuple(lost)


def _unseen(*runs: SuiteObservation | None) -> tuple[str, ...]:
    """That some tests were not run at all, in a sentence."""
    unseen = {test for seen in runs if seen is not None for test in seen.unseen}
    return (f"{count_noun(len(unseen), 'test')} not run, for want of time: others hang",) if unseen else ()


def _broken(run: TestRun) -> tuple[TestId, ...]:
    return tuple(r.test for r in run.results if r.outcome in BROKEN)


def broken_collection(run: TestRun) -> NothingToMend | None:
    """A module that cannot be collected leaves no stable tree to patch when no test of the selection failed."""
    return uncollected(run.collection_errors[0]) if run.collection_errors else None


def uncollected(error: CollectionError) -> NothingToMend:
    """Why a module, or a ``conftest.py``, cannot be collected, in one sentence."""
    raised = _cause(error)
    if raised is None:
        text = (error.message.strip().splitlines() or ["no message"])[-1]
        return NothingToMend("environment", f"{error.node} cannot be collected: {text}")
    kind = raised.type_name.rsplit(".", 1)[-1]
    status = "unparseable" if kind in SYNTAX else "environment"
    place = next((frame for frame in reversed(raised.frames) if frame.in_project), None)
    told = kind in SYNTAX and "line " in raised.message
    where = f" at {place.path}:{place.line}" if place and not told else ""
    return NothingToMend(status, f"{error.node} cannot be collected: {kind}: {raised.message}{where}")


def _cause(error: CollectionError) -> Raised | None:
    """What the module raised; pytest wraps it in an exception of its own that quotes the whole traceback."""
    return next((raised for raised in error.exceptions if not raised.type_name.endswith("CollectError")), None)


def _summary(
    runs: Sequence[TestRun], suite: TestRun, wanted: Sequence[TestId], expect_failure: bool
) -> Baseline | NothingToMend:
    """What all runs agree on.

    A test that raises something else alone than among others may fail there with any patch: it is as
    good as flaky, as long as others show the fault.
    """
    seen: dict[TestId, list[TestResult]] = {}
    for run in runs:
        for result in run.results:
            seen.setdefault(result.test, []).append(result)
    flaky = {test for test, results in seen.items() if len({kind_of(r.outcome) for r in results}) > 1}
    asked = {r.test for r in runs[0].results} if wanted else set(seen)
    failing = tuple(sorted(t for t in asked - flaky if seen[t][0].outcome in BROKEN))
    if expect_failure and not failing:
        if asked & flaky:
            names = tuple(sorted(asked & flaky))
            return NothingToMend("flaky", f"{names[0]} gives different outcomes when it is run again", names)
        return NothingToMend("nothing_fails", "No test fails")
    outcomes = {test: _least(results) for test, results in seen.items()}
    unsteady = tuple(
        sorted(t for t in failing if not all(same_failure(failure_of(seen[t][0]), failure_of(r)) for r in seen[t][1:]))
    )
    changing = tuple(test for test in unsteady if len({_raised(r) for r in seen[test]}) > 1)
    aside = changing if len(changing) < len(failing) else ()
    flaky |= set(aside)
    return Baseline(
        failing=tuple(test for test in failing if test not in aside),
        passing=tuple(sorted(t for t in set(seen) - flaky if seen[t][0].outcome is Outcome.PASSED)),
        flaky=tuple(sorted(flaky)),
        outcomes=tuple(outcomes[t] for t in sorted(outcomes)),
        traced=suite,
        runs=min(len(seen[t]) for t in failing) if failing else len(runs),
        suite_seconds=suite.seconds,
        unsteady=tuple(test for test in unsteady if test not in aside),
        aside=aside,
        lost=tuple(f"left aside: {test} fails in another way when it is run otherwise" for test in aside),
    )


def _least(results: Sequence[TestResult]) -> TestResult:
    """The first result of a test with the least times: the first run watches what the test calls."""
    alike = [r.seconds for r in results if r.outcome is results[0].outcome]
    return replace(results[0], seconds=min(alike), cpu_seconds=_least_cpu(results))


def _least_cpu(results: Sequence[TestResult]) -> float:
    """The least processor time of a test: the first one of a run pays for what all of them need."""
    return min((r.cpu_seconds for r in results if r.cpu_seconds), default=0.0)


def _raised(result: TestResult) -> str:
    """The type of what it ended with; its outcome where it raised nothing."""
    return result.exceptions[0].type_name if result.exceptions else result.outcome.value


def kind_of(outcome: Outcome) -> Outcome:
    """The outcome, with all the ways of not doing what it should as one."""
    return Outcome.FAILED if outcome in BROKEN else outcome
