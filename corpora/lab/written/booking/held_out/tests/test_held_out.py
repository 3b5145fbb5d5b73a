from datetime import datetime, timedelta

import pytest

from booking.rooms import Room
from booking.slots import Slot, gaps, merge


def s(a, b):
    return Slot(datetime(2024, 5, 6, a), datetime(2024, 5, 6, b))


@pytest.mark.parametrize("given, want", [
    ([], []),
    ([(9, 10)], [(9, 10)]),
    ([(9, 10), (11, 12)], [(9, 10), (11, 12)]),
    ([(11, 12), (9, 10)], [(9, 10), (11, 12)]),
    ([(9, 10), (10, 11)], [(9, 11)]),
    ([(9, 11), (10, 12)], [(9, 12)]),
    ([(9, 17), (10, 11)], [(9, 17)]),
    ([(10, 11), (9, 17)], [(9, 17)]),
    ([(9, 17), (10, 11), (12, 13)], [(9, 17)]),
    ([(9, 17), (10, 11), (16, 18)], [(9, 18)]),
    ([(9, 17), (10, 11), (17, 18)], [(9, 18)]),
    ([(9, 12), (10, 11), (13, 14)], [(9, 12), (13, 14)]),
    ([(9, 12), (9, 10)], [(9, 12)]),
    ([(9, 10), (9, 12)], [(9, 12)]),
    ([(9, 12), (9, 12)], [(9, 12)]),
    ([(9, 12), (11, 12)], [(9, 12)]),
    ([(8, 9), (9, 17), (10, 11), (18, 19), (18, 22), (19, 20)], [(8, 17), (18, 22)]),
    ([(9, 13), (10, 14), (11, 12)], [(9, 14)]),
])
def test_merge(given, want):
    slots = [s(*g) for g in given]
    before = list(slots)
    assert merge(slots) == [s(*w) for w in want]
    assert slots == before


def test_gaps_with_nested():
    assert gaps([s(9, 17), s(10, 11)], s(8, 18)) == [s(8, 9), s(17, 18)]
    assert gaps([s(9, 12), s(10, 11), s(14, 15)], s(9, 16)) == [s(12, 14), s(15, 16)]


def test_room():
    room = Room("r", 9)
    for a, b in [(9, 17), (10, 11), (12, 13)]:
        room.book("x", s(a, b))
    assert room.busy() == [s(9, 17)]
    assert room.busy_time() == timedelta(hours=8)
    assert room.free(s(8, 18)) == [s(8, 9), s(17, 18)]
