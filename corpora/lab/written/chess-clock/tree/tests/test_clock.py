import pytest

from chessclock import ChessClock, ClockError, Match, Mode, TimeControl


class FakeTime:
    def __init__(self):
        self.value = 1000.0

    def __call__(self):
        return self.value

    def sleep(self, seconds):
        self.value += seconds


def test_parse():
    control = TimeControl.parse("5+3")
    assert control.base == 300
    assert control.increment == 3
    assert TimeControl.parse("25d10").mode is Mode.DELAY


def test_parse_rubbish():
    with pytest.raises(ValueError):
        TimeControl.parse("five minutes")


def test_time_runs():
    now = FakeTime()
    clock = ChessClock(TimeControl.parse("5"), now)
    clock.start()
    now.sleep(10)
    assert clock.time_left("white") == 290
    assert clock.time_left("black") == 300


def test_increment():
    now = FakeTime()
    clock = ChessClock(TimeControl.parse("5+3"), now)
    clock.start()
    now.sleep(10)
    assert clock.press("white") == 293
    assert clock.active == "black"


def test_overstepping_loses_despite_increment():
    now = FakeTime()
    clock = ChessClock(TimeControl(10, 5), now)
    clock.start()
    now.sleep(12)
    clock.press("white")
    assert clock.flagged == "white"


def test_wrong_player():
    clock = ChessClock(TimeControl.parse("5+3"), FakeTime())
    clock.start()
    with pytest.raises(ClockError):
        clock.press("black")


def test_pause():
    now = FakeTime()
    clock = ChessClock(TimeControl.parse("5"), now)
    clock.start()
    now.sleep(10)
    clock.pause()
    now.sleep(100)
    clock.resume()
    now.sleep(5)
    assert clock.press("white") == 285


def test_display():
    clock = ChessClock(TimeControl.parse("5"), FakeTime())
    assert clock.display() == "5:00 | 5:00"


def test_match_score():
    match = Match("Ann", "Bob")
    match.record("white")
    match.record("white")
    match.record(None)
    assert match.points == {"Ann": 1.5, "Bob": 1.5}
    assert match.leader() is None
