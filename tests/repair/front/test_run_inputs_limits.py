"""What a run of tests may take, by the time that there is for all."""

import pytest

from repair.front.run_inputs import MOST_TEST_SHARE, limits_of


@pytest.mark.parametrize("seconds", [0.5, 1.0, 4.0, 12.0, 60.0, 600.0])
def test_no_bound_on_a_run_is_more_than_there_is_time_for_all(seconds):
    limits = limits_of(seconds)
    assert limits.wall_seconds <= seconds
    assert limits.test_seconds <= MOST_TEST_SHARE * seconds


def test_a_test_has_five_seconds_where_there_are_thirty():
    assert limits_of(30.0).test_seconds == limits_of(60.0).test_seconds == 5.0
    assert limits_of(120.0).test_seconds == 8.0
