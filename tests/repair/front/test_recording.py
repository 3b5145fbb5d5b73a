"""Which verdicts may be given again: those of which nothing shows that another run would say something else."""

from dataclasses import replace

import pytest
from fakes.submission import baseline_of, submission_of

from repair.front.recording import LEAST_LEFT, may_be_given_again
from repair.records.change import Change
from repair.records.outcome import Cause, Judged, RunOutcome
from repair.records.ports import OUT_OF_TIME
from repair.records.result import Status
from repair.records.verdict import TIME_WAS_UP, Decision, Doubt, Evidence, Verdict

SURE = (Evidence("fixes", Decision.ACCEPT, "it passes"), Evidence("behaviour", Decision.UNKNOWN, "an input differs"))


NONE = Change((), ())


def ending(*more, status=Status.PLAUSIBLE, change=NONE, baseline=None, unsought=None):
    judged = Judged(replace(submission_of(baseline=baseline), unsought=unsought), Verdict((*SURE, *more)))
    return RunOutcome(status, judged=(judged,), change=change)


@pytest.mark.parametrize("status", [Status.CERTIFIED, Status.PLAUSIBLE, Status.REJECTED])
def test_a_verdict_that_was_reached_in_peace_may_be_given_again(status):
    assert may_be_given_again(ending(status=status), (), LEAST_LEFT)


UNSURE = {
    "the time was up": ending(Evidence("mutation", Decision.UNKNOWN, TIME_WAS_UP)),
    "tests that are not steady": ending(Evidence("regressions", Decision.UNKNOWN, "in some runs")),
    "order": ending(Evidence("stability", Decision.UNKNOWN, "fails in another order")),
    "an unsteady failure": ending(Evidence("controls", Decision.UNKNOWN, "fails in a different way each time")),
    "two answers": ending(Evidence("behaviour", Decision.UNKNOWN, "x", doubts=(Doubt("unsteady_answer", "x"),))),
    "flaky": ending(baseline=baseline_of(flaky=("test_shop.py::test_b",))),
    "unsteady": ending(baseline=baseline_of(unsteady=("test_shop.py::test_price",))),
    "a part of the suite": ending(baseline=baseline_of(partial=True)),
    "lost runs": ending(baseline=baseline_of(lost=("a run gave no result",))),
    "rivals not looked for": ending(unsought=OUT_OF_TIME),
    "a warning": replace(ending(), warnings=("something",)),
    "no verdict": replace(ending(), judged=()),
    "the word of no judge": ending(status=Status.UNREPAIRED),
    "a rejected fix": ending(status=Status.REJECTED, change=None),
    "a cause that is open": replace(ending(change=None), causes=(Cause(1, (), RunOutcome(Status.UNREPAIRED)),)),
}


@pytest.mark.parametrize("name", UNSURE)
def test_whatever_was_in_doubt_is_judged_anew(name):
    assert not may_be_given_again(UNSURE[name], (), 1.0)


def test_a_warning_on_the_way_or_little_time_left_is_judged_anew():
    assert not may_be_given_again(ending(), ("the disk is full",), 1.0)
    assert not may_be_given_again(ending(), (), LEAST_LEFT - 0.01)
    assert may_be_given_again(replace(ending(change=None), causes=(Cause(1, (), ending(change=None)),)), (), 1.0)
