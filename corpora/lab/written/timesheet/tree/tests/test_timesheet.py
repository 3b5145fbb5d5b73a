import pytest

from timesheet.overtime import split_week
from timesheet.pay import hours, pay_cents, slip
from timesheet.punches import PunchError, read_week, shift_minutes


def week(*day_hours):
    return {day: int(h * 60) for day, h in enumerate(day_hours) if h}


@pytest.mark.parametrize(
    "day_hours, regular, overtime",
    [
        ([], 0, 0),
        ([8], 8, 0),
        ([9], 8, 1),
        ([8, 8, 8, 8, 8], 40, 0),
        ([10, 6, 8, 8, 8], 38, 2),
        ([9, 9, 9, 9, 9], 40, 5),
        ([12, 12, 12, 12], 32, 16),
        ([7, 7, 7, 7, 7, 7], 40, 2),
        ([9, 9, 9, 9, 9, 9], 40, 14),
        ([10, 7, 7, 7, 7, 7], 40, 5),
        ([8.5, 8, 8, 8, 7.5], 39.5, 0.5),
    ],
)
def test_split_week(day_hours, regular, overtime):
    assert split_week(week(*day_hours)) == (regular * 60, overtime * 60)


def test_order_of_days_does_not_matter():
    days = week(12, 4, 9, 8, 8, 5)
    backwards = dict(reversed(days.items()))
    assert split_week(days) == split_week(backwards)


def test_nothing_is_lost():
    for days in (week(9, 10, 11, 12, 3), week(8, 8, 8, 8, 8, 8), week(14)):
        assert sum(split_week(days)) == sum(days.values())


def test_holiday():
    assert split_week(week(8, 5), frozenset({0})) == (300, 480)


def test_shift():
    assert shift_minutes("09:00-17:30", 30) == 480
    assert shift_minutes("22:00-06:00") == 480
    with pytest.raises(PunchError):
        shift_minutes("09:00-09:10", 20)
    with pytest.raises(PunchError):
        shift_minutes("9")


def test_read_week():
    assert read_week("mon 09:00-12:00\nMon 13:00-18:00\n\nsun 10:00-12:00 -15") == {0: 480, 6: 105}


@pytest.mark.parametrize("line", ["xyz 09:00-12:00", "mon 25:00-12:00", "mon 9-12"])
def test_bad_lines(line):
    with pytest.raises(PunchError):
        read_week(line)


def test_pay():
    assert pay_cents(480, 60, 2000) == 19000
    assert hours(605) == "10:05"


def test_slip():
    assert slip("Ann", "mon 09:00-19:00", 1500) == "Ann: 8:00 regular, 2:00 overtime, 165.00"
