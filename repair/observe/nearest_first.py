"""The suite around wanted tests: where all of it is slow, what is nearest to them is run first, and all goes on beside.

Where the whole suite takes longer than there is time for, a part of it is observed.
"""

from __future__ import annotations

import contextlib
import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import replace
from functools import cached_property

from analysis.errors import TargetError, UsageError
from analysis.facts import InvalidRun, Limits, Outcome, TestId, TestRun
from repair.observe.complete_runs import SuiteObservation, SuiteWatch, TooSlowError, run_watched
from repair.observe.touching import pick_first
from repair.records.ports import Sandbox
from repair.records.wording import count_noun

SHARE = 0.6
"""The part takes so much of the time in which the whole did not end, by its pace."""


Touched = Callable[[TestRun], Sequence[TestId]]
"""The tests that are known to run what those of a run called, the nearest first."""


def touch_nothing(run: TestRun) -> Sequence[TestId]:
    """Nothing is known of any test."""
    return ()


def nearest_part(late: InvalidRun, wanted: Collection[TestId], touched: Sequence[TestId] = ()) -> tuple[TestId, ...]:
    """The wanted tests, those ``touched``, those around the wanted in their files, then others.

    They are six for ten that ended in a run of all.

    ``late`` is that run, which was ended for want of time; tests that hung in it are left out. Nothing, where it does
    not say what there is.
    """
    if not late.partial or not {*wanted} <= {*late.collected}:
        return ()
    places = [place for place, test in enumerate(late.collected) if test in wanted]
    files = {late.collected[place].split("::")[0] for place in places}
    first = {test: number for number, test in enumerate(touched)}
    far = {}
    for place, test in enumerate(late.collected):
        behind = bisect_left(places, place)
        beside = places[max(0, behind - 1) : behind + 1]
        distance = min((abs(place - other) for other in beside), default=0)
        far[test] = (test not in wanted, first.get(test, len(first)), test.split("::")[0] not in files, distance)
    hung = {r.test for r in late.partial if r.outcome is Outcome.HANG} | ({late.running} if not late.late else set())
    free = [test for test in late.collected if test in wanted or test not in hung]
    most = max(int(SHARE * len(late.partial)), len(wanted))
    kept = {*sorted(free, key=lambda test: far[test])[:most]}
    return tuple(test for test in late.collected if test in kept)


def count_collected(late: InvalidRun) -> str:
    """How many tests there are: a run that was ended before all were collected does not say it."""
    return count_noun(len(late.collected), "test") if late.collected else "an unknown number of tests"


SUITE_SHARE = 0.6
"""What the whole suite with its line map may take of the time for observing, before a part of it has to do."""

NEAR_SHARE = 0.3
"""The same for the files of the wanted tests, before a part of them has to do."""

LEAST_NEAR_SECONDS = 6.0
"""What these files may take however late it is; the part of them that is tried then has as long as any run."""

PATIENCE = 3.0
"""Seconds for which the whole suite is waited for before the files are run beside it."""

MOST_PARTS = 2
"""Runs of a part that may be ended for want of time, before the last one has to do."""

SLOWER = 3.0
"""A suite that takes no more than so many times what the wanted tests took is never cut."""


class SuiteRuns:
    """The whole suite and, where that takes long, first what is nearest to the wanted tests."""

    def __init__(
        self,
        sandbox: Sandbox,
        alone: SuiteObservation,
        limits: Limits,
        watch: SuiteWatch,
        beside: Executor,
        patience: float = math.inf,
        touched: Touched = touch_nothing,
        whole: Future[SuiteObservation] | None = None,
    ) -> None:
        """Back when something was seen of the suite: all of it, where that takes no more than ``patience`` seconds.

        ``alone`` is a run of the wanted tests; ``touched`` is asked only where the suite is slow. ``whole`` is the run
        of all of it, where that was begun before. Raises ``TargetError`` where neither run comes to its end in time.
        """
        self._sandbox, self._limits, self._beside = sandbox, limits, beside
        self._alone, self._find_touched = alone.run, touched
        self._needed = SLOWER * alone.run.seconds  # where few tests are slow, it is the machine
        self._watch = watch.allow(self._needed)
        self._wanted = {r.test for r in alone.run.results}
        self._hanging = [r for r in alone.run.results if r.outcome is Outcome.HANG]
        self._all = whole or beside.submit(self._run, (), self._watch.part(SUITE_SHARE))
        self._near: Future[SuiteObservation] | None = None
        self._whole: SuiteObservation | None = None
        wait([self._all], None if math.isinf(patience) else patience)
        if not self._all.done():
            self._near = beside.submit(self._run_nearest)
            wait([self._all, self._near], return_when=FIRST_COMPLETED)
        near_first = self._near is not None and self._near.done() and self._near.exception() is None
        self._early = not self._all.done() and near_first
        self.early = self._observe_part() if self._early else self.wait_for_all()

    def wait_for_all(self) -> SuiteObservation:
        """All of the suite, which is waited for; where that does not end, what is nearest to the wanted tests."""
        if self._whole is not None:
            return self._whole
        try:
            whole = self._all.result()
            apart = tuple(sorted(self._wanted.difference(r.test for r in whole.run.results)))
            if apart:
                whole = _join_runs(whole, self._run_apart(apart, whole.run))
            others = (self._near.result().run,) if self._near and self._early else ()
            self._whole = replace(whole, partial=bool(whole.unseen), other_runs=others, named_apart=bool(apart))
        except TooSlowError as slow:
            self._whole = self._observe_part(slow)
        except TargetError:
            self._whole = self._observe_part()
        return self._whole

    def is_over(self) -> bool:
        """Whether ``wait_for_all`` need not wait."""
        return self._all.done()

    def _observe_part(self, slow: TooSlowError | None = None) -> SuiteObservation:
        """What is nearest to the wanted tests, run now if it was not before, and how much of the suite that is."""
        if self._near is None or (slow and self._near.exception()):
            self._near = self._beside.submit(self._run_nearest, slow)
        seen = self._near.result()
        if not slow:
            return replace(seen, partial=True)
        part = f"{len(seen.run.results)} of {count_collected(slow.run)} observed"
        touched = {*self._touched} & {*slow.run.collected}
        some = len(touched & {r.test for r in seen.run.results})
        known = f", {some} of {len(touched)} that are known to run the same functions among them" if touched else ""
        said = (
            f"{part}, those nearest to the failing ones{known}: "
            "the whole suite takes longer than observing it may (more with --max-seconds)"
        )
        return replace(seen, partial=True, left_out=(said,))

    def _run_nearest(self, slow: TooSlowError | None = None) -> SuiteObservation:
        """The files of the wanted tests, or as many tests around these as the pace of a run that was too slow allows.

        That is the ``slow`` one of the whole suite or, without it, one of the files.
        """
        files = tuple(sorted({TestId(test.split("::")[0]) for test in self._wanted}))
        part = nearest_part(slow.run, self._wanted, self._touched) if slow else ()
        more = tuple(test for test in pick_first(self._touched) if test.split("::")[0] not in files)
        tests, bounds = part or (*files, *more), self._watch
        if slow is None:
            bounds = replace(self._watch.part(NEAR_SHARE), least=max(LEAST_NEAR_SECONDS, self._needed))
        for _ in range(MOST_PARTS):
            try:
                return self._run(tests, bounds)
            except UsageError:  # a test that was known is there no more
                if part or not more:
                    raise
                tests = files
            except TooSlowError as late:
                tests, bounds = (
                    nearest_part(late.run, self._wanted, self._touched) or tuple(sorted(self._wanted)),
                    self._watch,
                )
        return run_watched(self._sandbox, tests, self._limits, bounds, self._hanging, trace=True)

    @cached_property
    def _touched(self) -> tuple[TestId, ...]:
        return tuple(self._find_touched(self._alone))

    def _run_apart(self, apart: Sequence[TestId], suite: TestRun) -> SuiteObservation:
        """The tests that the suite does not collect, with their files as far as these end in time."""
        with contextlib.suppress(TooSlowError):
            return self._run(with_their_files(apart, suite), self._watch)
        return self._run(apart, self._watch)

    def _run(self, tests: Sequence[TestId], watch: SuiteWatch) -> SuiteObservation:
        return run_watched(self._sandbox, tests, self._limits, watch, self._hanging, self._wanted, trace=True)


def with_their_files(apart: Sequence[TestId], suite: TestRun) -> tuple[TestId, ...]:
    """Tests that the suite does not collect, each with all of its file where the suite has no test of that.

    Who names a test of a file that pytest does not look for, such as ``tests.py``, means that file as the suite. One
    that the suite could not collect is none of these.
    """
    known = {result.test.partition("::")[0] for result in suite.results}
    known |= {error.node for error in suite.collection_errors}
    files = {test: TestId(test.partition("::")[0]) for test in apart}
    return tuple(dict.fromkeys(test if file in known else file for test, file in files.items()))


def _join_runs(seen: SuiteObservation, more: SuiteObservation) -> SuiteObservation:
    """Two runs of different tests as one."""
    one, other = seen.run, more.run
    run = replace(
        one,
        results=(*one.results, *other.results),
        line_map=(*one.line_map, *other.line_map),
        seconds=one.seconds + other.seconds,
    )
    return SuiteObservation(run, (*seen.unseen, *more.unseen), suspected=(*seen.suspected, *more.suspected))
