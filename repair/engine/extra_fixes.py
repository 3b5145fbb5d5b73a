"""What candidates mend besides the tests that they were searched for.

A search looks for what mends one group of failing tests. Where a candidate mends others too, they speak for it and are
asked of it like those of its group. A candidate that leaves them failing is no rival of it.

One server asks all candidates: each test in a fork of its own, with the candidate's text swapped in. A test that passes
there has to pass cold as well before anything is accepted. Whoever cannot be asked so is asked in a cold run.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis.facts import Digest, Files, InvalidRun, Limits, Outcome, TestId, TestRun
from analysis.trials import TrialState
from repair.engine.diagnosing import Diagnosed
from repair.engine.ranking import RankedCandidate
from repair.observe.mended import Laid
from repair.observe.uncollected import file_of, find_hidden, was_hidden
from repair.records.functions import as_trial, edit_scope
from repair.records.ports import Sandbox
from repair.trials.pool import selection
from repair.trials.trial_router import TrialRouter, TrialTier
from transforms.tree.candidate import Candidate

MOST_TESTS = 20
"""So many other failing tests are run; what becomes of the rest is counted when the whole suite is."""

MOST_CANDIDATES = 6
"""Candidates with which the other failing tests are run."""


@dataclass(frozen=True, slots=True)
class ExtraFixes:
    """Which of the other failing tests each candidate mends; of a candidate that was not run nothing is known.

    Among them are tests that were hidden: their file could not be collected.
    """

    mended: Mapping[Digest, frozenset[TestId]] = field(default_factory=dict)

    def add_to(self, seen: Diagnosed, candidate: Candidate) -> Diagnosed:
        """The diagnosis with what the candidate mends beyond its group among the tests that it has to mend."""
        mended = self.mended.get(candidate.digest, frozenset())
        more = tuple(test for test in seen.others if test in mended)
        hidden = tuple(sorted(mended.difference(seen.others)))
        baseline = replace(
            seen.baseline,
            failing=(*seen.baseline.failing, *more, *hidden),
            outcomes=(*seen.baseline.outcomes, *map(was_hidden, hidden)),
        )
        return replace(seen, baseline=baseline, others=tuple(test for test in seen.others if test not in more))

    def leaves(self, other: Candidate, mine: Candidate) -> bool:
        """Whether the other candidate is known to leave failing what mine mends, and mends nothing that mine leaves.

        Example: it mends ``test_a``, and mine mends ``test_a`` and ``test_b``.
        """
        theirs, own = self.mended.get(other.digest), self.mended.get(mine.digest)
        return theirs is not None and own is not None and theirs < own

    def reorder(self, ranked: Sequence[RankedCandidate]) -> tuple[RankedCandidate, ...]:
        """The candidates; where some mend more than others, those first, as far as nothing graver is known of them."""
        more = {digest: len(tests) for digest, tests in self.mended.items() if tests}
        if not more:
            return tuple(ranked)
        return tuple(sorted(ranked, key=lambda c: (c.gravity, -more.get(c.candidate.digest, 0))))


@dataclass(frozen=True, slots=True)
class AskingOthers:
    """Asks candidates which of the other failing tests pass with them, until it is ``over``.

    A candidate is asked about those tests alone that can reach it. Files that could not be collected are run in any
    case: nobody knows their tests.
    """

    sandbox: Sandbox
    seen: Diagnosed
    sources: Files
    limits: Limits
    over: Callable[[], bool]

    def find(self, ranked: Sequence[RankedCandidate]) -> ExtraFixes:
        """What the first candidates mend of the other failing tests."""
        first = [each.candidate for each in ranked if not each.is_refused][:MOST_CANDIDATES]
        uncollected = tuple(test for test in self.seen.baseline.failing if file_of(test) == test)
        others = self.seen.others[:MOST_TESTS]
        if self.over() or not (others or uncollected):
            return ExtraFixes()
        asked = [(each, self._may_mend(each, others)) for each in first]
        mended: dict[Digest, frozenset[TestId]] = {}
        if not uncollected:
            mended |= {each.digest: frozenset[TestId]() for each, tests in asked if not tests}
            mended |= self._ask_together([(each, tests) for each, tests in asked if tests])
        for candidate, tests in asked:
            if candidate.digest in mended:
                continue
            if self.over():
                break
            run = self.sandbox.run((*uncollected, *tests), candidate.files, limits=self.limits)
            if isinstance(run, TestRun):
                hidden = tuple(r.test for r in find_hidden(run, uncollected, others))
                passed = (test for test in (*others, *hidden) if run.outcome(test) is Outcome.PASSED)
                mended[candidate.digest] = frozenset(passed)
        return ExtraFixes(mended)

    def _may_mend(self, candidate: Candidate, tests: Sequence[TestId]) -> Sequence[TestId]:
        """Those of the tests that run the candidate's function; all of them where it runs out of the tests' sight."""
        laid, baseline = Laid(self.sources, candidate, ()), self.seen.baseline
        return laid.is_run_by(tests, baseline) if laid.is_run_by(baseline.failing, baseline) else tests

    def _ask_together(self, asked: Sequence[tuple[Candidate, Sequence[TestId]]]) -> Mapping[Digest, frozenset[TestId]]:
        """What one server says of all of them, where there are several; nothing of those that it cannot tell."""
        if len(asked) < 2:
            return {}
        tests = tuple(dict.fromkeys(itertools.chain.from_iterable(tests for _, tests in asked)))
        of_tests = replace(self.seen.baseline, failing=tests)
        router = TrialRouter(self.sandbox, selection(of_tests, self.sources, self.limits, 1))
        with contextlib.closing(router):
            found = {each.digest: self._ask(router, each, tests) for each, tests in asked}
        return {key: passed for key, passed in found.items() if passed is not None}

    def _ask(self, router: TrialRouter, candidate: Candidate, tests: Sequence[TestId]) -> frozenset[TestId] | None:
        """The tests that pass with the candidate's text in the live program; ``None`` where that cannot tell."""
        session = router.session(TrialTier.WARM)
        function = candidate.function
        if candidate.imports or isinstance(session, InvalidRun) or router.tier_of(function) is not TrialTier.WARM:
            return None
        whole = as_trial(edit_scope(self.sources, function), candidate.text, "other failing tests")
        trials = {trial.digest: trial for trial in (whole.of_test(test) for test in tests)}
        outcomes = list(session.trials(itertools.takewhile(lambda _: not self.over(), trials.values())))
        states = {outcome.digest: outcome.state for outcome in outcomes}
        if len(states) < len(trials) or TrialState.INVALID in states.values():
            return None
        return frozenset(t for key, trial in trials.items() for t in trial.only if states[key] is TrialState.PASSED)
