"""The best partial result of a search that found no patch: an edit that mends some of the failing tests.

It is shown, with what it mends and what it leaves, and never judged. Several failing tests of one function may have
several causes. Whoever knows that can mend them one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.facts import Limits, Outcome, TestId, TestRun
from repair.hunt.tried_edit import TriedEdit
from repair.records.ports import Sandbox
from repair.records.task import Baseline
from transforms.patch.apply import complete
from transforms.tree.candidate import Candidate

MOST_TESTS = 5


@dataclass(frozen=True, slots=True)
class Partial:
    """An edit with the failing tests that pass with it, and those that still fail. Nothing that passed breaks."""

    candidate: Candidate
    mended: tuple[TestId, ...]
    left: tuple[TestId, ...]

    @property
    def brief(self) -> str:
        """All of it for a reader, the edit at the end."""
        where = f"{self.candidate.function.qualname} in {self.candidate.function.path}"
        return (
            f"No fix, but a part of one: with this edit of {where}, {len(self.mended)} of "
            f"{len(self.mended) + len(self.left)} failing tests pass ({_list(self.mended)}), no passing test "
            f"breaks, and {_list(self.left)} still fails. No gate has judged it.\n\n{self.candidate.diff}"
        )


def find_best_partial(
    sandbox: Sandbox, baseline: Baseline, limits: Limits, edits: Sequence[TriedEdit], over: Callable[[], bool]
) -> Partial | None:
    """The first of the edits that mends some failing tests and breaks nothing, in a cold run of all tests each."""
    for edit in edits:
        if over():
            return None
        made = complete(edit.stream.scope, edit.trial.text, edit.proposal.origin, edit.proposal.explanation)
        if isinstance(made, Candidate):
            run = sandbox.run((*baseline.failing, *baseline.passing), made.files, limits=limits)
            if isinstance(run, TestRun) and (found := _partial(made, baseline, run)) is not None:
                return found
    return None


def _partial(candidate: Candidate, baseline: Baseline, run: TestRun) -> Partial | None:
    mended = tuple(test for test in baseline.failing if run.outcome(test) is Outcome.PASSED)
    kept = all(run.outcome(test) is Outcome.PASSED for test in baseline.passing)
    if not mended or not kept:
        return None
    return Partial(candidate, mended, tuple(test for test in baseline.failing if test not in mended))


def _list(tests: Sequence[TestId]) -> str:
    more = f" and {len(tests) - MOST_TESTS} more" if len(tests) > MOST_TESTS else ""
    return f"{', '.join(tests[:MOST_TESTS])}{more}"
