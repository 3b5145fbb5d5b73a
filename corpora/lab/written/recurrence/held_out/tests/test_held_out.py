from datetime import date

import pytest

from agenda import Event, Monthly


def days(start, until, interval=1):
    got = list(Monthly(interval).occurrences(date.fromisoformat(start), date.fromisoformat(until)))
    return [g.isoformat() for g in got]


def test_thirtieth_returns_after_february():
    assert days("2023-01-30", "2023-04-30") == ["2023-01-30", "2023-02-28", "2023-03-30", "2023-04-30"]


def test_thirty_first_whole_year():
    got = days("2023-01-31", "2023-12-31")
    assert [g[-2:] for g in got] == "31 28 31 30 31 30 31 31 30 31 30 31".split()


def test_twenty_ninth_returns():
    assert days("2023-01-29", "2023-04-01") == ["2023-01-29", "2023-02-28", "2023-03-29"]


def test_leap_year():
    assert days("2024-01-31", "2024-03-31") == ["2024-01-31", "2024-02-29", "2024-03-31"]
    assert days("2024-01-30", "2024-03-30") == ["2024-01-30", "2024-02-29", "2024-03-30"]


def test_start_on_28_february_stays_28():
    assert days("2023-02-28", "2023-05-31") == ["2023-02-28", "2023-03-28", "2023-04-28", "2023-05-28"]


def test_start_on_30_april_stays_30():
    assert days("2023-04-30", "2023-07-31") == ["2023-04-30", "2023-05-30", "2023-06-30", "2023-07-30"]


def test_start_on_29_february():
    assert days("2024-02-29", "2024-05-31") == ["2024-02-29", "2024-03-29", "2024-04-29", "2024-05-29"]


def test_yearly_from_leap_day():
    assert days("2024-02-29", "2028-03-01", 12) == [
        "2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]


@pytest.mark.parametrize("interval, expected", [
    (2, ["2023-08-31", "2023-10-31", "2023-12-31", "2024-02-29", "2024-04-30"]),
    (3, ["2023-08-31", "2023-11-30", "2024-02-29", "2024-05-31"]),
])
def test_intervals(interval, expected):
    assert days("2023-08-31", "2024-05-31", interval) == expected


def test_over_year_end():
    assert days("2022-11-30", "2023-03-30") == [
        "2022-11-30", "2022-12-30", "2023-01-30", "2023-02-28", "2023-03-30"]


def test_until_is_included_and_not_passed():
    assert days("2023-01-31", "2023-02-28") == ["2023-01-31", "2023-02-28"]
    assert days("2023-01-31", "2023-02-27") == ["2023-01-31"]


def test_until_before_start():
    assert days("2023-03-31", "2023-03-30") == []


def test_rule_can_be_used_again():
    rule = Monthly()
    first = list(rule.occurrences(date(2023, 1, 31), date(2023, 4, 30)))
    again = list(rule.occurrences(date(2023, 1, 31), date(2023, 4, 30)))
    other = list(rule.occurrences(date(2023, 1, 5), date(2023, 3, 30)))
    assert first == again
    assert [o.day for o in other] == [5, 5, 5]


def test_next_after_short_month():
    assert Monthly().next_after(date(2023, 1, 31), date(2023, 2, 28)) == date(2023, 3, 31)


def test_event_days():
    event = Event("pay", date(2022, 12, 31), Monthly())
    assert event.days_between(date(2023, 6, 1), date(2023, 8, 31)) == [
        date(2023, 6, 30), date(2023, 7, 31), date(2023, 8, 31)]
