import pytest

from durations import duration, parts, plural


def test_parts():
    assert parts(90061) == [(1, "day"), (1, "hour"), (1, "minute"), (1, "second")]
    assert parts(7200) == [(2, "hour")]


def test_plural_of_one():
    assert plural(1, "day") == "1 day"


def test_plural_of_many():
    assert plural(3, "day") == "3 days"


def test_plural_of_two():
    assert plural(2, "day") == "2 days"


@pytest.mark.parametrize(("seconds", "text"), [(0, "no time"), (1, "1 second"), (3601, "1 hour and 1 second"), (-60, "minus 1 minute")])
def test_single_units(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(("seconds", "text"), [(59, "59 seconds"), (11100, "3 hours and 5 minutes"), (7200, "2 hours")])
def test_several(seconds, text):
    assert duration(seconds) == text


def test_more_units():
    assert duration(93784, most=3) == "1 day, 2 hours and 3 minutes"
