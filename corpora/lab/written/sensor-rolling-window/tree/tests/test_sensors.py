import pytest

from sensors import Reading, RollingWindow, Station, parse_line, tumbling


def fill(window, *pairs):
    for time, value in pairs:
        window.add(Reading(time, value))


def test_parse_line():
    assert parse_line("kitchen 12.5 21.3 # ok") == ("kitchen", Reading(12.5, 21.3))
    assert parse_line("  # nothing") is None


def test_mean_within_window():
    w = RollingWindow(60)
    fill(w, (0, 10), (20, 20), (40, 30))
    assert w.mean() == pytest.approx(20)
    assert w.extremes() == (10, 30)


def test_empty_window():
    w = RollingWindow(60)
    assert w.mean() is None
    assert w.extremes() is None


def test_oldest_reading_leaves():
    gone = []
    w = RollingWindow(60, on_expire=gone.append)
    fill(w, (0, 10), (30, 20), (70, 40))
    assert gone == [Reading(0, 10)]
    assert w.mean() == pytest.approx(30)
    assert w.expired == 1


def test_gap_empties_window():
    w = RollingWindow(60)
    fill(w, (0, 10), (10, 10), (20, 10), (500, 40))
    assert len(w) == 1
    assert w.mean() == pytest.approx(40)


def test_late_reading_is_sorted_in():
    w = RollingWindow(60)
    fill(w, (0, 1), (50, 2), (20, 3))
    assert [r.time for r in w] == [0, 20, 50]


def test_much_too_late_reading_is_refused():
    w = RollingWindow(60)
    fill(w, (100, 1))
    assert w.add(Reading(30, 5)) is False
    assert len(w) == 1


def test_tumbling():
    buckets = list(tumbling([Reading(1, 2.0), Reading(9, 4.0), Reading(31, 1.0)], 10))
    assert [(b.start, b.count, b.mean) for b in buckets] == [(0, 2, 3.0), (30, 1, 1.0)]


def test_station_alarm_fires_once():
    calls = []
    s = Station(60, alarm=lambda name, mean: calls.append(name))
    s.set_limit("oven", 100)
    s.feed(["oven 0 90", "oven 5 150", "oven 10 150"])
    assert calls == ["oven"]


def test_station_after_silence():
    s = Station(60)
    s.feed(["a 0 10", "a 5 10", "a 10 10", "b 5 3", "a 200 30", "b 190 5"])
    assert s.summary(205) == {"a": 30, "b": 5}
