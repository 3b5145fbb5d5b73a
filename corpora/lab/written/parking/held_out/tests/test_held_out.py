from datetime import datetime, timedelta

import pytest

from parking.tariff import Tariff, fee
from parking.tickets import Garage

CITY = Tariff(unit_price=200, unit_minutes=30, free_minutes=10, daily_max=2500)
LONG = Tariff(unit_price=300, unit_minutes=60, daily_max=1800)
DAY = 1440


@pytest.mark.parametrize("tariff, minutes, cents", [
    (CITY, 0, 0), (CITY, 10, 0), (CITY, 11, 200), (CITY, 30, 200), (CITY, 31, 400),
    (CITY, 360, 2400), (CITY, 361, 2500), (CITY, 391, 2500), (CITY, DAY, 2500),
    (CITY, DAY + 11, 2700), (CITY, DAY + 30, 2700), (CITY, DAY + 31, 2900),
    (CITY, DAY + 360, 4900), (CITY, DAY + 361, 5000), (CITY, DAY + 1000, 5000),
    (CITY, 2 * DAY, 5000), (CITY, 2 * DAY + 60, 5400), (CITY, 2 * DAY + 720, 7500),
    (CITY, 3 * DAY, 7500), (CITY, 7 * DAY + 45, 17900), (CITY, 30 * DAY, 75000),
    (LONG, 1, 300), (LONG, 360, 1800), (LONG, DAY, 1800), (LONG, DAY + 1, 2100),
    (LONG, DAY + 61, 2400), (LONG, 5 * DAY + 120, 9600),
])
def test_fee(tariff, minutes, cents):
    assert fee(tariff, minutes) == cents


def test_no_maximum_is_plain_units():
    t = Tariff(100, 60)
    assert [fee(t, m) for m in (60, DAY, DAY + 1, 3 * DAY + 90)] == [100, 2400, 2500, 7400]


def test_no_maximum_units_not_cut_at_days():
    # units of 7 hours go on over midnight of the stay when nothing is capped
    assert fee(Tariff(100, 420), DAY + 200) == 400


def test_zero_maximum_is_a_maximum():
    assert fee(Tariff(100, daily_max=0), 3 * DAY) == 0


@pytest.mark.parametrize("minutes", [-1, -DAY])
def test_negative(minutes):
    with pytest.raises(ValueError):
        fee(CITY, minutes)


def test_garage_charges_days():
    g = Garage(CITY, 1)
    start = datetime(2024, 1, 1, 8)
    ticket = g.enter("x", start)
    assert g.due(ticket.number, start + timedelta(days=2, hours=1)) == 5400
