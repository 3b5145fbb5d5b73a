from datetime import datetime

import pytest

from rooms.calendar import RoomCalendar
from rooms.model import ConflictError
from rooms.planning import ChangeLog, first_free_room, free_slots, usage


def at(hour, minute=0):
    return datetime(2024, 2, 5, hour, minute)


@pytest.fixture
def calendar():
    return RoomCalendar(["Oak", "Elm"])


def test_book(calendar):
    calendar.book("Oak", "ann", at(9), at(10))
    assert len(calendar.agenda()) == 1


def test_book_conflict(calendar):
    calendar.book("Oak", "ann", at(9), at(10))
    with pytest.raises(ConflictError):
        calendar.book("Oak", "ben", at(9, 30), at(11))
    calendar.book("Elm", "ben", at(9, 30), at(11))


def test_move(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    calendar.move(booking, at(13), at(14))
    assert calendar.get(booking).start == at(13)


def test_move_a_little_later(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    calendar.move(booking, at(9, 30), at(10, 30))
    assert calendar.get(booking).start == at(9, 30)


def test_cancel(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    calendar.cancel(booking)
    assert calendar.agenda() == []


def test_free_slots(calendar):
    calendar.book("Oak", "ann", at(9), at(10))
    assert list(free_slots(calendar, "Oak", at(8), at(12))) == [(at(8), at(9)), (at(10), at(12))]


def test_first_free_room(calendar):
    calendar.book("Elm", "ann", at(9), at(10))
    assert first_free_room(calendar, at(9), at(10)) == "Oak"


def test_usage(calendar):
    calendar.book("Elm", "ann", at(9), at(10))
    assert usage(calendar) == {"Elm": 60, "Oak": 0}


def test_change_log(calendar):
    log = ChangeLog(calendar)
    calendar.book("Elm", "ann", at(9), at(10))
    assert len(log.lines) == 1
