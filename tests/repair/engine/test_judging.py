"""What gates keep for one another ends with the judgement, however that ends."""

import pytest
from fakes.submission import submission_of

from repair.engine.judging import Judging
from repair.records.verdict import Decision, Evidence


class Answering:
    """A gate that rejects, or breaks."""

    def __init__(self, breaks, name="fixes"):
        self.breaks, self.name = breaks, name

    def judge(self, submission):
        if self.breaks:
            raise RuntimeError("broken")
        return Evidence(self.name, Decision.REJECT, "no")


def judging(released, *, breaks, name="fixes", stop=bool):
    gates = (Answering(breaks, name),)
    ends = {"release": lambda: released.append(True), "stop": stop}
    return Judging(gates, (), lambda: 0.0, lambda event: None, jobs=2, **ends)


def test_what_was_kept_is_released_after_each_candidate():
    released = []
    judging(released, breaks=False).judge(submission_of())
    assert released == [True]


def test_it_is_released_where_a_gate_breaks_too():
    released = []
    with pytest.raises(RuntimeError):
        judging(released, breaks=True).judge(submission_of())
    assert released == [True]


def test_what_runs_beside_ends_where_a_gate_breaks():
    stopped = []
    with pytest.raises(RuntimeError):
        judging([], breaks=True, name="regressions", stop=lambda: stopped.append(True)).judge(submission_of())
    assert stopped == [True]
