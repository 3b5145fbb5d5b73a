"""The servers of one group of failing tests: a router for its trials, a screen for what passes them.

A search and the search for rivals that follows it ask the same questions of the same program. So they share one pool:
the second one finds it warm. Servers are started when they are first needed; close the pool in the end.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis.courses import CallPair, FollowQuery, pair_up
from analysis.facts import Digest, Files, FunctionId, InvalidRun, Limits, TestId
from analysis.functions import FunctionSpan, span_of
from analysis.synthesis import Forced, Query, Settled, WantedValue
from analysis.trials import Trial, TrialState
from repair.records.plan import Localized
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from repair.trials.screening import LEAST_SECONDS, Screen, hasten_limits, trial_limits
from repair.trials.trial_router import Selection, TrialRouter, TrialTier

MOST_ASKED = 8
"""Failing tests that are asked of an edit after which the first ones pass."""


class Pool:
    """Where the trials of one baseline run: those of the failing tests, and those of the passing ones."""

    stuck_seconds = 0.0
    """Processor time after which a test of a trial is set aside; 0 where the servers know it."""

    def __init__(self, sandbox: Sandbox, baseline: Baseline, sources: Files, limits: Limits, jobs: int) -> None:
        self._trials, self._selection = sandbox.for_purpose("trials"), selection(baseline, sources, limits, jobs)
        self.router = TrialRouter(self._trials, self._selection)
        self._backwards: TrialRouter | None = None
        self.screen = Screen(sandbox.for_purpose("screen"), baseline, sources, limits)
        self._known = AskedBefore()

    def begin(self, localized: Localized) -> None:
        """Start the servers of the first trials at once, side by side; nobody waits for them here."""
        functions = [suspect.function for suspect in localized.suspects]
        spans = [span_of(localized.index.get(function.path, ()), function) for function in functions]
        self.router.begin()
        self.screen.begin([span for span in spans if span is not None])

    def values(self, span: FunctionSpan) -> PoolValues:
        """What values at places of that function would do."""
        return PoolValues(self.router, lambda: self.screen.router(span), known=self._known)

    @property
    def backwards(self) -> TrialRouter:
        """The same failing tests, the last one first: of a trial that fails it tells which of the last ones pass."""
        if self._backwards is None:
            tests = self._selection.tests[::-1]
            self._backwards = TrialRouter(self._trials, replace(self._selection, tests=tests))
        return self._backwards

    def share_mended(self, trials: Iterable[Trial], over: Callable[[], bool]) -> Mapping[Digest, float]:
        """The share of some failing tests that pass with each trial, by its digest; they lie evenly among all.

        Each test is asked by itself. Nothing is said of trials that no live program can answer for, nor of those for
        which no time was left when it was ``over``.
        """
        tests, session = _spread(self._selection.tests, MOST_ASKED), self.router.session(TrialTier.WARM)
        if isinstance(session, InvalidRun):
            return {}
        whole: dict[Digest, Digest] = {}
        left: Counter[Digest] = Counter()
        mended: Counter[Digest] = Counter()

        def singles() -> Iterator[Trial]:
            for trial in trials:
                if over():
                    return
                if self.router.tier_of(trial.function) is TrialTier.WARM:
                    left[trial.digest] = len(tests)
                    for single in map(trial.of_test, tests):
                        whole[single.digest] = trial.digest
                        yield single

        for outcome in session.trials(singles()):
            left[whole[outcome.digest]] -= 1
            mended[whole[outcome.digest]] += outcome.state is TrialState.PASSED
        return {digest: mended[digest] / len(tests) for digest, missing in left.items() if not missing}

    def close(self) -> None:
        """End every server."""
        if self._backwards is not None:
            self._backwards.close()
        self.screen.close()
        self.router.close()


class LentPool(Pool):
    """A pool that is one server of somebody else's, of the failing tests and of the passing ones behind them.

    It stands over another text of the function. That is swapped out in each fork, so a trial is of the same program as
    elsewhere. Who lends the server closes it.
    """

    def __init__(
        self, lent: TrialRouter, sandbox: Sandbox, baseline: Baseline, sources: Files, limits: Limits, tests: Tests
    ) -> None:
        """``tests`` are those of the server."""
        alone = replace(baseline, passing=())  # whoever passes there has passed them all
        super().__init__(sandbox, alone, sources, limits, 1)
        self.router, self._wanted = lent, baseline.failing
        self.stuck_seconds = hasten_limits(limits, baseline, tests).stuck_seconds

    def values(self, span: FunctionSpan) -> PoolValues:
        """What values at places of that function would do."""
        return PoolValues(self.router, lambda: self.router, self._wanted)

    def close(self) -> None:
        """Nothing here is the pool's own."""


Tests = Sequence[TestId]


@dataclass(frozen=True, slots=True)
class AskedBefore:
    """Answers to questions that were asked before: a search and a model ask the same ones."""

    forced: dict[Query, Callable[[], Forced]] = field(default_factory=dict)
    pairs: dict[tuple[FunctionId, TestId], CallPair | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PoolValues:
    """Conforms to ``Values``: forced in the failing tests, settled in the passing tests that run the function.

    Where one server has both, ``wanted`` are the failing ones.
    """

    failing: TrialRouter
    find_passing: Callable[[], TrialRouter | None]
    wanted: tuple[TestId, ...] = ()
    known: AskedBefore = field(default_factory=AskedBefore)

    def force(self, ask: Query) -> Callable[[], Forced]:
        """What has to stand at the function's places so that the failing tests pass."""
        if ask not in self.known.forced:
            asking = self.failing.questions_about(ask.function).force(replace(ask, only=self.wanted))
            self.known.forced[ask] = functools.cache(asking)
        return self.known.forced[ask]

    def settle(self, ask: Query, wanted: Sequence[WantedValue]) -> Callable[[], Settled]:
        """Expressions that give that, and in passing tests what the program gives now."""
        session = self.find_passing()
        if session is None:
            return self.failing.questions_about(ask.function).settle(ask, wanted, record=False)
        return session.questions_about(ask.function).settle(ask, wanted, record=True)

    def follow(self, function: FunctionId, test: TestId) -> CallPair | None:
        """The function's call at which the failing test fails, and the nearest call of passing tests, step by step."""
        if (function, test) not in self.known.pairs:
            self.known.pairs[function, test] = self._follow(function, test)
        return self.known.pairs[function, test]

    def _follow(self, function: FunctionId, test: TestId) -> CallPair | None:
        failing = self.failing.questions_about(function).follow(FollowQuery(function, (test,)))
        like = tuple(course for _, course in failing.courses)
        session = self.find_passing() if like else None
        if session is None:
            return None
        tests = tuple({*self.wanted, test})
        return pair_up(failing, session.questions_about(function).follow(FollowQuery(function, tests, like)))


def _spread(tests: Tests, most: int) -> Tests:
    """So many of the tests at most, evenly among them."""
    return tests[:: -(-len(tests) // most)] if tests else tests


def selection(baseline: Baseline, sources: Files, limits: Limits, jobs: int) -> Selection:
    """The failing tests on the unpatched program, with the time that a trial of theirs gets."""
    failing = baseline.failing
    # Where a test hangs, most of its trials will hang too, and use up their time.
    bounds = trial_limits(baseline, limits, failing, LEAST_SECONDS / 2 if baseline.hangs else LEAST_SECONDS)
    cold = replace(limits, test_seconds=trial_limits(baseline, limits, failing).test_seconds)
    return Selection(failing, sources, hasten_limits(bounds, baseline, failing), cold, passes=False, jobs=jobs)
