import pytest

from sensors import Reading, RollingWindow, Station


def make(span, *pairs, **kw):
    w = RollingWindow(span, **kw)
    for time, value in pairs:
        assert w.add(Reading(time, value))
    return w


FOUR = [(0, 10), (10, 20), (20, 30), (30, 40)]


@pytest.mark.parametrize("now, left", [(30, 4), (59.9, 4), (60, 3), (60.1, 3), (69.9, 3), (70, 2), (79, 2), (80, 1), (89.9, 1),
                                       (90, 0), (91, 0), (5000, 0)])
def test_expire_at(now, left):
    w = make(60, *FOUR)
    assert w.expire(now) == 4 - left
    assert [(r.time, r.value) for r in w] == FOUR[4 - left:]
    assert w.expired == 4 - left
    assert len(w) == left


@pytest.mark.parametrize("now, mean", [(30, 25), (60, 30), (70, 35), (80, 40), (89, 40), (90, None), (500, None)])
def test_mean_at(now, mean):
    w = make(60, *FOUR)
    assert w.mean(now) == (None if mean is None else pytest.approx(mean))
    assert w.mean() == (None if mean is None else pytest.approx(mean))


def test_callback_order_and_number():
    gone = []
    w = make(60, *FOUR, on_expire=gone.append)
    w.expire(80)
    assert gone == [Reading(0, 10), Reading(10, 20), Reading(20, 30)]
    w.expire(90)
    assert [r.time for r in gone] == [0, 10, 20, 30]
    assert w.expired == 4


def test_callback_on_gap():
    gone = []
    w = make(60, *FOUR, (500, 1), on_expire=gone.append)
    assert [r.time for r in gone] == [0, 10, 20, 30]
    assert len(w) == 1


def test_exactly_span_old_on_add():
    w = make(10, (0, 1), (5, 3), (10, 5))
    assert [r.time for r in w] == [5, 10]
    assert w.mean() == pytest.approx(4)


def test_expire_twice():
    w = make(60, *FOUR)
    assert w.expire(70) == 2
    assert w.expire(70) == 0
    assert w.expire(85) == 1
    assert w.expired == 3


def test_earlier_time_drops_nothing():
    w = make(60, *FOUR)
    w.expire(70)
    assert w.expire(10) == 0
    assert len(w) == 2


def test_empty():
    assert RollingWindow(5).expire(100) == 0


def test_refill_after_empty():
    w = make(60, *FOUR)
    w.expire(1000)
    w.add(Reading(1001, 7))
    w.add(Reading(1002, 9))
    assert w.mean() == pytest.approx(8)
    assert w.extremes() == (7, 9)


def test_extremes_after_expire():
    w = make(60, (0, 100), (1, -100), (50, 3), (55, 4))
    w.expire(100)
    assert w.extremes() == (3, 4)


def test_fine_values():
    w = make(10, (0, 0.00125), (1, 0.0015), (2, 0.00175), (11, 0.00225))
    assert w.mean() == pytest.approx(0.002)


def test_fine_values_by_query():
    w = make(10, (0, 5), (1, 5), (8, 0.3333), (9, 0.4444))
    assert w.mean(12) == pytest.approx(0.38885)


def test_equal_times_leave_together():
    w = make(10, (0, 1), (0, 2), (0, 3), (5, 4))
    assert w.expire(10) == 3
    assert [r.value for r in w] == [4]


def test_zero_and_negative_values():
    w = make(10, (0, 0), (1, -4), (2, 0), (12, -6))
    assert w.mean() == pytest.approx(-6)
    assert w.expired == 3


def test_late_reading_leaves_in_order():
    gone = []
    w = make(60, (0, 1), (50, 2), (20, 3), on_expire=gone.append)
    w.expire(100)
    assert [r.value for r in gone] == [1, 3]


def test_tick_counts_all():
    s = Station(60)
    s.feed(["a 0 1", "a 1 1", "a 2 1", "b 3 1", "b 40 1"])
    assert s.tick(63) == 4
    assert s.tick(64) == 0
    assert s.tick(100) == 1


def test_summary_leaves_out_silent_sensors():
    s = Station(60)
    s.feed(["a 0 1", "a 1 1", "b 50 4", "b 60 6"])
    assert s.summary(61) == {"b": 5}
    assert s.summary(1000) == {}


def test_alarm_after_gap():
    calls = []
    s = Station(10, alarm=lambda name, mean: calls.append((name, mean)))
    s.set_limit("oven", 100)
    s.feed(["oven 0 20", "oven 1 20", "oven 2 20", "oven 100 120", "oven 200 50", "oven 300 130"])
    assert calls == [("oven", 120), ("oven", 130)]
