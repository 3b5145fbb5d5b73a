import pytest

from humantime import clock, format_duration, split_duration
from humantime.duration import spell_out


@pytest.mark.parametrize(
    "seconds, expected",
    [
        (0, "0s"),
        (1, "1s"),
        (59, "59s"),
        (60, "1m"),
        (61, "1m 1s"),
        (3600, "1h"),
        (7500, "2h 5m"),
        (90061, "1d 1h"),
        (604800 + 86400, "1w 1d"),
    ],
)
def test_whole_seconds(seconds, expected):
    assert format_duration(seconds) == expected


def test_zero_units_are_left_out():
    assert format_duration(86400 + 5) == "1d 5s"


def test_parts():
    assert format_duration(90061, parts=1) == "1d"
    assert format_duration(90061, parts=4) == "1d 1h 1m 1s"


def test_separator():
    assert format_duration(3661, parts=3, sep=", ") == "1h, 1m, 1s"


def test_negative():
    assert format_duration(-75) == "-1m 15s"


def test_fraction_goes_to_nearest_second():
    assert format_duration(61.2) == "1m 1s"
    assert format_duration(2.8) == "3s"


def test_almost_a_minute_is_a_minute():
    assert format_duration(59.7) == "1m"


def test_almost_two_minutes():
    assert format_duration(119.8) == "2m"


def test_rest_is_cut_off():
    assert format_duration(7199, parts=1) == "1h"


def test_split():
    assert split_duration(3725) == {"w": 0, "d": 0, "h": 1, "m": 2, "s": 5}


def test_clock():
    assert clock(3725) == "1:02:05"


def test_spell_out():
    assert spell_out(3660) == "1 hour 1 minute"
    assert spell_out(0) == "0 seconds"
