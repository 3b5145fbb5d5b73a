from datetime import datetime, timedelta

import pytest

from humantime import ago, format_duration
from humantime.relative import Stopwatch

NOW = datetime(2023, 5, 17, 12, 0)


@pytest.mark.parametrize(
    "seconds, expected",
    [
        (0, "0s"),
        (0.2, "0s"),
        (0.8, "1s"),
        (59.2, "59s"),
        (59.4, "59s"),
        (59.6, "1m"),
        (60.3, "1m"),
        (119.3, "1m 59s"),
        (119.6, "2m"),
        (3599.4, "59m 59s"),
        (3599.7, "1h"),
        (7199.9, "2h"),
        (86399.8, "1d"),
        (604799.9, "1w"),
        (3659.7, "1h 1m"),
        (-59.7, "-1m"),
        (-1.2, "-1s"),
        (-1.8, "-2s"),
        (-3599.9, "-1h"),
        (-0.3, "0s"),
        (-0.0, "0s"),
    ],
)
def test_nearest_second(seconds, expected):
    assert format_duration(seconds) == expected


@pytest.mark.parametrize(
    "seconds, parts, expected",
    [
        (3599.7, 1, "1h"),
        (3599.2, 1, "59m"),
        (7199, 1, "1h"),
        (90061, 3, "1d 1h 1m"),
        (90061.6, 4, "1d 1h 1m 2s"),
        (86405, 2, "1d 5s"),
        (694861, 5, "1w 1d 1h 1m 1s"),
        (3719, 2, "1h 1m"),
    ],
)
def test_parts(seconds, parts, expected):
    assert format_duration(seconds, parts=parts) == expected


def test_separator_after_carry():
    assert format_duration(3719.6, parts=3, sep=", ") == "1h, 2m"


def test_ago_carries():
    assert ago(NOW - timedelta(seconds=59.8), NOW) == "1m ago"
    assert ago(NOW + timedelta(seconds=3599.8), NOW) == "in 1h"
    assert ago(NOW - timedelta(seconds=59.3), NOW) == "59s ago"


def test_stopwatch_report():
    times = iter([0, 59.75, 100, 100.25])
    watch = Stopwatch(lambda: next(times))
    for _ in range(2):
        watch.start()
        watch.stop()
    assert watch.report() == "lap 1: 1m\nlap 2: 0s\ntotal: 1m"
