"""Outcomes find the trials that they belong to."""

from analysis.facts import Digest, FunctionId
from analysis.trials import Trial
from repair.trials.trial_router import UnderWay


def trial(name: str, line: int = 1) -> Trial:
    return Trial(Digest(name), FunctionId("m.py", "f", line), b"", "")


def test_two_trials_that_share_a_digest_end_one_after_the_other():
    under_way = UnderWay()
    first, other, twin = trial("a"), trial("b"), trial("a", 9)
    assert list(under_way.begin_all([first, other, twin])) == [first, other, twin]
    assert under_way.end(first.digest) is first
    assert under_way.unfinished == (twin, other)
    assert under_way.end(first.digest) is twin
    assert under_way.end(other.digest) is other
    assert under_way.unfinished == ()
