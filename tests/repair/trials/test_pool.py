"""A pool: the servers of one group of failing tests, shared by the searches over it."""

from dataclasses import replace

import pytest
from fakes.diagnosed import FAILING, SOURCES, observed
from fakes.sandbox import FakeSandbox, FakeSession

from analysis.facts import Digest, FunctionId, Limits, Outcome, Phase, TestId, TestResult
from analysis.trials import Trial
from repair.trials.pool import MOST_ASKED, Pool, selection
from repair.trials.screening import LEAST_STUCK_SECONDS

FILE = FAILING.partition("::")[0]


def test_a_pool_starts_each_server_once_and_ends_them_all():
    opened = []

    def session(tests, files):
        opened.append(FakeSession(lambda trial: True))
        return opened[-1]

    pool = Pool(FakeSandbox(lambda *asked: None, SOURCES, session), observed(), SOURCES, Limits(), jobs=2)
    assert not opened
    for _ in range(2):
        pool.router.session("warm")
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


def test_a_trial_is_stopped_soon_by_what_its_tests_took_or_where_they_hang_by_what_others_of_the_file_did():
    def bound(failing, beside, elsewhere, cpu=0.0):
        seen = observed()
        outcome = Outcome.FAILED if failing else Outcome.HANG
        told = [TestResult(FAILING, outcome, Phase.CALL, failing or 30.0, cpu_seconds=cpu)]
        told += [TestResult(TestId(f"{FILE}::b{n}"), Outcome.PASSED, Phase.CALL, s) for n, s in enumerate(beside)]
        told += [TestResult(TestId(f"u.py::c{n}"), Outcome.PASSED, Phase.CALL, s) for n, s in enumerate(elsewhere)]
        passing = tuple(r.test for r in told[1:])
        made = replace(seen, passing=passing, outcomes=tuple(told))
        return selection(made, SOURCES, Limits(), 1).limits.stuck_seconds

    assert bound(0.1, [], []) == pytest.approx(2.0)
    assert bound(0.001, [], []) == LEAST_STUCK_SECONDS
    assert bound(3.0, [], [], cpu=0.02) == pytest.approx(0.4)
    assert bound(None, [0.01, 0.02, 9.0], [5.0]) == pytest.approx(0.4)
    assert bound(None, [], [5.0]) == LEAST_STUCK_SECONDS


@pytest.mark.parametrize("count", [1, MOST_ASKED, MOST_ASKED + 1, 104])
def test_few_of_the_failing_tests_that_lie_evenly_say_which_share_an_edit_mends(count):
    failing = tuple(TestId(f"{FILE}::test_{n}") for n in range(count))
    mended = {*failing[: count // 2 + 1]}
    session = FakeSession(lambda trial: trial.only[0] in mended)
    baseline = replace(observed(), failing=failing)
    pool = Pool(FakeSandbox(lambda *asked: None, SOURCES, session), baseline, SOURCES, Limits(), jobs=2)
    half, late = (Trial(Digest(name), FunctionId("shop.py", "price", 1), b"", "") for name in ("half", "late"))
    over = iter([False, True])
    shares = pool.share_mended([half, late], lambda: next(over))
    assert {*shares} == {"half"}, "there was no time for the other"
    assert shares["half"] == pytest.approx((count // 2 + 1) / count, abs=0.13)
    assert len(session.seen) <= MOST_ASKED
    pool.close()


def test_nothing_is_said_of_shares_where_no_live_program_can_tell():
    pool = Pool(FakeSandbox(lambda *asked: None, SOURCES), observed(), SOURCES, Limits(), jobs=2)
    trial = Trial(Digest("any"), FunctionId("shop.py", "price", 1), b"", "")
    assert pool.share_mended([trial], lambda: False) == {}
    pool.close()
