from datetime import date, datetime, time

import pytest

from medication.diary import Diary
from medication.medicine import Cabinet, Medicine
from medication.schedule import next_time, parse_times

IBU = Medicine("Ibuprofen", 400, hours_between=6, max_per_day=3)


def at(day, hour, minute=0):
    return datetime(2024, 5, day, hour, minute)


@pytest.fixture
def diary():
    return Diary(IBU)


def test_bad_medicine():
    with pytest.raises(ValueError):
        Medicine("X", 1, 1, 0)


def test_cabinet():
    cabinet = Cabinet()
    cabinet.add(IBU, 1)
    cabinet.take("ibuprofen")
    assert cabinet.left("Ibuprofen") == 0
    assert cabinet.to_buy() == ["Ibuprofen"]
    with pytest.raises(LookupError):
        cabinet.take("Ibuprofen")


def test_parse_times():
    assert parse_times("20:00, 8:30") == [time(8, 30), time(20)]


def test_next_time_wraps():
    times = parse_times("8:00, 20:00")
    assert next_time(times, at(1, 9)) == at(1, 20)
    assert next_time(times, at(1, 20)) == at(2, 8)


def test_first_dose(diary):
    assert diary.may_take(at(1, 8))


def test_too_early(diary):
    diary.record(at(1, 8))
    assert not diary.may_take(at(1, 13, 59))
    assert diary.may_take(at(1, 14))


def test_three_a_day(diary):
    for hour in (6, 12, 18):
        diary.record(at(1, hour))
    assert not diary.may_take(at(2, 0, 30))


def test_allowed_again_days_later(diary):
    for hour in (6, 12):
        diary.record(at(1, hour))
    assert diary.may_take(at(5, 8))


def test_total(diary):
    diary.record(at(1, 8))
    diary.record(at(1, 20))
    assert diary.total_mg(date(2024, 5, 1)) == 800


def test_missed(diary):
    diary.record(at(1, 8, 20))
    assert diary.missed(parse_times("8:00, 20:00"), date(2024, 5, 1)) == [time(20)]
