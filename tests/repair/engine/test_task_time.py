"""How the time of a task is shared out between searching and judging."""

import math

import pytest

from repair.engine.task_time import TaskTime, late_search_end, search_end


@pytest.mark.parametrize(("most", "baseline", "until"), [(120.0, 4.0, 110.0), (120.0, 50.0, 84.0), (10.0, 1.0, 7.0)])
def test_the_search_leaves_what_judging_takes(most, baseline, until):
    assert search_end(most, baseline) == pytest.approx(until)


@pytest.mark.parametrize(("seconds", "suite"), [(1.0, 0.1), (12.0, 0.5), (60.0, 2.0), (120.0, 90.0), (120.0, math.inf)])
def test_a_search_without_finds_leaves_time_to_judge_one(seconds, suite):
    late = late_search_end(seconds, suite)
    usual = search_end(seconds, suite)
    assert usual <= late <= 0.9 * seconds
    assert seconds - late >= min(2.0 + 2 * suite if math.isfinite(suite) else 0.0, 0.3 * seconds) - 1e-9


def test_a_search_has_what_judging_leaves_and_more_while_it_finds_nothing():
    time = TaskTime(lambda: 10.0, 0.0, 120.0).for_search(4.0)
    assert time.seconds == pytest.approx(90.0)
    assert time.more > 0.0


def test_a_search_that_begins_too_late_has_no_time():
    time = TaskTime(lambda: 130.0, 0.0, 120.0).for_search(4.0)
    assert (time.seconds, time.left < 0) == (0.0, True)
