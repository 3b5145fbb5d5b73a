from datetime import date

import pytest

from agenda import Calendar


@pytest.fixture
def cal():
    cal = Calendar()
    cal.add("Team", date(2024, 1, 1), "FREQ=WEEKLY")
    cal.add("Party", date(2024, 1, 8))
    return cal


def test_agenda(cal):
    assert cal.agenda(date(2024, 1, 2), date(2024, 1, 15)) == [
        (date(2024, 1, 8), "Party"), (date(2024, 1, 8), "Team"), (date(2024, 1, 15), "Team"),
    ]


def test_cancel_and_move(cal):
    team = cal.events[0]
    team.cancel(date(2024, 1, 8))
    team.move(date(2024, 1, 15), date(2024, 1, 16))
    assert team.days(date(2024, 1, 2), date(2024, 1, 22)) == [date(2024, 1, 16), date(2024, 1, 22)]


def test_cancel_wrong_day(cal):
    with pytest.raises(ValueError):
        cal.events[0].cancel(date(2024, 1, 9))


def test_upcoming(cal):
    assert [t for _, t in cal.upcoming(date(2024, 1, 3), limit=3)] == ["Party", "Team", "Team"]


def test_rent_on_the_last_day():
    cal = Calendar()
    cal.add("Rent", date(2024, 1, 31), "FREQ=MONTHLY")
    assert cal.agenda(date(2024, 3, 1), date(2024, 3, 31)) == [(date(2024, 3, 31), "Rent")]
