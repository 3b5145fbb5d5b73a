"""Tests that were stopped, and that pass in longer time."""

from dataclasses import replace

import pytest
from fakes.engines import all_gates, engine_of
from fakes.proposers import Rewrites
from fakes.toy import ToySandbox

from analysis.errors import OutOfTimeError
from analysis.facts import InvalidRun, Limits, Outcome, RunFault, TestId, TestRun
from repair.observe.baseline import observe
from repair.observe.slow_tests import LONGER, describe_stopped, find_slow
from repair.records.result import Status
from repair.records.task import RepairTask

SHOP = b"""def price(count):
    return count + 3


def area(width, height):
    return width * height
"""
TESTS = b"""from shop import area, price


def test_price():
    assert price(3) == 9


def test_prices():
    assert price(5) == 15
    assert price(0) == 0


def test_half():
    assert price(1.5) == 4.5


def test_area():
    assert area(3, 5) == 15
"""
LIMITS = Limits(test_seconds=4.0)
AREA = TestId("test_shop.py::test_area")


class Slow(ToySandbox):
    """The test of ``area`` takes ``seconds``, or ``took``, and is stopped before where it may take less than those."""

    def __init__(self, sources, seconds, took=None, *, ends=True):
        super().__init__(sources)
        self.seconds, self.took, self.ends = seconds, seconds if took is None else took, ends

    def run(self, tests, files=(), *, limits=None, **given):
        run = super().run(tests, files, limits=limits, **given)
        if not isinstance(run, TestRun):
            return run
        most = limits.test_seconds if limits else 0.0
        if most >= self.seconds and not self.ends:
            return InvalidRun(RunFault.TIMEOUT, "the run took too long", running=AREA)
        return replace(run, results=tuple(self.timed(result, most) for result in run.results))

    def timed(self, result, most):
        if result.test != AREA:
            return result
        ended = most >= self.seconds
        return replace(result, outcome=result.outcome if ended else Outcome.HANG, seconds=self.took if ended else most)


def slow(seconds, tests=TESTS, **given):
    return Slow((("shop.py", SHOP), ("test_shop.py", tests)), seconds, **given)


def stopped(sandbox, tests=(AREA,)):
    return replace(observe(sandbox, (), LIMITS, 0), failing=tests)


def test_a_test_that_passes_in_longer_time_is_slow():
    sandbox = slow(LONGER * LIMITS.test_seconds)
    told = find_slow(sandbox, stopped(sandbox), LIMITS)
    assert told == f"{AREA} is slow, and no loop without end: it was stopped after 4 s, and passes in 8 s"


def test_one_that_ends_sooner_than_it_was_stopped_does_not_always_hang():
    sandbox = slow(6, took=1.0)
    told = find_slow(sandbox, stopped(sandbox), LIMITS)
    assert told.startswith(f"{AREA} does not always hang: it was stopped after 4 s, and passed when it was run again")


def test_one_that_does_not_end_then_is_taken_to_hang():
    assert find_slow(slow(99), stopped(slow(99)), LIMITS) == ""
    assert find_slow(slow(6, ends=False), stopped(slow(99)), LIMITS) == ""


def test_tests_that_fail_are_not_run_again():
    sandbox = slow(6)
    both = stopped(sandbox, (TestId("test_shop.py::test_price"), AREA))
    before = sandbox.runs
    assert find_slow(sandbox, both, LIMITS) == ""
    assert find_slow(sandbox, replace(both, failing=()), LIMITS) == ""
    assert sandbox.runs == before


def fix(sandbox):
    proposer = Rewrites({"price": [("count + 3", "count * 3")]}, where_it_fits=True)
    engine = engine_of(sandbox, (proposer,), all_gates(sandbox), gates_over=all_gates)
    return replace(engine, limits=LIMITS).fix(RepairTask("/project", ()))


def test_a_slow_test_beside_a_fault_is_no_cause_of_its_own():
    ending = fix(slow(6))
    assert ending.status is Status.CERTIFIED
    mended, left = ending.causes
    assert [each.ending.status for each in (mended, left)] == [Status.CERTIFIED, Status.NOT_REPRODUCED]
    assert left.tests == (AREA,)
    assert "no loop without end" in left.ending.messages[0]
    assert "--max-seconds" in left.ending.next_action


SOUND = (("shop.py", SHOP.replace(b"count + 3", b"count * 3")), ("test_shop.py", TESTS))


@pytest.mark.parametrize(("seconds", "status"), [(6, Status.NOT_REPRODUCED), (99, Status.UNREPAIRED)])
def test_where_a_stopped_test_is_all_that_fails_it_is_looked_at_longer_after_the_search(seconds, status):
    ending = fix(Slow(SOUND, seconds))
    assert ending.status is status
    assert ("no loop without end" in ending.messages[0]) is (status is Status.NOT_REPRODUCED)


def test_where_the_time_is_over_nothing_is_said():
    class Late(Slow):
        def run(self, *_, **__):
            raise OutOfTimeError("the time was over")

    assert find_slow(Late(SOUND, 6), stopped(slow(99)), LIMITS) == ""


def test_a_loop_without_end_beside_a_fault_is_a_cause_of_its_own():
    ending = fix(slow(99))
    assert [each.ending.status for each in ending.causes] == [Status.CERTIFIED, Status.UNREPAIRED]


def test_tests_that_were_stopped_around_a_change_are_told_with_their_seconds():
    baseline = stopped(slow(99), tests=())
    assert describe_stopped(baseline, None) == (
        f"not known: {AREA}, still running after 4 s before the change (more with --max-seconds)",
    )
    ended, hung = (slow(n).run((), limits=LIMITS) for n in (1, 99))
    assert describe_stopped(baseline, hung) == describe_stopped(baseline, None), "it is told once"
    before = replace(baseline, outcomes=ended.results)
    assert describe_stopped(before, ended) == ()
    assert describe_stopped(before, hung) == (
        f"not known: {AREA}, still running after 4 s with the change (more with --max-seconds)",
    )
