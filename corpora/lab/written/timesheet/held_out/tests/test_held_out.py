import pytest

from timesheet.overtime import split_week


def week(*day_hours):
    return {day: int(h * 60) for day, h in enumerate(day_hours) if h}


@pytest.mark.parametrize(
    "day_hours, regular, overtime",
    [
        ([], 0, 0),
        ([8, 8, 8, 8, 8], 40, 0),
        ([9, 9, 9, 9, 9], 40, 5),
        ([8, 8, 8, 8, 8, 8], 40, 8),
        ([8, 8, 8, 8, 8, 8, 8], 40, 16),
        ([9, 9, 9, 9, 9, 9, 9], 40, 23),
        ([6, 6, 6, 6, 6, 6, 6], 40, 2),
        ([5, 5, 5, 5, 5, 5, 5], 35, 0),
        ([24], 8, 16),
        ([24, 24], 16, 32),
        ([16, 0, 8, 8, 8], 32, 8),
        ([16, 8, 8, 8, 8, 1], 40, 9),
        ([8, 8, 8, 8, 8, 0.25], 40, 0.25),
        ([8.25, 8, 8, 8, 8, 0.25], 40, 0.5),
    ],
)
def test_no_holidays(day_hours, regular, overtime):
    assert split_week(week(*day_hours)) == (regular * 60, overtime * 60)


@pytest.mark.parametrize(
    "day_hours, holidays, regular, overtime",
    [
        ([8], {0}, 0, 8),
        ([10], {0}, 0, 10),
        ([8, 8, 8, 8, 8, 8], {5}, 40, 8),
        ([8, 8, 8, 8, 8, 8], {0}, 40, 8),
        ([8, 8, 8, 8, 8, 10], {5}, 40, 10),
        ([9, 9, 9, 9, 9], {2}, 32, 13),
        ([9, 9, 9, 9, 9, 9], {2}, 40, 14),
        ([8, 8, 8, 8, 8, 8, 8], {5, 6}, 40, 16),
        ([7, 7, 7, 7, 7, 7, 7], {6}, 40, 9),
        ([4, 4, 12, 4], {2}, 12, 12),
        ([8, 8], {4}, 16, 0),
        ([6, 6, 6, 6, 6, 6, 12], {6}, 36, 12),
    ],
)
def test_holidays(day_hours, holidays, regular, overtime):
    assert split_week(week(*day_hours), frozenset(holidays)) == (regular * 60, overtime * 60)


def test_total_is_kept():
    for n in range(8):
        for h in (3, 7, 8, 9, 13):
            days = week(*[h] * n)
            for holidays in (frozenset(), frozenset({0}), frozenset({1, 5})):
                regular, overtime = split_week(days, holidays)
                assert regular + overtime == sum(days.values())
                assert 0 <= regular <= 2400


def test_week_is_left_alone():
    days = week(9, 9)
    split_week(days)
    assert days == week(9, 9)
