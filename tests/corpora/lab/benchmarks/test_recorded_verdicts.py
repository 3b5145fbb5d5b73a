"""The same verdict with and without what is kept: which patches are judged, and what counts as the same."""

from itertools import islice

from corpora.lab.benchmarks.recorded_verdicts import OWN, Compared, list_changes, summarize

ACCEPTED = ("plausible", (("fixes", "accept"), ("behaviour", "unknown")))
REJECTED = ("rejected", (("fixes", "reject"),))


def test_each_fix_of_our_own_bugs_comes_first_and_then_its_mutants():
    changes = list(islice(list_changes(OWN), 100))
    fixes = [each for each in changes if not each.mutant]
    assert changes[: len(fixes)] == fixes
    assert 10 < len(fixes) < len(changes)
    assert len({each.diff for each in changes}) == len(changes)


def test_a_verdict_is_the_same_where_status_and_decisions_are():
    same = Compared("one", "", {"not kept": ACCEPTED, "cold": ACCEPTED})
    other = Compared("two", "", {"not kept": ACCEPTED, "cold": REJECTED})
    found = summarize([same, other])
    assert (same.is_same, other.is_same) == (True, False)
    assert dict(found.numbers) == {"patches": 2.0, "same": 1.0}
    assert found.rows[0].values == (("patches", 0.5),)
