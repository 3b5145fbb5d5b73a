from datetime import datetime, timedelta

import pytest

from medication.diary import Diary
from medication.medicine import Medicine


def at(day, hour, minute=0):
    return datetime(2024, 5, day, hour, minute)


def diary(doses, between=6, per_day=3):
    result = Diary(Medicine("M", 100, between, per_day))
    for dose in doses:
        result.record(dose)
    return result


DAY_ONE = [at(1, 6), at(1, 12), at(1, 18)]


@pytest.mark.parametrize(
    "now, allowed",
    [
        (at(1, 23, 59), False),
        (at(2, 0), False),
        (at(2, 0, 30), False),
        (at(2, 5, 59), False),
        (at(2, 6), True),
        (at(2, 6, 1), True),
        (at(2, 11), True),
        (at(2, 20), True),
        (at(3, 6), True),
        (at(9, 0), True),
    ],
)
def test_after_three_doses(now, allowed):
    assert diary(DAY_ONE).may_take(now) is allowed


def test_rolling_window_fills_again():
    book = diary(DAY_ONE + [at(2, 6)])
    assert not book.may_take(at(2, 11, 59))
    assert book.may_take(at(2, 12))


def test_many_old_doses_do_not_count():
    old = [at(1, 0) + timedelta(hours=8 * i) for i in range(30)]
    assert diary(old).may_take(old[-1] + timedelta(hours=8))


def test_one_a_day():
    book = diary([at(1, 20)], between=0, per_day=1)
    assert not book.may_take(at(2, 19, 59))
    assert book.may_take(at(2, 20))


def test_no_doses():
    assert diary([]).may_take(at(1, 0)) is True


def test_gap_still_matters():
    book = diary([at(1, 8)], between=6, per_day=10)
    assert not book.may_take(at(1, 13))
    assert book.may_take(at(1, 14))


def test_noted_in_any_order():
    book = diary([at(1, 18), at(1, 6), at(1, 12)])
    assert not book.may_take(at(2, 5))
    assert book.may_take(at(2, 6))


def test_diary_is_not_changed():
    book = diary(DAY_ONE)
    book.may_take(at(4, 0))
    assert book.taken == DAY_ONE
