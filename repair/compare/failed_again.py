"""Whether failing tests fail again in forks of the patched program, once the function's old text is put back.

A failure that was seen in one cold run has to come back. A fork shows more than another cold run: it is the change of
this function that the test needs. It shows less of how the test fails, since forks know no explained assertions.
"""

from __future__ import annotations

import re
from dataclasses import replace

from analysis.facts import Failure, Limits, Outcome, TestId
from analysis.failure import failure_of
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.compare.comparing import open_versions
from repair.records.ports import Submission
from repair.trials.screening import stop_hangs
from repair.trials.trial_router import TrialRouter, TrialTier

FORKS = 3
"""Forks in which each failing test has to fail as it did, each with random numbers of its own."""

_DETAIL = re.compile(r"(?P<word>\w+) in (?P<phase>\w+): (?P<type>\w+):")
_NO_FAILURE = ("skipped", "xfailed", "xpassed")


def fail_again(session: TrialRouter, submission: Submission) -> bool:
    """Whether each failing test fails in the same way in each fork; ``False`` also where forks cannot tell.

    Example: ``assert total([2]) == 2`` raised an ``AssertionError`` in its call, and does so each time. One that hangs
    uses much more processor time than others each time: how long it does not end was seen before.
    """
    before, baseline = open_versions(submission).before, submission.baseline
    seen = {r.test: r for r in baseline.outcomes if r.test in baseline.failing}
    if not seen or len(seen) < len(baseline.failing) or session.tier_of(before.function) is not TrialTier.WARM:
        return False
    hangs = replace(before, stuck_seconds=stop_hangs(Limits(), baseline, submission.vouching).stuck_seconds)
    return all(
        _hangs_each_time(session, hangs, result.test)
        if result.outcome is Outcome.HANG
        else _fails_each_time(session, before, failure_of(result))
        for result in seen.values()
    )


def _hangs_each_time(session: TrialRouter, before: Trial, test: TestId) -> bool:
    outcomes = tuple(session.trials([replace(before, only=(test,))] * FORKS))
    return [outcome.state for outcome in outcomes] == [TrialState.TIMEOUT] * FORKS


def _fails_each_time(session: TrialRouter, before: Trial, failure: Failure) -> bool:
    outcomes = tuple(session.trials([replace(before, only=(failure.test,))] * FORKS))
    return len(outcomes) == FORKS and all(_is_like(outcome, failure) for outcome in outcomes)


def _is_like(outcome: TrialOutcome, failure: Failure) -> bool:
    """Whether a fork's test failed in the same phase, by an exception of the same type."""
    told = _DETAIL.match(outcome.detail)
    if outcome.state is not TrialState.FAILED or outcome.failed != failure.test or told is None:
        return False
    raised = failure.exceptions[0].type_name.rpartition(".")[2] if failure.exceptions else ""
    return told["word"] not in _NO_FAILURE and (told["phase"], told["type"]) == (failure.phase.value, raised)
