import pytest

from chessclock import ChessClock, ClockError, Match, Mode, TimeControl


class FakeTime:
    def __init__(self):
        self.value = 50.0

    def __call__(self):
        return self.value

    def sleep(self, seconds):
        self.value += seconds


@pytest.fixture
def now():
    return FakeTime()


def started(now, *args, **kw):
    clock = ChessClock(TimeControl(*args, **kw), now)
    clock.start()
    return clock


def test_flagged_state(now):
    clock = started(now, 10, 5)
    now.sleep(12)
    assert clock.press("white") == 0.0
    assert clock.flagged == "white"
    assert clock.remaining["white"] == 0.0
    assert clock.active is None


def test_flagged_move_is_not_counted(now):
    clock = started(now, 10, 5)
    now.sleep(12)
    clock.press("white")
    assert clock.moves == {"white": 0, "black": 0}


def test_exactly_zero_is_flagged(now):
    clock = started(now, 10, 5)
    now.sleep(10)
    assert clock.press("white") == 0.0
    assert clock.flagged == "white"


def test_just_in_time(now):
    clock = started(now, 10, 5)
    now.sleep(9.5)
    assert clock.press("white") == 5.5
    assert clock.flagged is None
    assert clock.moves["white"] == 1


def test_black_flagged(now):
    clock = started(now, 10, 5)
    now.sleep(1)
    clock.press("white")
    now.sleep(11)
    assert clock.press("black") == 0.0
    assert clock.flagged == "black"
    assert clock.remaining == {"white": 14.0, "black": 0.0}
    assert clock.moves == {"white": 1, "black": 0}


def test_no_increment_flagged(now):
    clock = started(now, 10)
    now.sleep(10)
    clock.press("white")
    assert clock.flagged == "white"


def test_bronstein_flagged(now):
    clock = started(now, 10, 5, Mode.BRONSTEIN)
    now.sleep(12)
    assert clock.press("white") == 0.0
    assert clock.flagged == "white"


def test_bronstein_gives_back_time_used(now):
    clock = started(now, 10, 5, Mode.BRONSTEIN)
    now.sleep(3)
    assert clock.press("white") == 10
    now.sleep(8)
    assert clock.press("black") == 7


def test_delay_long_move_in_time(now):
    clock = started(now, 10, 5, Mode.DELAY)
    now.sleep(12)
    assert clock.press("white") == 3
    assert clock.flagged is None
    assert clock.active == "black"


def test_delay_flagged(now):
    clock = started(now, 10, 5, Mode.DELAY)
    now.sleep(15)
    assert clock.press("white") == 0.0
    assert clock.flagged == "white"


def test_delay_fast_move_is_free(now):
    clock = started(now, 10, 5, Mode.DELAY)
    now.sleep(4)
    assert clock.press("white") == 10


def test_stage_time_does_not_rescue(now):
    clock = started(now, 10, 0, stages={2: 100})
    now.sleep(4)
    clock.press("white")
    clock.press("black")
    now.sleep(7)
    assert clock.press("white") == 0.0
    assert clock.flagged == "white"
    assert clock.moves["white"] == 1


def test_stage_time_with_increment_does_not_rescue(now):
    clock = started(now, 10, 2, stages={1: 100})
    now.sleep(10)
    clock.press("white")
    assert clock.flagged == "white"


def test_stage_time_is_given_once(now):
    clock = started(now, 10, 1, stages={2: 100})
    got = []
    for _ in range(3):
        now.sleep(2)
        got.append(clock.press("white"))
        clock.press("black")
    assert got == [9, 108, 107]


def test_no_press_after_flag(now):
    clock = started(now, 10, 5)
    now.sleep(12)
    clock.press("white")
    for color in ("white", "black"):
        with pytest.raises(ClockError):
            clock.press(color)
    with pytest.raises(ClockError):
        clock.start()


def test_display_stays_after_flag(now):
    clock = started(now, 10, 5)
    now.sleep(12)
    clock.press("white")
    now.sleep(100)
    assert clock.display() == "0:00 | 0:10"
    assert clock.check_flag() == "white"


def test_opponent_time_untouched(now):
    clock = started(now, 10, 5)
    now.sleep(12)
    clock.press("white")
    assert clock.remaining["black"] == 10


def test_pause_counts_used_time(now):
    clock = started(now, 10, 5)
    now.sleep(6)
    clock.pause()
    now.sleep(60)
    with pytest.raises(ClockError):
        clock.press("white")
    clock.resume()
    now.sleep(5)
    assert clock.press("white") == 0.0
    assert clock.flagged == "white"


def test_match_records_loss_on_time(now):
    clock = started(now, 10, 5)
    now.sleep(12)
    clock.press("white")
    match = Match("Ann", "Bob")
    assert match.record_clock(clock) is True
    assert match.points == {"Ann": 0.0, "Bob": 1.0}


def test_several_moves_accumulate(now):
    clock = started(now, 10, 2)
    for _ in range(3):
        now.sleep(4)
        clock.press("white")
        now.sleep(1)
        clock.press("black")
    assert clock.remaining == {"white": 4.0, "black": 13.0}
    now.sleep(5)
    clock.press("white")
    assert clock.flagged == "white"


def test_press_before_start(now):
    clock = ChessClock(TimeControl(10, 5), now)
    with pytest.raises(ClockError):
        clock.press("white")
