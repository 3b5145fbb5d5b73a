import pytest

from calendar_days import day_of_year, days_in, is_leap


@pytest.mark.parametrize(("year", "leap"), [(2024, True), (2023, False), (1900, False), (2000, True)])
def test_leap(year, leap):
    assert is_leap(year) is leap


@pytest.mark.parametrize(("month", "days"), [(1, 31), (2, 28), (4, 30), (7, 31), (8, 31), (12, 31)])
def test_days(month, days):
    assert days_in(month, 2023) == days


def test_february_in_leap_years():
    assert days_in(2, 2024) == 29


def test_day_of_year():
    assert day_of_year(1, 3, 2024) == 61


def test_last_day_of_year():
    assert day_of_year(31, 12, 2023) == 365
