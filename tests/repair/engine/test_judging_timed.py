"""A gate that the deadline ended has not accepted, and what was not shown to pass is not called plausible."""

from dataclasses import dataclass
from typing import cast

import pytest

from analysis.errors import OutOfTimeError
from repair.engine.judging import Timed
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence, PatchStatus, Verdict
from sandbox.deadline import Deadline

SUBMISSION = cast("Submission", object())
NOW = 100.0


@dataclass(frozen=True)
class Slow:
    """A gate that needs so many seconds of a deadline."""

    name: str
    deadline: Deadline
    needs: float

    def judge(self, submission: Submission) -> Evidence:
        if self.deadline.left < self.needs:
            raise OutOfTimeError("time is up")
        return Evidence(self.name, Decision.ACCEPT, "fine")


def decided(name: str, needs: float, left: float) -> Evidence:
    deadline = Deadline(lambda: NOW)
    deadline.end_at(NOW + left)
    timed = Timed(Slow(name, deadline, needs), deadline)
    assert timed.name == name
    found = timed.judge(SUBMISSION)
    assert deadline.left == left
    return found


@pytest.mark.parametrize(
    ("name", "needs", "left", "decision"),
    [
        ("mutation", 5.0, 6.0, Decision.ACCEPT),
        ("mutation", 5.0, 4.0, Decision.UNKNOWN),
        ("mutation", 0.0, -1.0, Decision.UNKNOWN),
        ("fixes", 5.0, 6.0, Decision.ACCEPT),
        ("shape", -9.0, -1.0, Decision.ACCEPT),
    ],
    ids=["in time", "cut short", "not begun", "needed, in time", "reads the text alone"],
)
def test_a_gate_says_what_it_can_say_in_time(name, needs, left, decision):
    assert decided(name, needs, left).decision is decision


@pytest.mark.parametrize("name", ["test_quality", "fixes", "regressions"])
def test_of_a_patch_that_was_not_shown_to_pass_nothing_is_said(name):
    with pytest.raises(OutOfTimeError):
        decided(name, 0.0, -1.0)
    with pytest.raises(OutOfTimeError):
        decided(name, 5.0, 4.0)


def test_a_patch_of_which_gates_could_not_tell_is_plausible_at_most():
    given = (decided("fixes", 5.0, 6.0), decided("regressions", 5.0, 6.0), decided("mutation", 5.0, 1.0))
    assert Verdict(given).status is PatchStatus.PLAUSIBLE
