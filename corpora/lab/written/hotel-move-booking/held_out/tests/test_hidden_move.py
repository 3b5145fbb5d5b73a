from datetime import date

import pytest

from hotel.booking import BookingError, Hotel, RoomTaken
from hotel.dates import Stay


def day(n):
    return date(2024, 6, n)


@pytest.fixture
def hotel():
    hotel = Hotel()
    hotel.add_room(1, 10000)
    hotel.add_room(2, 8000)
    yield hotel
    hotel.close()


@pytest.fixture
def ann(hotel):
    return hotel.book(1, "Ann", day(10), day(14))


def unchanged(hotel, booking):
    return hotel.get(booking.id) == booking


@pytest.mark.parametrize("first, last", [(10, 15), (10, 13), (9, 14), (11, 14), (11, 13), (8, 17), (10, 14), (13, 16), (14, 16), (8, 10), (1, 3), (20, 22)])
def test_free_moves(hotel, ann, first, last):
    moved = hotel.move_booking(ann.id, day(first), day(last))
    assert moved.stay == Stay(day(first), day(last))
    assert moved.room == 1 and moved.guest == "Ann" and moved.status == "active"
    assert hotel.bookings(1) == [moved]


@pytest.mark.parametrize("guest", ["Bob", "Ann"])
@pytest.mark.parametrize("first, last", [(10, 17), (12, 17), (9, 18), (16, 19), (16, 17), (17, 18), (15, 17)])
def test_taken_after(hotel, ann, guest, first, last):
    other = hotel.book(1, guest, day(16), day(18))
    with pytest.raises(RoomTaken):
        hotel.move_booking(ann.id, day(first), day(last))
    assert unchanged(hotel, ann) and unchanged(hotel, other)


@pytest.mark.parametrize("guest", ["Bob", "Ann"])
@pytest.mark.parametrize("first, last", [(7, 14), (7, 9), (5, 12), (6, 8), (5, 7), (4, 20)])
def test_taken_before(hotel, ann, guest, first, last):
    other = hotel.book(1, guest, day(6), day(8))
    with pytest.raises(RoomTaken):
        hotel.move_booking(ann.id, day(first), day(last))
    assert unchanged(hotel, ann) and unchanged(hotel, other)


def test_other_has_lower_id(hotel):
    other = hotel.book(1, "Bob", day(16), day(18))
    ann = hotel.book(1, "Ann", day(10), day(14))
    with pytest.raises(RoomTaken):
        hotel.move_booking(ann.id, day(12), day(17))
    assert unchanged(hotel, ann) and unchanged(hotel, other)


def test_neighbours_touch(hotel, ann):
    hotel.book(1, "Bob", day(6), day(8))
    hotel.book(1, "Carl", day(16), day(18))
    assert hotel.move_booking(ann.id, day(8), day(16)).stay == Stay(day(8), day(16))


def test_two_others(hotel, ann):
    hotel.book(1, "Bob", day(6), day(8))
    hotel.book(1, "Carl", day(16), day(18))
    with pytest.raises(RoomTaken):
        hotel.move_booking(ann.id, day(7), day(17))
    assert unchanged(hotel, ann)


def test_other_room_does_not_matter(hotel, ann):
    hotel.book(2, "Bob", day(13), day(20))
    assert hotel.extend(ann.id, 3).stay.leave == day(17)


def test_cancelled_does_not_matter(hotel, ann):
    bob = hotel.book(1, "Bob", day(14), day(20))
    with pytest.raises(RoomTaken):
        hotel.extend(ann.id, 1)
    hotel.cancel(bob.id)
    assert hotel.extend(ann.id, 1).stay.leave == day(15)


def test_after_failure_room_is_still_taken(hotel, ann):
    hotel.book(1, "Bob", day(14), day(20))
    with pytest.raises(RoomTaken):
        hotel.extend(ann.id, 2)
    assert hotel.free_rooms(day(10), day(12)) == [2]
    with pytest.raises(RoomTaken):
        hotel.book(1, "Dora", day(11), day(12))
    assert hotel.extend(ann.id, -1).stay == Stay(day(10), day(13))


def test_cancelled_booking_stays(hotel, ann):
    hotel.cancel(ann.id)
    with pytest.raises(BookingError):
        hotel.extend(ann.id, 1)
    assert hotel.get(ann.id).status == "cancelled"
    assert hotel.get(ann.id).stay == Stay(day(10), day(14))


def test_unknown_booking(hotel):
    with pytest.raises(BookingError):
        hotel.move_booking(77, day(1), day(2))


@pytest.mark.parametrize("first, last", [(12, 12), (14, 10)])
def test_bad_dates(hotel, ann, first, last):
    with pytest.raises(ValueError):
        hotel.move_booking(ann.id, day(first), day(last))
    assert unchanged(hotel, ann)


def test_price_shorter_and_longer(hotel):
    booking = hotel.book(2, "Ann", day(3), day(5))
    assert hotel.extend(booking.id, -1).price == 8000
    assert hotel.extend(booking.id, 1).price == 16000
    assert hotel.move_booking(booking.id, day(3), day(10)).price == 53280
    assert hotel.move_booking(booking.id, day(7), day(9)).price == 19200


def test_twice(hotel, ann):
    hotel.extend(ann.id, 1)
    assert hotel.extend(ann.id, 1).stay == Stay(day(10), day(16))


def test_old_nights_become_free(hotel, ann):
    hotel.move_booking(ann.id, day(12), day(16))
    assert hotel.free_rooms(day(10), day(12)) == [1, 2]
    assert hotel.free_rooms(day(15), day(16)) == [2]


def test_income_follows(hotel, ann):
    hotel.move_booking(ann.id, day(11), day(13))
    assert hotel.income(day(1), day(30)) == 20000


def test_saved(tmp_path):
    path = tmp_path / "h.db"
    hotel = Hotel(path)
    hotel.add_room(1, 100)
    booking = hotel.book(1, "Ann", day(3), day(5))
    other = hotel.book(1, "Bob", day(7), day(9))
    hotel.extend(booking.id, 1)
    with pytest.raises(RoomTaken):
        hotel.extend(other.id, -1) and hotel.move_booking(other.id, day(5), day(8))
    hotel.close()
    again = Hotel(path)
    assert again.get(booking.id).stay.leave == day(6)
    assert again.get(other.id).stay == Stay(day(7), day(8))
    again.close()
