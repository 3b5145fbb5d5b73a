"""A pool: the servers of one group of failing tests, shared by the searches over it."""

from dataclasses import replace

from fakes.diagnosed import FAILING, SOURCES, observed
from fakes.sandbox import FakeSandbox, FakeSession

from analysis.facts import Limits, Outcome
from repair.pool import Pool, selection


def test_a_pool_starts_each_server_once_and_ends_them_all():
    opened = []

    def session(tests, files):
        opened.append(FakeSession(lambda trial: True))
        return opened[-1]

    pool = Pool(FakeSandbox(lambda *asked: None, SOURCES, session), observed(), SOURCES, Limits(), jobs=2)
    assert not opened
    for _ in range(2):
        pool.ladder.session("warm")
    assert len(opened) == 1
    pool.close()
    assert opened[0].closed


def test_trials_of_a_test_that_hangs_get_less_time_than_others():
    seen = observed()
    hanging = replace(
        seen, outcomes=tuple(replace(r, outcome=Outcome.HANG) if r.test == FAILING else r for r in seen.outcomes)
    )
    usual, less = (selection(each, SOURCES, Limits(), 1) for each in (seen, hanging))
    assert usual.tests == (FAILING,)
    assert not usual.passes
    assert less.limits.test_seconds < usual.limits.test_seconds
    assert less.cold_limits.test_seconds == less.limits.test_seconds * 2
