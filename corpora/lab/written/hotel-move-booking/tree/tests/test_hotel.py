from datetime import date

import pytest

from hotel.booking import BookingError, Hotel, RoomTaken
from hotel.dates import Stay
from hotel.pricing import price


def day(n):
    return date(2024, 6, n)       # 3 June 2024 is a Monday


@pytest.fixture
def hotel():
    hotel = Hotel()
    hotel.add_room(1, 10000)
    hotel.add_room(2, 8000)
    yield hotel
    hotel.close()


def test_stay():
    stay = Stay(day(3), day(5))
    assert len(stay) == 2
    assert day(4) in stay and day(5) not in stay
    assert not stay.overlaps(Stay(day(5), day(6)))
    with pytest.raises(ValueError):
        Stay(day(5), day(5))


def test_price():
    assert price(Stay(day(3), day(5)), 100) == 200
    assert price(Stay(day(7), day(9)), 100) == 240
    assert price(Stay(day(3), day(10)), 100) == 666


def test_book(hotel):
    booking = hotel.book(1, "Ann", day(3), day(5))
    assert booking.price == 20000
    assert hotel.free_rooms(day(4), day(6)) == [2]
    assert hotel.free_rooms(day(5), day(6)) == [1, 2]


def test_book_taken(hotel):
    hotel.book(1, "Ann", day(3), day(6))
    with pytest.raises(RoomTaken):
        hotel.book(1, "Bob", day(5), day(7))


def test_unknown_room(hotel):
    with pytest.raises(BookingError):
        hotel.book(9, "Ann", day(3), day(4))


def test_cancel(hotel):
    booking = hotel.book(1, "Ann", day(3), day(5))
    hotel.cancel(booking.id)
    assert hotel.get(booking.id).status == "cancelled"
    assert hotel.free_rooms(day(3), day(5)) == [1, 2]


def test_move(hotel):
    booking = hotel.book(1, "Ann", day(3), day(5))
    moved = hotel.move_booking(booking.id, day(10), day(13))
    assert moved.stay == Stay(day(10), day(13))
    assert moved.price == 30000
    assert moved.guest == "Ann"


def test_move_to_taken_nights(hotel):
    booking = hotel.book(1, "Ann", day(3), day(5))
    hotel.book(1, "Bob", day(10), day(12))
    with pytest.raises(RoomTaken):
        hotel.move_booking(booking.id, day(11), day(13))


def test_move_cancelled(hotel):
    booking = hotel.book(1, "Ann", day(3), day(5))
    hotel.cancel(booking.id)
    with pytest.raises(BookingError):
        hotel.move_booking(booking.id, day(10), day(13))


def test_stay_one_night_longer(hotel):
    booking = hotel.book(1, "Ann", day(3), day(5))
    longer = hotel.extend(booking.id, 1)
    assert longer.stay.leave == day(6)
    assert longer.price == 30000


def test_move_by_a_day(hotel):
    booking = hotel.book(2, "Ann", day(3), day(5))
    assert hotel.move_booking(booking.id, day(4), day(6)).stay.arrive == day(4)


def test_income(hotel):
    hotel.book(1, "Ann", day(3), day(5))
    hotel.book(2, "Bob", day(4), day(5))
    assert hotel.income(day(1), day(30)) == 28000
    assert hotel.income(day(4), day(4)) == 8000
