from durations import duration, plural


def test_plural():
    assert plural(0, "hour") == "0 hours"
    assert plural(2, "second") == "2 seconds"
    assert plural(1, "second") == "1 second"


def test_durations():
    assert duration(2 * 86400 + 1, most=4) == "2 days and 1 second"
    assert duration(-119) == "minus 1 minute and 59 seconds"
