"""Failing tests that a candidate mends besides those that it was searched for.

A search looks for what mends one group of failing tests. Where a candidate mends others too, they
speak for it and are asked of it like those of its group. A candidate that leaves them failing is no rival of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis.facts import Digest, Limits, Outcome, TestId, TestRun
from repair.engine.diagnosing import Diagnosed
from repair.engine.ranking import RankedCandidate
from repair.records.ports import Sandbox
from transforms.tree.candidate import Candidate

MOST_TESTS = 20
"""So many other failing tests are run; what becomes of the rest is counted when the whole suite is."""

MOST_CANDIDATES = 6
"""Candidates with which the other failing tests are run."""


@dataclass(frozen=True, slots=True)
class ExtraFixes:
    """Which of the other failing tests each candidate mends; of a candidate that was not run nothing is known."""

    mended: Mapping[Digest, frozenset[TestId]] = field(default_factory=dict)

    def add_to(self, seen: Diagnosed, candidate: Candidate) -> Diagnosed:
        """The diagnosis with what the candidate mends beyond its group among the tests that it has to mend."""
        more = tuple(test for test in seen.others if test in self.mended.get(candidate.digest, ()))
        baseline = replace(seen.baseline, failing=(*seen.baseline.failing, *more))
        return replace(seen, baseline=baseline, others=tuple(test for test in seen.others if test not in more))

    def leaves(self, other: Candidate, mine: Candidate) -> bool:
        """Whether the other candidate is known to leave failing what mine mends, and mends nothing that mine leaves."""
        theirs, own = self.mended.get(other.digest), self.mended.get(mine.digest)
        return theirs is not None and own is not None and theirs < own

    def reorder(self, ranked: Sequence[RankedCandidate]) -> tuple[RankedCandidate, ...]:
        """The candidates; where some mend more than others, those first, as far as nothing graver is known of them."""
        more = {digest: len(tests) for digest, tests in self.mended.items() if tests}
        if not more:
            return tuple(ranked)
        return tuple(sorted(ranked, key=lambda c: (c.gravity, -more.get(c.candidate.digest, 0))))


def find_extra_fixes(
    sandbox: Sandbox,
    others: Sequence[TestId],
    ranked: Sequence[RankedCandidate],
    limits: Limits,
    over: Callable[[], bool],
) -> ExtraFixes:
    """What the first candidates mend of the other failing tests, each in a cold run, until the time is over."""
    mended: dict[Digest, frozenset[TestId]] = {}
    tests = tuple(others[:MOST_TESTS])
    for each in [each for each in ranked if not each.is_refused][:MOST_CANDIDATES]:
        if not tests or over():
            break
        run = sandbox.run(tests, each.candidate.files, limits=limits)
        if isinstance(run, TestRun):
            passed = frozenset(test for test in tests if run.outcome(test) is Outcome.PASSED)
            mended[each.candidate.digest] = passed
    return ExtraFixes(mended)
