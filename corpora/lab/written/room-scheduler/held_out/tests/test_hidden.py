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


def times(calendar, room=None):
    return [(b.owner, b.start, b.end) for b in calendar.agenda(room)]


@pytest.mark.parametrize(
    "start, end",
    [
        (at(9, 30), at(10, 30)),
        (at(8, 30), at(9, 30)),
        (at(9), at(10)),
        (at(9), at(11)),
        (at(9, 15), at(9, 45)),
        (at(8), at(12)),
        (at(15), at(16)),
    ],
)
def test_own_time_is_no_conflict(calendar, start, end):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    calendar.book("Oak", "ben", at(12), at(13))
    calendar.move(booking, start, end)
    assert (calendar.get(booking).start, calendar.get(booking).end) == (start, end)
    assert len(calendar.agenda()) == 2


@pytest.mark.parametrize(
    "start, end",
    [
        (at(9, 30), at(10, 30)),  # over the own time and the other
        (at(10), at(11)),
        (at(10, 30), at(11, 30)),
        (at(10, 15), at(10, 45)),
        (at(9), at(12)),
        (at(8), at(10, 1)),
        (at(10, 59), at(12)),
    ],
)
@pytest.mark.parametrize("other_owner", ["ben", "ann"])
def test_conflict_leaves_everything(calendar, start, end, other_owner):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    other = calendar.book("Oak", other_owner, at(10), at(11))
    before = times(calendar)
    log = ChangeLog(calendar)
    with pytest.raises(ConflictError) as info:
        calendar.move(booking, start, end)
    assert info.value.other.id == other
    assert times(calendar) == before
    assert calendar.get(booking).start == at(9)
    assert log.lines == []


def test_conflict_with_earlier_booking(calendar):
    calendar.book("Oak", "ben", at(8), at(9))
    booking = calendar.book("Oak", "ann", at(9), at(10))
    with pytest.raises(ConflictError):
        calendar.move(booking, at(8, 45), at(9, 45))
    calendar.move(booking, at(9, 15), at(10))
    assert times(calendar)[0] == ("ben", at(8), at(9))


def test_back_to_back(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    calendar.book("Oak", "ben", at(11), at(12))
    calendar.move(booking, at(9, 30), at(11))
    calendar.move(booking, at(12), at(13))
    assert [b.owner for b in calendar.agenda()] == ["ben", "ann"]


def test_same_time_in_other_room(calendar):
    calendar.book("Elm", "ben", at(9), at(12))
    booking = calendar.book("Oak", "ann", at(9), at(10))
    calendar.move(booking, at(9, 30), at(10, 30))
    assert calendar.get(booking).room == "Oak"


def test_second_move(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    calendar.move(booking, at(9, 30), at(10, 30))
    calendar.move(booking, at(10), at(11))
    calendar.book("Oak", "ben", at(9), at(10))
    with pytest.raises(ConflictError):
        calendar.move(booking, at(9, 30), at(10, 30))
    assert calendar.get(booking).start == at(10)


def test_id_and_object_stay(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    object_before = calendar.get(booking)
    calendar.move(booking, at(9, 30), at(10, 30))
    assert calendar.get(booking) is object_before
    assert calendar.book("Oak", "ben", at(14), at(15)) == booking + 1


def test_bad_times(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    for start, end in [(at(10), at(9)), (at(9, 30), at(9, 30))]:
        with pytest.raises(ValueError):
            calendar.move(booking, start, end)
    assert times(calendar) == [("ann", at(9), at(10))]


def test_unknown(calendar):
    with pytest.raises(KeyError):
        calendar.move(7, at(9), at(10))


def test_listener_is_told_once_and_afterwards(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    log = ChangeLog(calendar)
    calendar.move(booking, at(9, 30), at(10, 30))
    assert log.lines == ["moved Oak 09:30-10:30"]


def test_order_after_move(calendar):
    first = calendar.book("Oak", "ann", at(9), at(10))
    calendar.book("Elm", "ben", at(9, 15), at(10))
    calendar.move(first, at(9, 45), at(10, 30))
    assert [b.owner for b in calendar.agenda()] == ["ben", "ann"]


def test_planning_after_move(calendar):
    booking = calendar.book("Oak", "ann", at(9), at(10))
    calendar.move(booking, at(9, 30), at(11))
    assert list(free_slots(calendar, "Oak", at(9), at(12))) == [(at(9), at(9, 30)), (at(11), at(12))]
    assert usage(calendar) == {"Elm": 0, "Oak": 90}
    calendar.book("Elm", "ben", at(9), at(12))
    assert first_free_room(calendar, at(9), at(9, 30)) == "Oak"
    assert first_free_room(calendar, at(9), at(9, 45)) is None
