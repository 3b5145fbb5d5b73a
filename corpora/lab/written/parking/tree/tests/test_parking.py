from datetime import datetime, timedelta

import pytest

from parking.tariff import Tariff, fee, units
from parking.tickets import Garage, TicketError, minutes_between

CITY = Tariff(unit_price=200, unit_minutes=30, free_minutes=10, daily_max=2500)
NOON = datetime(2024, 5, 4, 12, 0)


@pytest.fixture
def garage():
    return Garage(CITY, 2)


def at(minutes):
    return NOON + timedelta(minutes=minutes)


def test_units():
    assert [units(m, 30) for m in (0, 1, 30, 31)] == [0, 1, 1, 2]


def test_bad_tariff():
    with pytest.raises(ValueError):
        Tariff(100, 0)


@pytest.mark.parametrize("minutes, cents", [(0, 0), (10, 0), (11, 200), (30, 200), (31, 400), (90, 600)])
def test_short_stays(minutes, cents):
    assert fee(CITY, minutes) == cents


def test_negative():
    with pytest.raises(ValueError):
        fee(CITY, -1)


@pytest.mark.parametrize("minutes, cents", [(360, 2400), (361, 2500), (900, 2500), (1440, 2500)])
def test_daily_max(minutes, cents):
    assert fee(CITY, minutes) == cents


def test_no_max():
    assert fee(Tariff(100), 48 * 60) == 4800


def test_two_days_and_an_hour():
    assert fee(CITY, 2 * 1440 + 60) == 2 * 2500 + 400


def test_two_full_days():
    assert fee(CITY, 2 * 1440) == 5000


def test_second_day_is_capped_too():
    assert fee(CITY, 1440 + 600) == 5000


def test_started_minutes():
    assert minutes_between(NOON, NOON + timedelta(seconds=61)) == 2


def test_full(garage):
    garage.enter("a", NOON)
    garage.enter("b", NOON)
    with pytest.raises(TicketError):
        garage.enter("c", NOON)


def test_pay_and_leave(garage):
    ticket = garage.enter("ab 12", NOON)
    assert ticket.plate == "AB12"
    with pytest.raises(TicketError):
        garage.leave(ticket.number, at(60))
    assert garage.pay(ticket.number, at(60)) == 400
    garage.leave(ticket.number, at(75))
    assert garage.free_spaces == 2
    assert garage.revenue == 400


def test_too_late_after_paying(garage):
    ticket = garage.enter("x", NOON)
    garage.pay(ticket.number, at(60))
    assert garage.due(ticket.number, at(76)) == 200


def test_quick_turn_is_free(garage):
    ticket = garage.enter("x", NOON)
    garage.leave(ticket.number, at(10))


def test_unknown_ticket(garage):
    with pytest.raises(TicketError):
        garage.due(7, NOON)
