from datetime import date

import pytest

from agenda import Daily, Monthly, Weekly
from agenda.dateutil import parse_day, shift_month


def d(*texts):
    return [parse_day(t) for t in texts]


def test_shift_month_over_year_end():
    assert shift_month(2023, 11, 3) == (2024, 2)


def test_daily():
    got = list(Daily().occurrences(date(2023, 2, 27), date(2023, 3, 1)))
    assert got == d("2023-02-27", "2023-02-28", "2023-03-01")


def test_daily_interval():
    got = list(Daily(3).occurrences(date(2023, 1, 1), date(2023, 1, 8)))
    assert got == d("2023-01-01", "2023-01-04", "2023-01-07")


def test_interval_must_be_positive():
    with pytest.raises(ValueError):
        Daily(0)


def test_weekly_two_days():
    rule = Weekly([3, 0])
    got = list(rule.occurrences(date(2023, 5, 2), date(2023, 5, 11)))
    assert got == d("2023-05-04", "2023-05-08", "2023-05-11")


def test_weekly_needs_days():
    with pytest.raises(ValueError):
        Weekly([])


def test_monthly_plain():
    got = list(Monthly().occurrences(date(2023, 1, 15), date(2023, 4, 15)))
    assert got == d("2023-01-15", "2023-02-15", "2023-03-15", "2023-04-15")


def test_monthly_last_day():
    got = list(Monthly().occurrences(date(2023, 1, 31), date(2023, 3, 31)))
    assert got == d("2023-01-31", "2023-02-28", "2023-03-31")


def test_monthly_quarter():
    got = list(Monthly(3).occurrences(date(2023, 1, 10), date(2023, 12, 31)))
    assert got == d("2023-01-10", "2023-04-10", "2023-07-10", "2023-10-10")


def test_next_after():
    assert Monthly().next_after(date(2023, 1, 5), date(2023, 1, 5)) == date(2023, 2, 5)
