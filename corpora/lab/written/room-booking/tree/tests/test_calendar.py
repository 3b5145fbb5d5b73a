import pytest

from rooms.booking import Booking, format_clock, parse_clock
from rooms.calendar import Calendar, Conflict
from rooms.report import day_sheet, first_gap


@pytest.fixture
def cal():
    c = Calendar()
    c.book("blue", 540, 600, "Ann")
    c.book("blue", 660, 720, "Bob")
    return c


def test_clock_round_trip():
    assert parse_clock("09:30") == 570
    assert format_clock(570) == "09:30"


def test_clock_rejects_late_hours():
    with pytest.raises(ValueError):
        parse_clock("25:00")


def test_booking_needs_length():
    with pytest.raises(ValueError):
        Booking("blue", 600, 600, "Ann")


def test_conflict(cal):
    with pytest.raises(Conflict):
        cal.book("blue", 590, 630, "Cy")


def test_back_to_back_is_fine(cal):
    cal.book("blue", 600, 660, "Cy")
    assert len(cal) == 3


def test_tentative_may_overlap(cal):
    maybe = cal.book("blue", 590, 630, "Cy", tentative=True)
    with pytest.raises(Conflict):
        cal.confirm(maybe)
    assert len(cal) == 3


def test_confirm(cal):
    maybe = cal.book("blue", 600, 630, "Cy", tentative=True)
    firm = cal.confirm(maybe)
    assert not firm.tentative
    assert len(cal) == 3


def test_gaps_between_bookings(cal):
    assert cal.free_gaps("blue", 480, 1020) == [(480, 540), (600, 660), (720, 1020)]


def test_gaps_of_an_empty_room(cal):
    assert cal.free_gaps("red", 480, 1020) == [(480, 1020)]


def test_short_gaps_are_left_out(cal):
    assert cal.free_gaps("blue", 480, 1020, shortest=90) == [(720, 1020)]


def test_gaps_ignore_what_lies_outside(cal):
    cal.book("blue", 360, 420, "early")
    assert cal.free_gaps("blue", 540, 720) == [(600, 660)]


def test_tentative_inside_a_long_booking(cal):
    cal.book("blue", 780, 960, "workshop")
    cal.book("blue", 800, 840, "Cy", tentative=True)
    assert cal.free_gaps("blue", 720, 1020) == [(720, 780), (960, 1020)]


def test_day_sheet(cal):
    cal.book("blue", 600, 630, "Cy", tentative=True)
    assert day_sheet(cal, "blue") == [
        "09:00-10:00 Ann",
        "10:00-10:30 Cy?",
        "11:00-12:00 Bob",
    ]


def test_first_gap(cal):
    assert first_gap(cal, ["blue", "red"], 60, 540, 1020) == (540, "red")
    assert first_gap(cal, ["blue"], 120, 540, 1020) == (720, "blue")
    assert first_gap(cal, ["blue"], 400, 540, 1020) is None
