import pytest

from throttle import TokenBucket
from throttle.clock import ManualClock


def make(rate=1, capacity=3, used=None):
    clock = ManualClock(100.0)
    bucket = TokenBucket(rate, capacity, clock=clock)
    if used is None:
        used = capacity
    if used:
        assert bucket.allow(used)
    return clock, bucket


def test_quarter_steps():
    clock, bucket = make()
    answers = []
    for _ in range(8):
        clock.advance(0.25)
        answers.append(bucket.allow())
    assert answers == [False, False, False, True] * 2


def test_part_of_a_second_is_kept():
    clock, bucket = make()
    clock.advance(1.5)
    assert bucket.allow()
    assert not bucket.allow()
    clock.advance(0.5)
    assert bucket.allow()
    assert not bucket.allow()


def test_level_has_fractions():
    clock, bucket = make()
    clock.advance(0.5)
    bucket.refill()
    assert bucket.level == pytest.approx(0.5)


def test_slow_rate():
    clock, bucket = make(rate=0.1, capacity=2)
    answers = []
    for _ in range(20):
        clock.advance(1)
        answers.append(bucket.allow())
    assert sum(answers) in (1, 2)  # floating point may lose the last one
    clock.advance(1)
    assert bucket.allow() or sum(answers) == 2


def test_half_rate_exact():
    clock, bucket = make(rate=0.5, capacity=2)
    answers = []
    for _ in range(6):
        clock.advance(1)
        answers.append(bucket.allow())
    assert answers == [False, True] * 3


def test_fast_rate():
    clock, bucket = make(rate=8, capacity=4)
    clock.advance(0.25)
    assert [bucket.allow() for _ in range(3)] == [True, True, False]


def test_fraction_with_rate_above_one():
    clock, bucket = make(rate=2, capacity=4)
    clock.advance(0.75)
    assert bucket.allow()
    assert not bucket.allow()
    clock.advance(0.25)
    assert bucket.allow()


def test_full_bucket_earns_nothing():
    clock, bucket = make(used=0)
    clock.advance(10.5)
    assert bucket.allow(3)
    assert not bucket.allow()
    clock.advance(0.5)
    assert not bucket.allow()
    clock.advance(0.5)
    assert bucket.allow()


def test_many_looks_at_a_full_bucket():
    clock, bucket = make(used=0)
    for _ in range(20):
        clock.advance(0.5)
        bucket.refill()
    assert bucket.level == 3
    assert bucket.allow(3)
    assert not bucket.allow()


def test_capacity_with_fraction():
    clock, bucket = make(rate=1, capacity=2.5)
    clock.advance(60)
    bucket.refill()
    assert bucket.level == 2.5


def test_level_never_above_capacity():
    clock, bucket = make(used=1)
    for _ in range(10):
        clock.advance(0.75)
        bucket.refill()
        assert bucket.level <= 3
    assert bucket.level == 3


def test_same_moment_earns_nothing():
    clock, bucket = make()
    clock.advance(1)
    assert bucket.allow()
    assert not bucket.allow()
    assert not bucket.allow()


def test_clock_going_back():
    clock, bucket = make(used=1)
    clock.advance(-5)
    bucket.refill()
    assert bucket.level == 2


def test_clock_back_and_again_earns_no_extra():
    clock, bucket = make()
    clock.advance(-2)
    assert not bucket.allow()
    clock.advance(2)
    assert not bucket.allow()
    clock.advance(1)
    assert bucket.allow()
    assert not bucket.allow()


def test_wait_time_sees_fractions():
    clock, bucket = make()
    clock.advance(0.25)
    assert bucket.wait_time() == pytest.approx(0.75)
    clock.advance(0.25)
    assert bucket.wait_time() == pytest.approx(0.5)


def test_fractional_cost():
    clock, bucket = make()
    clock.advance(0.5)
    assert bucket.allow(0.5)
    assert not bucket.allow(0.5)


def test_average_over_a_minute():
    clock, bucket = make(rate=1, capacity=1)
    allowed = 0
    for _ in range(240):
        clock.advance(0.25)
        allowed += bucket.allow()
    assert allowed == 60
