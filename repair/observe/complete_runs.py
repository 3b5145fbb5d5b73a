"""Complete runs of the unpatched tests: tests that hang are told apart, and all of it ends in the time that it has.

A test that uses much processor time, and more than all before it together, is stopped from within, and the others go
on. It is suspected to hang. It is then run once more, with all the time that a test may take. Where it was just slow,
all is run again without such a bound: what was stopped amid its work may have disturbed the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.errors import TargetError, UsageError
from analysis.facts import BROKEN, InvalidRun, Limits, Outcome, Phase, RunFault, TestId, TestResult, TestRun
from repair.records.ports import Sandbox

MOST_HANGS = 10
SUSPECT_SECONDS = 2.0
"""Processor time after which a test is suspected to hang, at least; once one is, the next ones have less."""

LEAST_STUCK_SECONDS = 0.25
"""Processor time of a test that is taken to hang where another one does, at least."""

BUSY = 16.0
"""So many times that is waited by the clock, since the machine may be busy."""

LEAST_SECONDS = 20.0
"""What a run gets however late it is, where there is as much: with less, a busy machine alone would end it."""

LATE_SHARE = 0.75
"""What a run may take of all the time that is left when it is late: others follow."""

MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class SuiteWatch:
    """A clock, and when runs have to be over by it; each may take ``least`` seconds, however late it is.

    At ``end`` the time of the whole command is over: of what is left until then a run that is late gets a share.
    """

    clock: Callable[[], float] = lambda: 0.0
    until: float = math.inf
    least: float = LEAST_SECONDS
    end: float = math.inf
    tell: Callable[[str], None] = lambda said: None
    """Hears of a test that hangs, when it does."""
    suspects: bool = True
    """Whether a test may be stopped before it had all its time, and be looked at longer then."""

    @property
    def left(self) -> float:
        """Seconds that are left; negative when it is late."""
        return self.until - self.clock()

    def part(self, share: float) -> SuiteWatch:
        """The watch of a part of what is left."""
        return replace(self, until=self.clock() + share * self.left)

    def allow(self, seconds: float) -> SuiteWatch:
        """The watch with runs that may take so long at least."""
        return replace(self, least=max(self.least, seconds))

    def bound(self, limits: Limits) -> Limits:
        """The limits of a run that begins now."""
        late = min(self.least, LATE_SHARE * (self.end - self.clock()))
        return replace(limits, wall_seconds=min(limits.wall_seconds, max(late, self.left, 0.0)))


UNWATCHED = SuiteWatch()
"""Each run has its own limits alone."""


class TooSlowError(TargetError):
    """The time for a run was up before its tests had ended; ``run`` is what was seen of them."""

    def __init__(self, message: str, *, where: str, remedy: str, run: InvalidRun) -> None:
        super().__init__(message, where=where, remedy=remedy)
        self.run = run


@dataclass(frozen=True, slots=True)
class SuiteObservation:
    """A complete run with what it does not hold.

    - ``unseen`` are tests that it was no longer tried to run, since others hang and the time was up.
    - ``partial`` says that it holds less than the whole suite, and ``left_out`` how much is missing.
    - ``other_runs`` are other runs of some of its tests.
    - ``named_apart`` says that pytest, left to itself, does not collect some of the wanted tests: they were run apart.
    - ``suspected`` are tests that were stopped, and not yet run with all the time that a test may take.
    """

    run: TestRun
    unseen: tuple[TestId, ...] = ()
    partial: bool = False
    left_out: tuple[str, ...] = ()
    other_runs: tuple[TestRun, ...] = ()
    named_apart: bool = False
    suspected: tuple[TestId, ...] = ()


def complete_run(sandbox: Sandbox, tests: Sequence[TestId], limits: Limits, trace: bool | str = False) -> TestRun:
    """A complete run in which tests that hang are told apart and left out of the rest.

    Raises ``UsageError`` for a test id that does not exist and ``TargetError`` where the tests cannot run.
    """
    return run_watched(sandbox, tests, limits, UNWATCHED, trace=trace).run


def run_watched(
    sandbox: Sandbox,
    tests: Sequence[TestId],
    limits: Limits,
    watch: SuiteWatch,
    known: Sequence[TestResult] = (),
    needed: Collection[TestId] = (),
    *,
    trace: bool | str = False,
    later: bool = False,
) -> SuiteObservation:
    """A complete run that ends in time, or raises as ``complete_run`` does.

    With ``later`` whoever asks looks longer at the tests that are suspected to hang.

    Where some tests are ``needed``, ``TooSlowError`` is raised too when another one hangs too late for a run that comes
    as far without it. So it is when others hang for so long that a needed one is not run.

    Once a test hangs that was not stopped, all are run again, each within a bound of processor time. Those that reach
    it end there, with their lines. A test that hangs without working is left out, and so are the ``known`` hangs of an
    earlier run then. These are never looked at longer.
    """
    hanging: dict[TestId, TestResult] = {}
    unseen: tuple[TestId, ...] = ()
    selection = list(tests)
    bounds = replace(limits, stuck_seconds=SUSPECT_SECONDS) if watch.suspects else limits
    known_tests = {result.test for result in known}
    slowest, hardest, again = 0.0, 0.0, False
    while True:
        began = watch.clock()
        run = sandbox.run(selection, limits=watch.bound(bounds), trace=trace)
        if isinstance(run, TestRun):
            suspected = () if again else tuple(test for test in find_hangs(run) if test not in known_tests)
            whole = replace(run, results=(*run.results, *hanging.values()))
            seen = SuiteObservation(whole, unseen, suspected=suspected)
            if later or not suspected or do_hang(sandbox, suspected, limits, watch, trace):
                return seen
            patient = replace(watch, suspects=False)
            return run_watched(sandbox, tests, limits, patient, known, needed, trace=trace)
        if not _hangs(run) or len(hanging) >= MOST_HANGS:
            raise _unusable(run, tests)
        watch.tell(run.detail)
        if needed and run.running not in needed and watch.clock() - began > watch.left:
            raise _late(run, tests)
        over = run.late or watch.left <= 0
        if over or again:
            hanging.update(_give_up_on(run, known, limits.test_seconds, over=over))
        selection = [test for test in run.collected if test not in hanging]
        ended = {r.test: r for r in run.partial if r.outcome is not Outcome.HANG}
        if over:
            unseen = tuple(test for test in selection if test not in ended)
            if not {*needed}.isdisjoint(unseen):
                raise _late(run, tests)
            selection = [test for test in selection if test in ended]
        if not selection:
            return SuiteObservation(TestRun(tuple(hanging.values()), (), 1, limits.test_seconds), unseen)
        slowest = max((slowest, *(r.seconds for r in ended.values())))
        hardest = max((hardest, *(r.cpu_seconds or r.seconds for r in ended.values())))
        bounds, again = _less_patience(slowest, hardest, limits), True


def find_hangs(run: TestRun) -> tuple[TestId, ...]:
    """The tests that were stopped."""
    return tuple(result.test for result in run.results if result.outcome is Outcome.HANG)


def do_hang(
    sandbox: Sandbox, suspected: Sequence[TestId], limits: Limits, watch: SuiteWatch, trace: bool | str = False
) -> bool:
    """Whether tests that were suspected to hang are not just slow: each has all the time that a test may take.

    Those behind one that does hang are looked at in a run of their own. Where no time is left to wait so long, nothing
    says that they are slow.
    """
    left = list(suspected)
    while left:
        run = sandbox.run(left, limits=watch.bound(limits), trace=trace)
        results = run.partial if isinstance(run, InvalidRun) else run.results
        if any(result.test in left and result.outcome is not Outcome.HANG for result in results):
            return False
        if not isinstance(run, InvalidRun) or run.running not in left:
            return True
        watch.tell(run.detail)
        seen = {run.running, *(result.test for result in results)}
        left = [test for test in left if test not in seen]
    return True


def _hangs(run: InvalidRun) -> bool:
    """Whether it was a test that took the time of the run.

    An example: it ended at ``t.py::test_loop``, whose own time was up. Where the time of all was up, others hang too.
    """
    others = any(r.outcome is Outcome.HANG and r.test != run.running for r in run.partial)
    return run.fault is RunFault.TIMEOUT and run.running is not None and (others or not run.late)


def _give_up_on(
    run: InvalidRun, known: Sequence[TestResult], seconds: float, *, over: bool
) -> Iterator[tuple[TestId, TestResult]]:
    """Hangs that are not waited for once more.

    These are that of the test at which the run ended and those that are known. Where there is no more time, they are
    also those within the run.
    """
    if run.running is not None and not run.late:
        yield run.running, TestResult(run.running, Outcome.HANG, Phase.CALL, seconds)
        yield from ((r.test, r) for r in known if r.test in run.collected)
    hung = (r for r in run.partial if r.outcome is Outcome.HANG)
    yield from ((r.test, r) for r in hung if over or r.test == run.running)


def _less_patience(slowest: float, hardest: float, usual: Limits) -> Limits:
    """How long to wait for further tests once one hangs: many times what the slowest, or the hardest, took that ended.

    Those that hang in processor time are stopped from within, so that they share one run.
    """
    stuck = max(LEAST_STUCK_SECONDS, 20 * hardest)
    waited = max(BUSY * stuck, 20 * slowest)
    return replace(usual, test_seconds=min(usual.test_seconds, waited), stuck_seconds=stuck)


def _unusable(run: InvalidRun, tests: Sequence[TestId]) -> Exception:
    """The error that an unusable baseline run amounts to."""
    if run.fault is RunFault.NO_SUCH_TEST:
        return UsageError(run.detail, remedy="Give node ids as `python -m pytest --collect-only -q` prints them.")
    if run.fault is RunFault.USAGE:
        return UsageError(run.detail, remedy="Run the same selection with pytest to see what it refuses.")
    if run.late:
        return _late(run, tests)
    if run.fault is RunFault.SANDBOX:
        said = (run.output.strip().splitlines()[-1:] or ["it said nothing"])[0]
        return TargetError(
            f"The sandbox failed, twice, and not your tests: {run.detail}",
            where=said[:300],
            remedy="See what `repair doctor` says, or choose another --isolation.",
        )
    last = run.output.strip().splitlines()[-1:] or [""]
    return TargetError(
        f"The tests do not run to their end: {run.fault.value}: {run.detail}",
        where=f"while running {run.running}" if run.running else "",
        remedy=f"Last output: {last[0][:300]}" if last[0] else "Run the suite with pytest and mend what stops it.",
    )


def _late(run: InvalidRun, tests: Sequence[TestId]) -> TooSlowError:
    """Time was up: what to leave out, or how to have more."""
    failing = [r.test for r in run.partial if r.outcome in BROKEN]
    so_far = f" (so far {', '.join(failing[:MOST_NAMED])} failed)" if failing else ""
    fewer = "Name fewer tests" if tests else f"Name the failing tests{so_far}, or with --tests the files that count"
    return TooSlowError(
        f"The tests do not end in the time that observing them has: {len(run.partial)} of {len(run.collected)} did",
        where=f"while running {run.running}" if run.running else "",
        remedy=f"{fewer}, or give more time with --max-seconds.",
        run=run,
    )
