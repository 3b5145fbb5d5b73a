from datetime import date, datetime, timedelta

import pytest

from humantime import DurationError, ago, day_label, parse_duration
from humantime.relative import Stopwatch

NOW = datetime(2023, 5, 17, 12, 0)


def test_ago():
    assert ago(NOW - timedelta(minutes=3, seconds=20), NOW) == "3m ago"
    assert ago(NOW + timedelta(hours=2), NOW) == "in 2h"
    assert ago(NOW - timedelta(seconds=2), NOW) == "just now"


def test_day_label():
    today = date(2023, 5, 17)
    assert day_label(today, today) == "today"
    assert day_label(date(2023, 5, 16), today) == "yesterday"
    assert day_label(date(2023, 5, 15), today) == "last Monday"
    assert day_label(date(2023, 1, 1), today) == "2023-01-01"


@pytest.mark.parametrize("text, seconds", [("90", 90), ("1h 30m", 5400), ("-2m", -120), ("1.5h", 5400)])
def test_parse(text, seconds):
    assert parse_duration(text) == seconds


def test_parse_rejects_nonsense():
    with pytest.raises(DurationError):
        parse_duration("soon")


def test_stopwatch():
    times = iter([10, 15, 20, 90])
    watch = Stopwatch(lambda: next(times))
    for _ in range(2):
        watch.start()
        watch.stop()
    assert watch.report() == "lap 1: 5s\nlap 2: 1m 10s\ntotal: 1m 15s"
