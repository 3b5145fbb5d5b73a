from datetime import date, datetime, time

import pytest

from hours import OpeningHours, hours_between
from signs import door_sign, status

NORMAL = [(time(9), time(18))]


@pytest.fixture
def shop():
    return OpeningHours({"mon-fri": "9:00-18:00", "sat": "10:00-14:00", "sun": "closed"})


@pytest.mark.parametrize("day, text, spans", [
    (3, "closed", []), (4, "closed", []), (7, "", []), (8, "closed", []), (9, "closed", []),
    (3, "9:00-11:00", [(time(9), time(11))]),
    (3, "20:00-22:00", [(time(20), time(22))]),
    (9, "10:00-12:00", [(time(10), time(12))]),
    (4, "9:00-10:00, 11:00-12:00", [(time(9), time(10)), (time(11), time(12))]),
])
def test_exception_replaces(shop, day, text, spans):
    shop.add_exception(date(2024, 6, day), text)
    assert list(shop.spans_on(date(2024, 6, day))) == spans


@pytest.mark.parametrize("day, spans", [
    (3, NORMAL), (7, NORMAL), (8, [(time(10), time(14))]), (9, []), (11, NORMAL), (18, NORMAL),
])
def test_other_days_are_as_ever(shop, day, spans):
    shop.add_exception(date(2024, 6, 4))
    shop.add_exception(date(2024, 6, 5), "9:00-10:00")
    assert list(shop.spans_on(date(2024, 6, day))) == spans


def test_same_date_of_another_year(shop):
    shop.add_exception(date(2024, 6, 4))
    assert list(shop.spans_on(date(2025, 6, 4))) == NORMAL


def test_day_without_hours_in_the_week():
    assert list(OpeningHours({"mon": "9:00-10:00"}).spans_on(date(2024, 6, 4))) == []


def test_exception_on_a_day_without_hours_in_the_week():
    h = OpeningHours({})
    h.add_exception(date(2024, 6, 4), "9:00-10:00")
    h.add_exception(date(2024, 6, 5))
    assert list(h.spans_on(date(2024, 6, 4))) == [(time(9), time(10))]
    assert list(h.spans_on(date(2024, 6, 5))) == []


def test_exception_can_be_changed(shop):
    day = date(2024, 6, 4)
    shop.add_exception(day)
    shop.add_exception(day, "9:00-18:00")
    assert list(shop.spans_on(day)) == NORMAL
    shop.add_exception(day)
    assert list(shop.spans_on(day)) == []
    assert list(shop.spans_on(day)) == []


def test_asking_changes_nothing(shop):
    shop.add_exception(date(2024, 6, 4))
    sign = door_sign(shop)
    shop.spans_on(date(2024, 6, 4))
    assert door_sign(shop) == sign
    assert list(shop.exceptions) == [date(2024, 6, 4)]
    assert list(shop.spans_on(date(2024, 6, 11))) == NORMAL


def test_hours_with_a_holiday(shop):
    shop.add_exception(date(2024, 6, 4))
    shop.add_exception(date(2024, 6, 8))
    assert hours_between(shop, date(2024, 6, 3), date(2024, 6, 9)) == 36


def test_status_over_a_long_weekend(shop):
    shop.add_exception(date(2024, 6, 8))
    shop.add_exception(date(2024, 6, 10))
    assert status(shop, datetime(2024, 6, 7, 18)) == "opens Tue 09:00"


def test_closes_at_on_a_holiday(shop):
    shop.add_exception(date(2024, 6, 4))
    assert shop.closes_at(datetime(2024, 6, 4, 10)) is None
