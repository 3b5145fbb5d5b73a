"""Patches of several causes that were, or were not, tried together."""

from __future__ import annotations

import pytest
from fakes.submission import PATH, submission_of

from analysis.errors import OutOfTimeError
from analysis.facts import Limits
from repair.engine.combining import Stacking
from repair.records.change import Change
from repair.records.outcome import Cause, Judged, RunOutcome, Stack
from repair.records.result import Status, pick_stack
from repair.records.verdict import Verdict


class Late:
    """A sandbox whose time is over."""

    def for_purpose(self, purpose):
        return self

    def run(self, *_, **__):
        raise OutOfTimeError("The time for the whole run is up", remedy="Give more time.")


def plausible(number):
    submission = submission_of()
    judged = Judged(submission, Verdict(()))
    return Cause(number, (), RunOutcome(Status.PLAUSIBLE, judged=(judged,)))


def test_what_the_time_cut_off_is_not_said_not_to_go_together(monkeypatch):
    first = plausible(1)
    submission = first.ending.judged[0].submission
    monkeypatch.setattr("repair.engine.combining.lay_again", lambda candidate, files: candidate)
    bare = ((PATH, submission.candidate.before),)
    stacking = Stacking(bare, Late(), submission.baseline, Limits(), lambda: False)
    stacks, said = stacking.stack_all([first, plausible(2)])
    assert [each.causes for each in stacks] == [(1,), (2,)]
    assert said == ("the patches of causes 1, 2 were not tried with the others: apply them with --cause",)


@pytest.mark.parametrize(
    ("stacks", "picked"),
    [
        ([], None),
        ([((1,), Status.PLAUSIBLE), ((2,), Status.PLAUSIBLE)], (1,)),
        ([((1,), Status.PLAUSIBLE), ((2,), Status.CERTIFIED)], (2,)),
        ([((1,), Status.CERTIFIED), ((2, 3), Status.PLAUSIBLE)], (2, 3)),
    ],
)
def test_the_most_patches_then_the_better_word_then_the_likeliest_cause(stacks, picked):
    found = pick_stack([Stack(causes, status, Change((), ())) for causes, status in stacks])
    assert (found.causes if found is not None else None) == picked
