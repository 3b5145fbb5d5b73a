from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from garage.desk import Desk
from garage.fees import parking_fee

START = datetime(2022, 3, 1, 8, 0)
DAY = 24 * 60


@pytest.mark.parametrize(
    "minutes, fee",
    [
        (0, "0"),
        (1, "0"),
        (10, "0"),
        (11, "2.50"),
        (59, "2.50"),
        (60, "2.50"),
        (61, "5.00"),
        (69, "5.00"),
        (75, "5.00"),
        (90, "5.00"),
        (119, "5.00"),
        (120, "5.00"),
        (121, "7.50"),
        (180, "7.50"),
        (420, "17.50"),
        (421, "18.00"),
        (480, "18.00"),
        (DAY - 1, "18.00"),
        (DAY, "18.00"),
        (DAY + 1, "20.50"),
        (DAY + 60, "20.50"),
        (DAY + 61, "23.00"),
        (DAY + 600, "36.00"),
        (2 * DAY, "36.00"),
        (2 * DAY + 5, "38.50"),
        (3 * DAY + 120, "59.00"),
    ],
)
def test_fee(minutes, fee):
    assert parking_fee(minutes) == Decimal(fee)


def test_other_prices():
    assert parking_fee(180, hourly=Decimal("1"), daily_max=Decimal("2")) == 2
    assert parking_fee(121, hourly=Decimal("1"), daily_max=Decimal("9")) == 3
    assert parking_fee(5, grace=0) == Decimal("2.50")
    assert parking_fee(30, grace=30) == 0
    assert parking_fee(31, grace=30) == Decimal("2.50")
    assert parking_fee(90, grace=30) == Decimal("5.00")


def test_negative():
    with pytest.raises(ValueError):
        parking_fee(-1)


def test_result_is_decimal():
    assert isinstance(parking_fee(60), Decimal)
    assert isinstance(parking_fee(DAY), Decimal)


@pytest.mark.parametrize(
    "stay, fee",
    [
        (timedelta(hours=2), "5.00"),
        (timedelta(hours=2, seconds=1), "7.50"),
        (timedelta(days=1), "18.00"),
        (timedelta(days=1, hours=1), "20.50"),
    ],
)
def test_desk(stay, fee):
    desk = Desk(3)
    ticket = desk.enter("HH-A 1", START)
    assert desk.leave(ticket, START + stay) == Decimal(fee)
    assert desk.takings() == Decimal(fee)


def test_desk_discount_and_lost():
    desk = Desk(3)
    one = desk.enter("HH-A 1", START)
    two = desk.enter("HH-A 2", START)
    assert desk.leave(one, START + timedelta(hours=3), discount=20) == Decimal("6.00")
    assert desk.lost_ticket(two, START + timedelta(hours=3)) == Decimal("32.50")
