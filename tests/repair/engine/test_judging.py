"""What gates keep for one another ends with the judgement, however that ends."""

from types import SimpleNamespace

import pytest
from fakes.submission import submission_of

from repair.engine.judging import Judging
from repair.records.verdict import CORE_GATES, Decision, Evidence


class Answering:
    """A gate that rejects, or breaks."""

    def __init__(self, breaks, name="fixes"):
        self.breaks, self.name = breaks, name

    def judge(self, submission):
        if self.breaks:
            raise RuntimeError("broken")
        return Evidence(self.name, Decision.REJECT, "no")


def judging(released, *, breaks, name="fixes", stop=bool):
    parts = SimpleNamespace(clock=lambda: 0.0, listen=lambda event: None, jobs=2)
    return Judging(parts, (Answering(breaks, name),), (), CORE_GATES, lambda: released.append(True), stop)


def test_what_was_kept_is_released_after_each_candidate():
    released = []
    judging(released, breaks=False).judged(submission_of())
    assert released == [True]


def test_it_is_released_where_a_gate_breaks_too():
    released = []
    with pytest.raises(RuntimeError):
        judging(released, breaks=True).judged(submission_of())
    assert released == [True]


def test_what_runs_beside_ends_where_a_gate_breaks():
    stopped = []
    with pytest.raises(RuntimeError):
        judging([], breaks=True, name="regressions", stop=lambda: stopped.append(True)).judged(submission_of())
    assert stopped == [True]
