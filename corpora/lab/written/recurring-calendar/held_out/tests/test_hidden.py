from datetime import date
from itertools import islice

import pytest

from agenda import Calendar, Freq, Rule


def first(rule, start, n):
    return [d.isoformat() for d in islice(rule.dates(start), n)]


def test_31st_over_a_leap_year():
    assert first(Rule(Freq.MONTHLY), date(2023, 12, 31), 5) == [
        "2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]


def test_30th():
    assert first(Rule(Freq.MONTHLY), date(2023, 1, 30), 4) == [
        "2023-01-30", "2023-02-28", "2023-03-30", "2023-04-30"]


def test_30th_stays_30th_in_long_months():
    assert first(Rule(Freq.MONTHLY), date(2023, 4, 30), 3) == [
        "2023-04-30", "2023-05-30", "2023-06-30"]


def test_29th():
    assert first(Rule(Freq.MONTHLY), date(2023, 1, 29), 3) == [
        "2023-01-29", "2023-02-28", "2023-03-29"]


def test_28th_of_february_is_not_the_end_of_the_month():
    assert first(Rule(Freq.MONTHLY), date(2023, 2, 28), 3) == [
        "2023-02-28", "2023-03-28", "2023-04-28"]


def test_29th_of_february_monthly():
    assert first(Rule(Freq.MONTHLY), date(2024, 2, 29), 3) == [
        "2024-02-29", "2024-03-29", "2024-04-29"]


def test_every_second_month():
    assert first(Rule(Freq.MONTHLY, interval=2), date(2023, 12, 31), 5) == [
        "2023-12-31", "2024-02-29", "2024-04-30", "2024-06-30", "2024-08-31"]


def test_every_14_months():
    assert first(Rule(Freq.MONTHLY, interval=14), date(2022, 12, 31), 3) == [
        "2022-12-31", "2024-02-29", "2025-04-30"]


def test_yearly_leap_day():
    assert first(Rule(Freq.YEARLY), date(2024, 2, 29), 5) == [
        "2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]


def test_yearly_leap_day_every_second_year():
    assert first(Rule(Freq.YEARLY, interval=2), date(2024, 2, 29), 3) == [
        "2024-02-29", "2026-02-28", "2028-02-29"]


def test_yearly_28th_of_february():
    assert first(Rule(Freq.YEARLY), date(2023, 2, 28), 2) == ["2023-02-28", "2024-02-28"]


def test_daily_and_weekly_endless():
    assert first(Rule(Freq.DAILY), date(2023, 2, 27), 3) == ["2023-02-27", "2023-02-28", "2023-03-01"]
    assert first(Rule(Freq.WEEKLY, interval=2), date(2023, 12, 25), 3) == [
        "2023-12-25", "2024-01-08", "2024-01-22"]


def test_count_of_one():
    assert first(Rule(Freq.MONTHLY, count=1), date(2023, 1, 31), 9) == ["2023-01-31"]


def test_count_includes_clamped_days():
    assert len(list(Rule(Freq.MONTHLY, count=12).dates(date(2023, 1, 31)))) == 12


def test_until_on_the_clamped_day():
    rule = Rule(Freq.MONTHLY, until=date(2023, 2, 28))
    assert first(rule, date(2023, 1, 31), 9) == ["2023-01-31", "2023-02-28"]


def test_until_just_before_the_31st():
    rule = Rule(Freq.MONTHLY, until=date(2023, 3, 30))
    assert first(rule, date(2023, 1, 31), 9) == ["2023-01-31", "2023-02-28"]


def test_until_before_start():
    assert first(Rule(Freq.DAILY, until=date(2023, 1, 1)), date(2023, 1, 2), 9) == []


def test_count_and_until():
    rule = Rule(Freq.MONTHLY, count=2, until=date(2023, 12, 31))
    assert first(rule, date(2023, 1, 31), 9) == ["2023-01-31", "2023-02-28"]
    rule = Rule(Freq.MONTHLY, count=9, until=date(2023, 3, 31))
    assert first(rule, date(2023, 1, 31), 9) == ["2023-01-31", "2023-02-28", "2023-03-31"]


def test_rule_can_be_used_again():
    rule = Rule(Freq.MONTHLY, count=3)
    assert first(rule, date(2023, 1, 31), 9) == first(rule, date(2023, 1, 31), 9)
    assert first(rule, date(2023, 5, 10), 9) == ["2023-05-10", "2023-06-10", "2023-07-10"]
    assert rule == Rule(Freq.MONTHLY, count=3)


def test_two_series_side_by_side():
    rule = Rule(Freq.MONTHLY)
    a, b = rule.dates(date(2023, 1, 31)), rule.dates(date(2023, 1, 30))
    pairs = [(next(a).day, next(b).day) for _ in range(3)]
    assert pairs == [(31, 30), (28, 28), (31, 30)]


def test_two_years_of_month_ends_are_strictly_increasing():
    days = list(islice(Rule(Freq.MONTHLY).dates(date(2023, 8, 31)), 24))
    assert days == sorted(set(days))
    assert [d.day for d in days].count(31) == 14


def test_cancel_and_move_of_the_31st():
    cal = Calendar()
    rent = cal.add("Rent", date(2023, 1, 31), "FREQ=MONTHLY")
    rent.cancel(date(2023, 3, 31))
    rent.move(date(2023, 5, 31), date(2023, 6, 1))
    assert rent.days(date(2023, 3, 1), date(2023, 6, 30)) == [
        date(2023, 4, 30), date(2023, 6, 1), date(2023, 6, 30)]
    with pytest.raises(ValueError):
        rent.cancel(date(2023, 3, 28))


def test_upcoming_yearly():
    cal = Calendar()
    cal.add("Leap", date(2024, 2, 29), "FREQ=YEARLY")
    assert cal.upcoming(date(2027, 6, 1), limit=1) == [(date(2028, 2, 29), "Leap")]
