from datetime import datetime, timedelta

import pytest

from booking.rooms import Conflict, Room
from booking.slots import Slot, gaps, merge


def slot(a, b):
    return Slot(datetime(2024, 5, 6, a), datetime(2024, 5, 6, b))


def test_overlaps():
    assert slot(9, 11).overlaps(slot(10, 12))
    assert not slot(9, 11).overlaps(slot(11, 12))


def test_bad_slot():
    with pytest.raises(ValueError):
        slot(9, 9)


def test_merge_keeps_apart():
    assert merge([slot(13, 14), slot(9, 10)]) == [slot(9, 10), slot(13, 14)]


def test_merge_overlapping():
    assert merge([slot(9, 11), slot(10, 12)]) == [slot(9, 12)]


def test_merge_touching():
    assert merge([slot(9, 10), slot(10, 12)]) == [slot(9, 12)]


def test_merge_one_inside_the_other():
    assert merge([slot(9, 17), slot(10, 11)]) == [slot(9, 17)]


def test_gaps():
    assert gaps([slot(9, 10), slot(12, 13)], slot(8, 14)) == [slot(8, 9), slot(10, 12), slot(13, 14)]


def test_no_gap():
    assert gaps([slot(7, 15)], slot(8, 14)) == []


def test_room_is_shared():
    room = Room("blue", 4)
    room.book("ann", slot(9, 11), 2)
    room.book("bob", slot(10, 12), 2)
    with pytest.raises(Conflict):
        room.book("cid", slot(10, 11))
    room.book("cid", slot(11, 12))


def test_cancel():
    room = Room("blue", 1)
    booking = room.book("ann", slot(9, 11))
    room.cancel(booking)
    assert room.free(slot(8, 12)) == [slot(8, 12)]


def test_busy_time():
    room = Room("blue", 4)
    room.book("ann", slot(9, 11))
    room.book("bob", slot(10, 12))
    assert room.busy_time() == timedelta(hours=3)
