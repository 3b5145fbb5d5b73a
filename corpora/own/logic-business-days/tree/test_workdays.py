from datetime import date

import pytest

from workdays import add_workdays, easter_monday, is_workday, workdays

MONDAY = date(2024, 4, 8)


def test_is_workday():
    assert is_workday(MONDAY)
    assert not is_workday(date(2024, 4, 13))
    assert not is_workday(MONDAY, {MONDAY})


def test_a_week_that_ends_on_sunday():
    assert workdays(MONDAY, date(2024, 4, 14)) == 5


def test_monday_to_friday():
    assert workdays(MONDAY, date(2024, 4, 12)) == 5


def test_one_day():
    assert workdays(MONDAY, MONDAY) == 1


def test_holidays():
    assert workdays(date(2024, 3, 29), date(2024, 4, 6), {date(2024, 3, 29), date(2024, 4, 1)}) == 4


def test_backwards():
    assert workdays(date(2024, 4, 12), MONDAY) == 0


@pytest.mark.parametrize(("count", "expected"), [(1, date(2024, 4, 9)), (5, date(2024, 4, 15)), (0, MONDAY)])
def test_add_workdays(count, expected):
    assert add_workdays(MONDAY, count) == expected


@pytest.mark.parametrize(("year", "day"), [(2024, date(2024, 4, 1)), (2025, date(2025, 4, 21)), (2019, date(2019, 4, 22))])
def test_easter(year, day):
    assert easter_monday(year) == day
